// Differs from the publication in the width of a block, a vector of 8 (AVX2) or 16 (AVX-512) tokens where it has one or
// two of 4, and in the tail that is no whole group, where it merges one by one and this searches.
#include "baselines/sets/simd_intersect.hpp"

#include "problems/gallop.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace warpbench::cpu_sets {
namespace {

/// What was found so far, and where it goes.
struct Found {
  Token* common;
  std::size_t count = 0;

  void add(Token token, bool is_common) {
    if (common != nullptr && is_common) common[count] = token;
    count += is_common ? 1 : 0;
  }
};

/// The tokens of `shorter` in `longer` from its index `at` on.
void search_rest(List shorter, List longer, std::size_t at, Found& found) {
  for (const Token token : shorter) {
    at = gallop(longer, at, token);
    if (at == longer.size()) return;
    found.add(token, longer[at] == token);
  }
}

std::size_t intersect_scalar(List a, List b, Token* common) {
  Found found{common};
  search_rest(a.size() <= b.size() ? a : b, a.size() <= b.size() ? b : a, 0, found);
  return found.count;
}

enum class Advance { block, group, gallop };
constexpr std::size_t kBlocksOfGroup = 4;

Advance advance_for(std::size_t shorter, std::size_t longer) {
  if (longer / kGallopRatio >= shorter) return Advance::gallop;
  return longer / kGroupRatio >= shorter ? Advance::group : Advance::block;
}

/// The groups of a list: the first from `at` on that ends with `token` or more, as an index of the list; or the end of
/// the last whole group.
template <Advance kAdvance, std::size_t kSize>
std::size_t skip_groups(const Token* list, std::size_t at, std::size_t end, Token token) {
  if constexpr (kAdvance != Advance::gallop) {
    while (at < end && list[at + kSize - 1] < token) at += kSize;
    return at;
  }
  std::size_t high = at;
  for (std::size_t step = kSize; high < end && list[high + kSize - 1] < token; step *= 2) {
    at = high + kSize;
    high += step;
  }
  for (high = std::min(high, end); at < high;) {
    const std::size_t middle = at + (high - at) / kSize / 2 * kSize;
    list[middle + kSize - 1] < token ? at = middle + kSize : high = middle;
  }
  return at;
}

/// The block of a group that may hold `token`, by two comparisons.
template <std::size_t kWidth>
const Token* block_of_group(const Token* group, Token token) {
  const std::size_t half = group[2 * kWidth - 1] < token ? 2 * kWidth : 0;
  return group + half + (group[half + kWidth - 1] < token ? kWidth : 0);
}

#if defined(__x86_64__)

#define WARPBENCH_AVX2 __attribute__((target("avx2")))
#define WARPBENCH_AVX512 __attribute__((target("avx512f")))

WARPBENCH_AVX2 inline bool holds8(const Token* block, Token token) {
  const __m256i tokens = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block));
  return _mm256_movemask_epi8(_mm256_cmpeq_epi32(tokens, _mm256_set1_epi32(static_cast<int>(token)))) != 0;
}
WARPBENCH_AVX512 inline bool holds16(const Token* block, Token token) {
  return _mm512_cmpeq_epi32_mask(_mm512_loadu_si512(block), _mm512_set1_epi32(static_cast<int>(token))) != 0;
}

// Twice the same loop: the instruction set is an attribute of a function, which no template parameter can be.

template <Advance kAdvance>
WARPBENCH_AVX2 std::size_t intersect_avx2(List shorter, List longer, Token* common) {
  constexpr std::size_t kSize = kAdvance == Advance::block ? 8 : 8 * kBlocksOfGroup;
  const std::size_t end = longer.size() / kSize * kSize;
  Found found{common};
  std::size_t at = 0;
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    const Token token = shorter[i];
    at = skip_groups<kAdvance, kSize>(longer.data(), at, end, token);
    if (at == end) {
      search_rest(shorter.subspan(i), longer, at, found);
      break;
    }
    const Token* const group = longer.data() + at;
    found.add(token, holds8(kSize == 8 ? group : block_of_group<8>(group, token), token));
  }
  return found.count;
}

template <Advance kAdvance>
WARPBENCH_AVX512 std::size_t intersect_avx512(List shorter, List longer, Token* common) {
  constexpr std::size_t kSize = kAdvance == Advance::block ? 16 : 16 * kBlocksOfGroup;
  const std::size_t end = longer.size() / kSize * kSize;
  Found found{common};
  std::size_t at = 0;
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    const Token token = shorter[i];
    at = skip_groups<kAdvance, kSize>(longer.data(), at, end, token);
    if (at == end) {
      search_rest(shorter.subspan(i), longer, at, found);
      break;
    }
    const Token* const group = longer.data() + at;
    found.add(token, holds16(kSize == 16 ? group : block_of_group<16>(group, token), token));
  }
  return found.count;
}

/// One of three by the ratio of the lengths.
template <IntersectFunction kBlock, IntersectFunction kGroup, IntersectFunction kGallop>
std::size_t intersect_by_ratio(List a, List b, Token* common) {
  if (a.size() > b.size()) std::swap(a, b);
  switch (advance_for(a.size(), b.size())) {
    case Advance::block:
      return kBlock(a, b, common);
    case Advance::group:
      return kGroup(a, b, common);
    case Advance::gallop:
      return kGallop(a, b, common);
  }
  return 0;
}

#endif

}  // namespace

IntersectFunction intersect_function(Simd simd) {
#if defined(__x86_64__)
  if (simd == Simd::avx512) {
    return intersect_by_ratio<intersect_avx512<Advance::block>, intersect_avx512<Advance::group>,
                              intersect_avx512<Advance::gallop>>;
  }
  if (simd == Simd::avx2) {
    return intersect_by_ratio<intersect_avx2<Advance::block>, intersect_avx2<Advance::group>,
                              intersect_avx2<Advance::gallop>>;
  }
#endif
  (void)simd;
  return intersect_scalar;
}

}  // namespace warpbench::cpu_sets
