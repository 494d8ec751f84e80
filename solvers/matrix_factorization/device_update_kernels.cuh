// Hogwild on warps: rows of factors in registers, products by shuffles, wide loads and stores that L1 does not keep.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "device/kernel.hpp"
#include "device/ranges.cuh"
#include "device/warp.cuh"
#include "solvers/matrix_factorization/device_update.hpp"

namespace warpbench::matrix_factorization {

/// Factors as they are in memory, in words of 32 bits: a float, or two halves of which the first is in the low bits.
template <typename Factor>
inline constexpr int kPerWord = sizeof(std::uint32_t) / sizeof(Factor);

template <typename Factor>
__device__ __forceinline__ float unpacked(const std::uint32_t* words, int i);
template <>
__device__ __forceinline__ float unpacked<float>(const std::uint32_t* words, int i) {
  return __uint_as_float(words[i]);
}
template <>
__device__ __forceinline__ float unpacked<Half>(const std::uint32_t* words, int i) {
  return to_float(Half{static_cast<std::uint16_t>(words[i / 2] >> (i % 2 * 16))});
}

template <typename Factor>
__device__ __forceinline__ std::uint32_t packed(const float* factors);
template <>
__device__ __forceinline__ std::uint32_t packed<float>(const float* factors) {
  return __float_as_uint(factors[0]);
}
template <>
__device__ __forceinline__ std::uint32_t packed<Half>(const float* factors) {
  return to_halves(factors[0], factors[1]);
}

/// What a lane loads or stores at once: 8 or 16 bytes. Past the multiprocessor's own cache (L1), which does not see
/// what others write.
template <int kWords>
struct [[gnu::may_alias]] alignas(sizeof(std::uint32_t) * kWords) Pack {
  std::uint32_t words[kWords];

#if defined(WARPBENCH_CUDA)
  using Vector = std::conditional_t<kWords == 4, uint4, uint2>;
  __device__ static __forceinline__ Pack load(const void* from) {
    return std::bit_cast<Pack>(__ldcg(static_cast<const Vector*>(from)));
  }
  __device__ __forceinline__ void store(void* to) const {
    __stcg(static_cast<Vector*>(to), std::bit_cast<Vector>(*this));
  }
#else
  static Pack load(const void* from) {
    return *static_cast<const Pack*>(from);
  }
  void store(void* to) const {
    *static_cast<Pack*>(to) = *this;
  }
#endif
};

/// A lane's part of a row of Factor in its memory's form, which a load fills in without being waited for: pack i of
/// lane l begins at factor (i kWarpSize + l) kWidth. A row of fewer factors has no packs beyond its end; they are zeros
/// in registers.
template <typename Factor, int kWidth, int kPacks>
struct StoredPart {
  static constexpr int kWords = kWidth / kPerWord<Factor>;
  using LanePack = Pack<kWords>;

  LanePack packs[kPacks];

  __device__ static __forceinline__ unsigned first_factor(int pack) {
    return static_cast<unsigned>(pack * kWarpSize + warp::lane()) * kWidth;
  }
  __device__ __forceinline__ void load(const Factor* row, std::uint32_t stride) {
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
      packs[i] = {};
      if (first_factor(i) < stride) packs[i] = LanePack::load(row + first_factor(i));
    }
  }
  __device__ __forceinline__ void store(Factor* row, std::uint32_t stride) const {
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
      if (first_factor(i) < stride) packs[i].store(row + first_factor(i));
    }
  }
};

/// The same in single precision.
template <typename Factor, int kWidth, int kPacks>
struct Part {
  using Stored = StoredPart<Factor, kWidth, kPacks>;

  float factors[kPacks * kWidth];

  // Implicit, so that p = next_p reads as in the document.
  __device__ __forceinline__ Part(const Stored& stored) {
#pragma unroll
    for (int i = 0; i < kPacks * kWidth; ++i) {
      factors[i] = unpacked<Factor>(stored.packs[i / kWidth].words, i % kWidth);
    }
  }
  [[nodiscard]] __device__ __forceinline__ Stored stored() const {
    Stored result;
#pragma unroll
    for (int i = 0; i < kPacks * Stored::kWords; ++i) {
      result.packs[i / Stored::kWords].words[i % Stored::kWords] = packed<Factor>(factors + i * kPerWord<Factor>);
    }
    return result;
  }
};

/// p += γ (e q - λ_P p), q += γ (e p - λ_Q q), both with the old p and q; e = value - p · q.
template <typename Part>
__device__ __forceinline__ void update(Part& p, Part& q, float value, const UpdateRule& rule) {
  constexpr int kFactors = sizeof(p.factors) / sizeof(float);
  float product = 0;
#pragma unroll
  for (int i = 0; i < kFactors; ++i) product += p.factors[i] * q.factors[i];
  const float step = rule.gamma * (value - warp::reduce_sum(product));
  const float keep_p = 1 - rule.gamma * rule.lambda_p;
  const float keep_q = 1 - rule.gamma * rule.lambda_q;
#pragma unroll
  for (int i = 0; i < kFactors; ++i) {
    const float old = p.factors[i];
    p.factors[i] = step * q.factors[i] + keep_p * old;
    q.factors[i] = step * old + keep_q * q.factors[i];
  }
}

/// A warp's ratings. A lane loads one of 32 and broadcasts it; the 32 after them are on their way.
class RatingReader {
 public:
  __device__ __forceinline__ explicit RatingReader(View<const Rating> own)
      : ratings_(own.data()), count_(static_cast<int>(own.size())), batch_(loaded(0)), coming_(loaded(kWarpSize)) {}

  [[nodiscard]] __device__ __forceinline__ int count() const { return count_; }

  /// To be called with 0, 1, 2, …
  __device__ __forceinline__ Rating at(int i) {
    const int lane = i % kWarpSize;
    if (lane == 0 && i > 0) {
      batch_ = coming_;
      coming_ = loaded(i + kWarpSize);
    }
    return {__shfl_sync(kFullMask, batch_.user, lane), __shfl_sync(kFullMask, batch_.item, lane),
            __shfl_sync(kFullMask, batch_.value, lane)};
  }

 private:
  __device__ __forceinline__ Rating loaded(int first) const {
    const int mine = first + warp::lane();
    return mine < count_ ? ratings_[mine] : Rating{};
  }

  const Rating* ratings_;
  int count_;
  Rating batch_;
  Rating coming_;
};

/// A row of a segment.
template <typename Factor>
__device__ __forceinline__ Factor* row_of(View<Factor> segment, std::uint32_t row, std::uint32_t stride) {
  return segment.subview(static_cast<std::int64_t>(std::uint64_t{row} * stride), stride).data();
}

/// Warp w of W takes the ratings [n w / W, n (w + 1) / W), at most 2^30. A row that neighbours share stays in
/// registers. kAhead: the rows of a rating are loaded before the update by the one before it, which hides their
/// latency. What other warps store meanwhile is lost.
template <typename Factor, int kWidth, int kPacks, bool kAhead>
__global__ void __launch_bounds__(128)
    hogwild_kernel(View<const Rating> ratings, DeviceFactors<Factor> factors, UpdateRule rule) {
  const std::int64_t workers = grid::size() / kWarpSize;
  const std::int64_t worker = grid::index() / kWarpSize;
  const std::int64_t begin = ratings.size() * worker / workers;
  const std::int64_t end = ratings.size() * (worker + 1) / workers;
  if (begin == end) return;
  const auto stride = static_cast<std::uint32_t>(factors.stride);
  const auto first_user = static_cast<std::uint32_t>(factors.first_user);
  const auto first_item = static_cast<std::uint32_t>(factors.first_item);
  const auto p_row = [&](const Rating& rating) { return row_of(factors.p, rating.user - first_user, stride); };
  const auto q_row = [&](const Rating& rating) { return row_of(factors.q, rating.item - first_item, stride); };

  RatingReader reader(ratings.subview(begin, end - begin));
  Rating rating = reader.at(0);
  StoredPart<Factor, kWidth, kPacks> next_p;
  StoredPart<Factor, kWidth, kPacks> next_q;
  next_p.load(p_row(rating), stride);
  next_q.load(q_row(rating), stride);
  Part<Factor, kWidth, kPacks> p(next_p);
  Part<Factor, kWidth, kPacks> q(next_q);
  for (int i = 1; i <= reader.count(); ++i) {
    const Rating next = i < reader.count() ? reader.at(i) : rating;
    const bool other_user = next.user != rating.user;
    const bool other_item = next.item != rating.item;
    if constexpr (kAhead) {
      if (other_user) next_p.load(p_row(next), stride);
      if (other_item) next_q.load(q_row(next), stride);
    }
    update(p, q, rating.value, rule);
    if (other_user) p.stored().store(p_row(rating), stride);
    if (other_item) q.stored().store(q_row(rating), stride);
    if constexpr (!kAhead) {
      if (other_user) next_p.load(p_row(next), stride);
      if (other_item) next_q.load(q_row(next), stride);
    }
    if (other_user) p = next_p;
    if (other_item) q = next_q;
    rating = next;
  }
  p.stored().store(p_row(rating), stride);
  q.stored().store(q_row(rating), stride);
}

__global__ void halves_kernel(View<const float> from, View<Half> to) {
  for (const std::int64_t i : grid::strided(from.size())) to[i] = to_half(from[i]);
}
__global__ void singles_kernel(View<const Half> from, View<float> to) {
  for (const std::int64_t i : grid::strided(from.size())) to[i] = to_float(from[i]);
}

}  // namespace warpbench::matrix_factorization
