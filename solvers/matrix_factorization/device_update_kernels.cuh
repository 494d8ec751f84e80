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

  __device__ __forceinline__ void load(const Factor* row, int stride) {
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
      const int at = (i * kWarpSize + warp::lane()) * kWidth;
      packs[i] = {};
      if (at < stride) packs[i] = l2::load(reinterpret_cast<const Pack<Factor, kWidth>*>(row + at));
    }
  }
};

/// The same in single precision.
template <typename Factor, int kWidth, int kPacks>
struct Part {
  float factors[kPacks * kWidth];

  __device__ __forceinline__ Part& operator=(const StoredPart<Factor, kWidth, kPacks>& stored) {
#pragma unroll
    for (int i = 0; i < kPacks * kWidth; ++i) factors[i] = to_single(stored.packs[i / kWidth].factors[i % kWidth]);
    return *this;
  }
  __device__ __forceinline__ void store(Factor* row, int stride) const {
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
      const int at = (i * kWarpSize + warp::lane()) * kWidth;
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

/// A warp's ratings, one after the other. A lane loads one of 32 and broadcasts it, and the 32 after them are on
/// their way.
class RatingReader {
 public:
  __device__ __forceinline__ RatingReader(View<const Rating> ratings, Extent<std::int64_t> own)
      : ratings_(ratings), at_(own.begin), end_(own.end), batch_(own_of(at_)), coming_(own_of(at_ + kWarpSize)) {}

  /// At most once for each rating.
  __device__ __forceinline__ Rating next() {
    if (source_ == kWarpSize) {
      batch_ = coming_;
      at_ += kWarpSize;
      coming_ = own_of(at_ + kWarpSize);
      source_ = 0;
    }
    const Rating rating{__shfl_sync(kFullMask, batch_.user, source_), __shfl_sync(kFullMask, batch_.item, source_),
                        __shfl_sync(kFullMask, batch_.value, source_)};
    ++source_;
    return rating;
  }

 private:
  __device__ __forceinline__ Rating own_of(std::int64_t first) const {
    const std::int64_t mine = first + warp::lane();
    return mine < end_ ? ratings_[mine] : Rating{};
  }

  View<const Rating> ratings_;
  std::int64_t at_;
  std::int64_t end_;
  Rating batch_;
  Rating coming_;
  int source_ = 0;
};

/// A row of a segment.
template <typename Factor>
__device__ __forceinline__ Factor* row_of(View<Factor> segment, std::uint32_t row, std::int64_t first, int stride) {
  return segment.subview((std::int64_t{row} - first) * stride, stride).data();
}

/// Warp w of W takes the ratings [n w / W, n (w + 1) / W). The rows of a rating are loaded before the update by the one
/// before it (kAhead), which hides their latency; a row that both share stays in registers.
template <typename Factor, int kWidth, int kPacks, bool kAhead = true, int kMinBlocks = 1>
__global__ void __launch_bounds__(128, kMinBlocks)
    hogwild_kernel(View<const Rating> ratings, DeviceFactors<Factor> factors, UpdateRule rule) {
  using Stored = StoredPart<Factor, kWidth, kPacks>;
  const std::int64_t workers = grid::size() / kWarpSize;
  const std::int64_t worker = grid::index() / kWarpSize;
  const Extent<std::int64_t> own{ratings.size() * worker / workers, ratings.size() * (worker + 1) / workers};
  if (own.empty()) return;
  const int stride = static_cast<int>(factors.stride);
  const auto p_row = [&](const Rating& rating) { return row_of(factors.p, rating.user, factors.first_user, stride); };
  const auto q_row = [&](const Rating& rating) { return row_of(factors.q, rating.item, factors.first_item, stride); };

  RatingReader reader(ratings, own);
  Rating rating = reader.next();
  Stored next_p;
  Stored next_q;
  next_p.load(p_row(rating), stride);
  next_q.load(q_row(rating), stride);
  Part<Factor, kWidth, kPacks> p;
  Part<Factor, kWidth, kPacks> q;
  p = next_p;
  q = next_q;
  for (std::int64_t left = own.size(); left > 0; --left) {
    const Rating next = left > 1 ? reader.next() : rating;
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
