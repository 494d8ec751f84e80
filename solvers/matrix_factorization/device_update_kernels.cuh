// Hogwild on warps: rows of factors in registers, products by shuffles, wide loads and stores that L1 does not keep.
#pragma once

#include <cstdint>

#include "device/kernel.hpp"
#include "device/l2.cuh"
#include "device/ranges.cuh"
#include "device/warp.cuh"
#include "solvers/matrix_factorization/device_update.hpp"

namespace warpbench::matrix_factorization {

__device__ __forceinline__ float to_single(float factor) {
  return factor;
}
__device__ __forceinline__ float to_single(Half factor) {
  return to_float(factor);
}
__device__ __forceinline__ void from_single(float value, float& factor) {
  factor = value;
}
__device__ __forceinline__ void from_single(float value, Half& factor) {
  factor = to_half(value);
}

/// What a lane loads or stores at once.
template <typename Factor, int kWidth>
struct alignas(sizeof(Factor) * kWidth) Pack {
  Factor factors[kWidth];
};

/// A lane's part of a row, as it is in memory: pack i of lane l begins at factor (i kWarpSize + l) kWidth. A row of
/// fewer factors has no packs beyond its end; they are zeros in registers.
template <typename Factor, int kWidth, int kPacks>
struct StoredPart {
  Pack<Factor, kWidth> packs[kPacks];

  __device__ __forceinline__ void load(const Factor* row, std::uint32_t stride) {
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
      const unsigned at = static_cast<unsigned>(i * kWarpSize + warp::lane()) * kWidth;
      packs[i] = {};
      if (at < stride) packs[i] = l2::load(reinterpret_cast<const Pack<Factor, kWidth>*>(row + at));
    }
  }
};

/// The same in single precision.
template <typename Factor, int kWidth, int kPacks>
struct Part {
  float factors[kPacks * kWidth];

  // Implicit, so that p = next_p reads as in the document.
  __device__ __forceinline__ Part(const StoredPart<Factor, kWidth, kPacks>& stored) {
#pragma unroll
    for (int i = 0; i < kPacks * kWidth; ++i) factors[i] = to_single(stored.packs[i / kWidth].factors[i % kWidth]);
  }
  __device__ __forceinline__ void store(Factor* row, std::uint32_t stride) const {
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
      const unsigned at = static_cast<unsigned>(i * kWarpSize + warp::lane()) * kWidth;
      Pack<Factor, kWidth> pack;
#pragma unroll
      for (int j = 0; j < kWidth; ++j) from_single(factors[i * kWidth + j], pack.factors[j]);
      if (at < stride) l2::store(reinterpret_cast<Pack<Factor, kWidth>*>(row + at), pack);
    }
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

/// Warp w of W takes the ratings [n w / W, n (w + 1) / W), at most 2^30. The rows of a rating are loaded before the
/// update by the one before it (kAhead), which hides their latency; a row that both share stays in registers.
template <typename Factor, int kWidth, int kPacks, bool kAhead = true, int kMinBlocks = 1>
__global__ void __launch_bounds__(128, kMinBlocks)
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
    if (other_user) p.store(p_row(rating), stride);
    if (other_item) q.store(q_row(rating), stride);
    if constexpr (!kAhead) {
      if (other_user) next_p.load(p_row(next), stride);
      if (other_item) next_q.load(q_row(next), stride);
    }
    if (other_user) p = next_p;
    if (other_item) q = next_q;
    rating = next;
  }
  p.store(p_row(rating), stride);
  q.store(q_row(rating), stride);
}

template <typename From, typename To>
__global__ void convert_kernel(View<const From> from, View<To> to) {
  for (const std::int64_t i : grid::strided(from.size())) from_single(to_single(from[i]), to[i]);
}

}  // namespace warpbench::matrix_factorization
