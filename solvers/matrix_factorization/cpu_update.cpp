// An update reads and writes a row of P and a row of Q, 2 KB in all at 128 factors: memory decides its speed, so that
// the rows of ratings to come are fetched ahead. In ratings sorted by user, the next update needs the row of P that
// this one writes: it stays in registers where they hold it.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/matrix_factorization/cpu_update.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // includes this file once for each other target, and goes on with the last
#include <hwy/highway.h>

#include <cstddef>
#include <utility>

#include "solvers/matrix_factorization/cpu_update.hpp"
#include "solvers/simd_dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpbench::matrix_factorization::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, kMaxSimdWidth>;
constexpr std::size_t kLineFloats = 16;
/// Ratings from the one whose rows are fetched back to the one that is updated by.
constexpr std::size_t kAhead = 6;

HWY_INLINE void prefetch_row(const float* row, std::size_t stride) {
  for (std::size_t f = 0; f < stride; f += kLineFloats) hwy::Prefetch(row + f);
}

/// The rows of the rating `kAhead` after rating i; that of a user only once where ratings are sorted by user.
HWY_INLINE void prefetch_after(std::span<const Rating> ratings, std::size_t i, const FactorView& factors) {
  if (i + kAhead >= ratings.size()) return;
  const auto stride = static_cast<std::size_t>(factors.stride);
  const Rating& next = ratings[i + kAhead];
  prefetch_row(factors.q + next.item * stride, stride);
  if (next.user != ratings[i + kAhead - 1].user) prefetch_row(factors.p + next.user * stride, stride);
}

/// p · q in four sums, which hide the latency of the additions.
HWY_INLINE float product(const float* p, const float* q, std::size_t stride) {
  const Tag tag;
  const std::size_t width = hn::Lanes(tag);
  auto first = hn::Zero(tag);
  auto second = first;
  auto third = first;
  auto fourth = first;
  std::size_t f = 0;
  for (; f + 4 * width <= stride; f += 4 * width) {
    first = hn::MulAdd(hn::Load(tag, p + f), hn::Load(tag, q + f), first);
    second = hn::MulAdd(hn::Load(tag, p + f + width), hn::Load(tag, q + f + width), second);
    third = hn::MulAdd(hn::Load(tag, p + f + 2 * width), hn::Load(tag, q + f + 2 * width), third);
    fourth = hn::MulAdd(hn::Load(tag, p + f + 3 * width), hn::Load(tag, q + f + 3 * width), fourth);
  }
  for (; f < stride; f += width) first = hn::MulAdd(hn::Load(tag, p + f), hn::Load(tag, q + f), first);
  return hn::GetLane(hn::SumOfLanes(tag, hn::Add(hn::Add(first, second), hn::Add(third, fourth))));
}

void update_in_memory(std::span<const Rating> ratings, const FactorView& factors, const UpdateRule& rule) {
  const Tag tag;
  const std::size_t width = hn::Lanes(tag);
  const auto stride = static_cast<std::size_t>(factors.stride);
  const auto keep_p = hn::Set(tag, 1 - rule.gamma * rule.lambda_p);
  const auto keep_q = hn::Set(tag, 1 - rule.gamma * rule.lambda_q);
  for (std::size_t i = 0; i < ratings.size(); ++i) {
    prefetch_after(ratings, i, factors);
    float* HWY_RESTRICT p = factors.p + ratings[i].user * stride;
    float* HWY_RESTRICT q = factors.q + ratings[i].item * stride;
    const auto step = hn::Set(tag, rule.gamma * (ratings[i].value - product(p, q, stride)));
    for (std::size_t f = 0; f < stride; f += width) {
      const auto old_p = hn::Load(tag, p + f);
      const auto old_q = hn::Load(tag, q + f);
      hn::Store(hn::MulAdd(step, old_q, hn::Mul(keep_p, old_p)), tag, p + f);
      hn::Store(hn::MulAdd(step, old_p, hn::Mul(keep_q, old_q)), tag, q + f);
    }
  }
}

#if !HWY_HAVE_SCALABLE  // whose vectors cannot stand in an array

/// Vectors of a user's row at most. AVX2 has 16 registers: sums and constants need the others.
constexpr std::size_t kMaxHeld = 8;

/// update_in_memory() of rows of kVectors vectors, with the user's row in registers.
template <std::size_t kVectors>
void update_in_registers(std::span<const Rating> ratings, const FactorView& factors, const UpdateRule& rule) {
  if (ratings.empty()) return;
  const Tag tag;
  const std::size_t width = hn::Lanes(tag);
  const auto stride = static_cast<std::size_t>(factors.stride);
  const auto keep_p = hn::Set(tag, 1 - rule.gamma * rule.lambda_p);
  const auto keep_q = hn::Set(tag, 1 - rule.gamma * rule.lambda_q);
  float* p = factors.p + ratings.front().user * stride;
  hn::Vec<Tag> held[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) held[v] = hn::Load(tag, p + v * width);
  for (std::size_t i = 0; i < ratings.size(); ++i) {
    prefetch_after(ratings, i, factors);
    float* HWY_RESTRICT q = factors.q + ratings[i].item * stride;
    if (float* const own = factors.p + ratings[i].user * stride; own != p) {
      for (std::size_t v = 0; v < kVectors; ++v) hn::Store(held[v], tag, p + v * width);
      p = own;
      for (std::size_t v = 0; v < kVectors; ++v) held[v] = hn::Load(tag, p + v * width);
    }
    hn::Vec<Tag> sums[4] = {hn::Zero(tag), hn::Zero(tag), hn::Zero(tag), hn::Zero(tag)};
    for (std::size_t v = 0; v < kVectors; ++v) {
      sums[v % 4] = hn::MulAdd(held[v], hn::Load(tag, q + v * width), sums[v % 4]);
    }
    const float predicted =
        hn::GetLane(hn::SumOfLanes(tag, hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]))));
    const auto step = hn::Set(tag, rule.gamma * (ratings[i].value - predicted));
    for (std::size_t v = 0; v < kVectors; ++v) {
      const auto old_p = held[v];
      const auto old_q = hn::Load(tag, q + v * width);
      held[v] = hn::MulAdd(step, old_q, hn::Mul(keep_p, old_p));
      hn::Store(hn::MulAdd(step, old_p, hn::Mul(keep_q, old_q)), tag, q + v * width);
    }
  }
  for (std::size_t v = 0; v < kVectors; ++v) hn::Store(held[v], tag, p + v * width);
}

/// update_in_registers() for rows of 1, 2, … kMaxHeld vectors.
template <std::size_t... kBefore>
UpdateFunction in_registers(std::size_t vectors, std::index_sequence<kBefore...> /*all*/) {
  constexpr UpdateFunction kFunctions[] = {update_in_registers<kBefore + 1>...};
  return kFunctions[vectors - 1];
}

#endif

}  // namespace

void update(std::span<const Rating> ratings, const FactorView& factors, const UpdateRule& rule) {
#if !HWY_HAVE_SCALABLE
  if (const std::size_t vectors = static_cast<std::size_t>(factors.stride) / hn::Lanes(Tag()); vectors <= kMaxHeld) {
    return in_registers(vectors, std::make_index_sequence<kMaxHeld>())(ratings, factors, rule);
  }
#endif
  update_in_memory(ratings, factors, rule);
}

}  // namespace warpbench::matrix_factorization::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpbench::matrix_factorization {
namespace {

HWY_EXPORT(update);

void update_scalar(std::span<const Rating> ratings, const FactorView& factors, const UpdateRule& rule) {
  const auto stride = static_cast<std::size_t>(factors.stride);
  for (const Rating& rating : ratings) {
    float* const p = factors.p + rating.user * stride;
    float* const q = factors.q + rating.item * stride;
    float product = 0;
    for (std::size_t f = 0; f < stride; ++f) product += p[f] * q[f];
    const float e = rating.value - product;
    for (std::size_t f = 0; f < stride; ++f) {
      const float old = p[f];
      p[f] += rule.gamma * (e * q[f] - rule.lambda_p * old);
      q[f] += rule.gamma * (e * old - rule.lambda_q * q[f]);
    }
  }
}

}  // namespace

UpdateFunction update_function(Simd simd) {
  return simd == kNoSimd ? update_scalar : function_for(simd, HWY_DISPATCH_TABLE(update));
}

}  // namespace warpbench::matrix_factorization
#endif
