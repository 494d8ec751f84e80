// All-pairs comparison of two blocks. A block is four-element groups: turning `a` by whole groups and, within groups,
// the elements of `b` meets every pair with (groups - 1) + 3 shuffles instead of width - 1. An element of `a` matches
// at most one of `b`, so the matches of one turn of `a` may be or-ed before they are counted. che2019's published code
// compares 2x4 and 4x4 elements a step; the document draws 4x4.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "baselines/common_neighbors/intersect_simd.cpp"
#include <hwy/foreach_target.h>  // includes this file once for each other target, and goes on with the last
#include <hwy/highway.h>

#include <utility>

#include "baselines/common_neighbors/intersect_simd.hpp"
#include "device/integers.hpp"
#include "solvers/simd_dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpbench::common_neighbors::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<std::uint32_t, kMaxSimdWidth>;
using Block = hn::Vec<Tag>;
using Turn = decltype(hn::SetTableIndices(Tag(), static_cast<const std::int32_t*>(nullptr)));
constexpr std::uint32_t kPad = kNone<std::uint32_t>;

/// The turn of a block by one group.
HWY_INLINE Turn turn_by_group() {
  const hn::RebindToSigned<Tag> tag;
  const auto last = hn::Set(tag, static_cast<std::int32_t>(hn::Lanes(tag)) - 1);
  return hn::IndicesFromVec(Tag(), hn::And(hn::Iota(tag, 4), last));
}

/// The number of elements of `a` that occur in the same group of `b`; kPad is none where both are padded.
template <bool kBothPadded>
HWY_INLINE std::size_t matches_in_groups(Block a, Block b, Block b1, Block b2, Block b3) {
  const Tag tag;
  auto found = hn::Or(hn::Or(hn::Eq(a, b), hn::Eq(a, b1)), hn::Or(hn::Eq(a, b2), hn::Eq(a, b3)));
  if constexpr (kBothPadded) found = hn::AndNot(hn::Eq(a, hn::Set(tag, kPad)), found);
  return hn::CountTrue(tag, found);
}

/// The number of elements of `a` that occur in `b`. The steps are written out, as compilers do not unroll them.
template <bool kBothPadded>
HWY_INLINE std::size_t matches(Block a, Block b, Turn by_group) {
#if HWY_TARGET == HWY_SCALAR  // one lane
  const Block b1 = b;
  const Block b2 = b;
  const Block b3 = b;
#else
  const Block b1 = hn::Shuffle0321(b);
  const Block b2 = hn::Shuffle1032(b);
  const Block b3 = hn::Shuffle2103(b);
#endif
  const std::size_t groups = hn::Lanes(Tag()) / 4;
  std::size_t count = matches_in_groups<kBothPadded>(a, b, b1, b2, b3);
  if (groups >= 2) {
    a = hn::TableLookupLanes(a, by_group);
    count += matches_in_groups<kBothPadded>(a, b, b1, b2, b3);
  }
  if (groups == 4) {
    a = hn::TableLookupLanes(a, by_group);
    count += matches_in_groups<kBothPadded>(a, b, b1, b2, b3);
    a = hn::TableLookupLanes(a, by_group);
    count += matches_in_groups<kBothPadded>(a, b, b1, b2, b3);
  }
  return count;
}

/// The elements of `list` that make no whole block, in a block padded with kPad; reads nothing else.
HWY_INLINE Block rest_of(List list) {
  const Tag tag;
  const std::size_t width = hn::Lanes(tag);
  const std::size_t size = list.size() % width;
  const Block pad = hn::Set(tag, kPad);
  if (list.size() >= width) {  // the order within a block does not matter: its last elements stay where they are
    return hn::IfThenElse(hn::FirstN(tag, width - size), pad, hn::LoadU(tag, list.data() + list.size() - width));
  }
#if HWY_MEM_OPS_MIGHT_FAULT && HWY_TARGET != HWY_AVX2  // which has masked loads of 32-bit elements
  HWY_ALIGN std::uint32_t elements[hn::MaxLanes(tag)];
  hn::Store(pad, tag, elements);
  for (std::size_t i = 0; i < size; ++i) elements[i] = list[i];
  return hn::Load(tag, elements);
#else
  const auto present = hn::FirstN(tag, size);
  return hn::IfThenElse(present, hn::MaskedLoad(present, tag, list.data()), pad);
#endif
}

/// Blocks of both lists as long as both have whole ones, then what is left of the one against blocks of the other.
template <bool kCounting>
std::uint32_t count_blocks(List a, List b, std::uint64_t* block_pairs) {
  const Tag tag;
  const std::size_t width = hn::Lanes(tag);
  const Turn by_group = turn_by_group();
  std::size_t count = 0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i + width <= a.size() && j + width <= b.size()) {
    if constexpr (kCounting) ++*block_pairs;
    count += matches<false>(hn::LoadU(tag, &a[i]), hn::LoadU(tag, &b[j]), by_group);
    const std::uint32_t last_a = a[i + width - 1];
    const std::uint32_t last_b = b[j + width - 1];
    i += last_a <= last_b ? width : 0;
    j += last_b <= last_a ? width : 0;
  }
  if (i == a.size() || j == b.size()) return static_cast<std::uint32_t>(count);
  if (i + width <= a.size()) {
    std::swap(a, b);
    std::swap(i, j);
  }
  const Block rest = rest_of(a);
  for (; j + width <= b.size(); j += width) {
    if constexpr (kCounting) ++*block_pairs;
    count += matches<false>(rest, hn::LoadU(tag, &b[j]), by_group);
    if (a.back() <= b[j + width - 1]) return static_cast<std::uint32_t>(count);
  }
  if (j == b.size()) return static_cast<std::uint32_t>(count);
  if constexpr (kCounting) ++*block_pairs;
  return static_cast<std::uint32_t>(count + matches<true>(rest, rest_of(b), by_group));
}

}  // namespace

BlockMerge block_merge(bool counting) {
  return counting ? count_blocks<true> : count_blocks<false>;
}

}  // namespace warpbench::common_neighbors::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpbench::common_neighbors {

HWY_EXPORT(block_merge);

BlockMerge block_merge(Simd simd, bool counting) {
  return simd == kNoSimd ? nullptr : function_for(simd, HWY_DISPATCH_TABLE(block_merge))(counting);
}

}  // namespace warpbench::common_neighbors
#endif
