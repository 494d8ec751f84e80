// Counting: the keys of four vectors of S and their counts stay in registers while all of R's pass by. Selecting: the
// matches of a vector are packed by one instruction.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "baselines/theta_join/nested_loop/loops.cpp"
#include <hwy/foreach_target.h>  // includes this file once for each other target, and goes on with the last
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

#include "baselines/theta_join/nested_loop/loops.hpp"
#include "solvers/simd_dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpbench::nested_loop::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<std::int32_t, kMaxSimdWidth>;
using Vector = hn::Vec<Tag>;
using Mask = hn::Mask<Tag>;

template <bool kEquality>
HWY_INLINE Mask test(Vector r, Vector s) {
  if constexpr (kEquality) {
    return hn::Eq(r, s);
  } else {
    return hn::Lt(r, s);
  }
}

HWY_INLINE Mask mask_of(bool is_set) {
  const Tag tag;
  return hn::FirstN(tag, is_set ? hn::Lanes(tag) : 0);
}

HWY_INLINE Vector count_one(Vector counts, Mask mask) {
  const Tag tag;
#if HWY_TARGET <= HWY_AVX3  // whose masks are no vectors
  return hn::IfThenElse(mask, hn::Add(counts, hn::Set(tag, 1)), counts);
#else
  return hn::Sub(counts, hn::VecFromMask(tag, mask));
#endif
}

/// Which tests θ consists of.
template <bool kIsConjunction, bool kFirstEquality, bool kSecondEquality>
struct Theta {
  /// One condition without its inversion, or two with theirs.
  static HWY_INLINE Mask holds(Vector r_first, Vector r_second, Vector s_first, Vector s_second, Mask invert_first,
                               Mask invert_second) {
    const Mask first = test<kFirstEquality>(r_first, s_first);
    if constexpr (!kIsConjunction) return first;
    return hn::And(hn::Xor(first, invert_first), hn::Xor(test<kSecondEquality>(r_second, s_second), invert_second));
  }
};

template <typename Theta>
void count_with(const Tests& tests, const KeysOfR& r, const TileOfS& s, std::size_t size, std::uint32_t* counts) {
  const Tag tag;
  const hn::RebindToUnsigned<Tag> unsigned_tag;
  const std::size_t width = hn::Lanes(tag);
  const Mask invert_first = mask_of(tests.tests[0].is_inverted);
  const Mask invert_second = mask_of(tests.tests[1].is_inverted);
  for (std::size_t at = 0; at < size; at += 4 * width) {
    const Vector first_a = hn::Load(tag, s.first + at);
    const Vector first_b = hn::Load(tag, s.first + at + width);
    const Vector first_c = hn::Load(tag, s.first + at + 2 * width);
    const Vector first_d = hn::Load(tag, s.first + at + 3 * width);
    const Vector second_a = hn::Load(tag, s.second + at);
    const Vector second_b = hn::Load(tag, s.second + at + width);
    const Vector second_c = hn::Load(tag, s.second + at + 2 * width);
    const Vector second_d = hn::Load(tag, s.second + at + 3 * width);
    Vector count_a = hn::Zero(tag);
    Vector count_b = count_a;
    Vector count_c = count_a;
    Vector count_d = count_a;
    for (std::size_t i = 0; i < r.first.size(); ++i) {
      const Vector first = hn::Set(tag, r.first[i]);
      const Vector second = hn::Set(tag, r.second[i]);
      count_a = count_one(count_a, Theta::holds(first, second, first_a, second_a, invert_first, invert_second));
      count_b = count_one(count_b, Theta::holds(first, second, first_b, second_b, invert_first, invert_second));
      count_c = count_one(count_c, Theta::holds(first, second, first_c, second_c, invert_first, invert_second));
      count_d = count_one(count_d, Theta::holds(first, second, first_d, second_d, invert_first, invert_second));
    }
    hn::StoreU(hn::BitCast(unsigned_tag, count_a), unsigned_tag, counts + at);
    hn::StoreU(hn::BitCast(unsigned_tag, count_b), unsigned_tag, counts + at + width);
    hn::StoreU(hn::BitCast(unsigned_tag, count_c), unsigned_tag, counts + at + 2 * width);
    hn::StoreU(hn::BitCast(unsigned_tag, count_d), unsigned_tag, counts + at + 3 * width);
  }
  if (tests.is_conjunction || !tests.tests[0].is_inverted) return;
  const auto all = static_cast<std::uint32_t>(r.first.size());
  for (std::size_t j = 0; j < size; ++j) counts[j] = all - counts[j];
}

template <typename Theta>
std::size_t select_with(const Tests& tests, const KeysOfR& r, std::size_t i, const TileOfS& s, const std::int32_t* a,
                        const std::int32_t* x, std::size_t size, Matches& matches) {
  const Tag tag;
  const std::size_t width = hn::Lanes(tag);
  const Mask invert_first = mask_of(tests.tests[0].is_inverted);
  const Mask invert_second = mask_of(tests.tests[1].is_inverted);
  const Mask invert = mask_of(!tests.is_conjunction && tests.tests[0].is_inverted);
  const Vector first = hn::Set(tag, r.first[i]);
  const Vector second = hn::Set(tag, r.second[i]);
  std::size_t count = 0;
  for (std::size_t at = 0; at < size; at += width) {
    const Mask holds = Theta::holds(first, second, hn::Load(tag, s.first + at), hn::Load(tag, s.second + at),
                                    invert_first, invert_second);
    const Mask is_row = hn::And(hn::Xor(holds, invert), hn::FirstN(tag, size - at));
    hn::StoreU(hn::Compress(hn::Load(tag, a + at), is_row), tag, matches.a.data() + count);
    hn::StoreU(hn::Compress(hn::Load(tag, x + at), is_row), tag, matches.x.data() + count);
    count += hn::CountTrue(tag, is_row);
  }
  return count;
}

/// body(θ) with the Theta of the tests.
template <typename Body>
auto with_theta(const Tests& tests, const Body& body) {
  const Test& first = tests.tests[0];
  const Test& second = tests.tests[1];
  if (!tests.is_conjunction) {
    return first.is_equality ? body(Theta<false, true, false>()) : body(Theta<false, false, false>());
  }
  if (first.is_equality) {
    return second.is_equality ? body(Theta<true, true, true>()) : body(Theta<true, true, false>());
  }
  return second.is_equality ? body(Theta<true, false, true>()) : body(Theta<true, false, false>());
}

}  // namespace

void count(const Tests& tests, const KeysOfR& r, const TileOfS& s, std::size_t size, std::uint32_t* counts) {
  with_theta(tests, [&](auto theta) { count_with<decltype(theta)>(tests, r, s, size, counts); });
}

std::size_t select(const Tests& tests, const KeysOfR& r, std::size_t i, const TileOfS& s, const std::int32_t* a,
                   const std::int32_t* x, std::size_t size, Matches& matches) {
  return with_theta(tests,
                    [&](auto theta) { return select_with<decltype(theta)>(tests, r, i, s, a, x, size, matches); });
}

void write(std::int32_t r_a, const Matches& matches, std::size_t count, theta::Row* rows) {
  const Tag tag;
  const std::size_t width = hn::Lanes(tag);
  const auto all_r_a = hn::Set(tag, r_a);
  std::size_t at = 0;
  for (; at + width <= count; at += width) {
    hn::StoreInterleaved3(all_r_a, hn::LoadU(tag, matches.a.data() + at), hn::LoadU(tag, matches.x.data() + at), tag,
                          &rows[at].r_a);
  }
  for (; at < count; ++at) rows[at] = {r_a, matches.a[at], matches.x[at]};
}

}  // namespace warpbench::nested_loop::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpbench::nested_loop {
namespace {

HWY_EXPORT(count);
HWY_EXPORT(select);
HWY_EXPORT(write);

bool holds(const Test& test, std::int32_t r, std::int32_t s) {
  return (test.is_equality ? r == s : r < s) != test.is_inverted;
}

/// body(holds) with θ of tuple i of R: holds(j) for tuple j of S.
template <typename Body>
void with_tuple(const Tests& tests, const KeysOfR& r, std::size_t i, const TileOfS& s, const Body& body) {
  const Test& first = tests.tests[0];
  const Test& second = tests.tests[1];
  const std::int32_t key = r.first[i];
  const bool is_inverted = first.is_inverted;
  if (tests.is_conjunction) {
    body([&, other = r.second[i]](std::size_t j) {
      return holds(first, key, s.first[j]) && holds(second, other, s.second[j]);
    });
  } else if (first.is_equality) {
    body([=](std::size_t j) { return (key == s.first[j]) != is_inverted; });
  } else {
    body([=](std::size_t j) { return (key < s.first[j]) != is_inverted; });
  }
}

void count_scalar(const Tests& tests, const KeysOfR& r, const TileOfS& s, std::size_t size, std::uint32_t* counts) {
  std::fill_n(counts, size, 0U);
  for (std::size_t i = 0; i < r.first.size(); ++i) {
    with_tuple(tests, r, i, s, [=](const auto& holds) {
      for (std::size_t j = 0; j < size; ++j) counts[j] += static_cast<std::uint32_t>(holds(j));
    });
  }
}

std::size_t select_scalar(const Tests& tests, const KeysOfR& r, std::size_t i, const TileOfS& s, const std::int32_t* a,
                          const std::int32_t* x, std::size_t size, Matches& matches) {
  std::size_t count = 0;
  with_tuple(tests, r, i, s, [&](const auto& holds) {
    for (std::size_t j = 0; j < size; ++j) {
      matches.a[count] = a[j];
      matches.x[count] = x[j];
      count += static_cast<std::size_t>(holds(j));
    }
  });
  return count;
}

void write_scalar(std::int32_t r_a, const Matches& matches, std::size_t count, theta::Row* rows) {
  for (std::size_t at = 0; at < count; ++at) rows[at] = {r_a, matches.a[at], matches.x[at]};
}

}  // namespace

Loops loops_for(Simd simd) {
  if (simd == kNoSimd) return {count_scalar, select_scalar, write_scalar};
  return {function_for(simd, HWY_DISPATCH_TABLE(count)), function_for(simd, HWY_DISPATCH_TABLE(select)),
          function_for(simd, HWY_DISPATCH_TABLE(write))};
}

}  // namespace warpbench::nested_loop
#endif
