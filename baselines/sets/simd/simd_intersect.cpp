// Differs from the publication in two ways. A block is one vector of the CPU; theirs is one or two of 4 tokens. A tail
// that is no whole group is searched; theirs is merged one by one.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "baselines/sets/simd/simd_intersect.cpp"
#include <hwy/foreach_target.h>  // includes this file once for each other target, and goes on with the last
#include <hwy/highway.h>

#include <algorithm>
#include <utility>

#include "baselines/sets/simd/simd_intersect.hpp"
#include "solvers/gallop.hpp"
#include "solvers/simd_dispatch.hpp"

namespace warpbench::cpu_sets {

/// The tokens of `shorter` in `longer` from its index `at` on, by galloping: how many, and which, as IntersectFunction.
std::size_t search_rest(List shorter, List longer, std::size_t at, Token* common);

}  // namespace warpbench::cpu_sets

HWY_BEFORE_NAMESPACE();
namespace warpbench::cpu_sets::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<Token, kMaxSimdWidth>;
constexpr std::size_t kBlocksOfGroup = 4;

enum class Advance { block, group, gallop };

/// Among groups of `size` tokens of a list, the index of the first from `at` on that ends with `token` or more; or the
/// end of the last whole group.
template <Advance kAdvance>
HWY_INLINE std::size_t skip_groups(const Token* list, std::size_t at, std::size_t end, std::size_t size, Token token) {
  if constexpr (kAdvance != Advance::gallop) {
    while (at < end && list[at + size - 1] < token) at += size;
    return at;
  }
  std::size_t high = at;
  for (std::size_t step = size; high < end && list[high + size - 1] < token; step *= 2) {
    at = high + size;
    high += step;
  }
  for (high = std::min(high, end); at < high;) {
    const std::size_t middle = at + (high - at) / size / 2 * size;
    list[middle + size - 1] < token ? at = middle + size : high = middle;
  }
  return at;
}

/// The block of a group that may hold `token`, by two comparisons.
HWY_INLINE const Token* block_of_group(const Token* group, std::size_t width, Token token) {
  const std::size_t half = group[2 * width - 1] < token ? 2 * width : 0;
  return group + half + (group[half + width - 1] < token ? width : 0);
}

HWY_INLINE bool holds(const Token* block, Token token) {
  const Tag tag;
  return !hn::AllFalse(tag, hn::Eq(hn::LoadU(tag, block), hn::Set(tag, token)));
}

template <Advance kAdvance, bool kWrite>
HWY_NOINLINE std::size_t intersect_by(List shorter, List longer, Token* common) {
  const std::size_t width = hn::Lanes(Tag());
  const std::size_t size = kAdvance == Advance::block ? width : width * kBlocksOfGroup;
  const std::size_t end = longer.size() / size * size;
  std::size_t count = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    const Token token = shorter[i];
    at = skip_groups<kAdvance>(longer.data(), at, end, size, token);
    if (at == end) return count + search_rest(shorter.subspan(i), longer, at, kWrite ? common + count : nullptr);
    const Token* const group = longer.data() + at;
    const bool is_common = holds(kAdvance == Advance::block ? group : block_of_group(group, width, token), token);
    if constexpr (kWrite) {
      if (is_common) common[count] = token;
    }
    count += is_common ? 1 : 0;
  }
  return count;
}

template <bool kWrite>
std::size_t intersect_by_ratio(List shorter, List longer, Token* common) {
  if (longer.size() / kGallopRatio >= shorter.size()) {
    return intersect_by<Advance::gallop, kWrite>(shorter, longer, common);
  }
  if (longer.size() / kGroupRatio >= shorter.size()) {
    return intersect_by<Advance::group, kWrite>(shorter, longer, common);
  }
  return intersect_by<Advance::block, kWrite>(shorter, longer, common);
}

}  // namespace

std::size_t intersect(List a, List b, Token* common) {
  if (a.size() > b.size()) std::swap(a, b);
  return common == nullptr ? intersect_by_ratio<false>(a, b, common) : intersect_by_ratio<true>(a, b, common);
}

}  // namespace warpbench::cpu_sets::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpbench::cpu_sets {
namespace {

HWY_EXPORT(intersect);

std::size_t intersect_scalar(List a, List b, Token* common) {
  return search_rest(a.size() <= b.size() ? a : b, a.size() <= b.size() ? b : a, 0, common);
}

}  // namespace

std::size_t search_rest(List shorter, List longer, std::size_t at, Token* common) {
  std::size_t count = 0;
  for (const Token token : shorter) {
    at = gallop(longer, at, token);
    if (at == longer.size()) break;
    const bool is_common = longer[at] == token;
    if (common != nullptr && is_common) common[count] = token;
    count += is_common ? 1 : 0;
  }
  return count;
}

IntersectFunction intersect_function(Simd simd) {
  return simd == kNoSimd ? intersect_scalar : function_for(simd, HWY_DISPATCH_TABLE(intersect));
}

}  // namespace warpbench::cpu_sets
#endif
