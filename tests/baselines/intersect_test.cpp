// The ways to count common elements of two lists, all against std::set_intersection: every pair of short lengths,
// every overlap, very different lengths, and ids at both ends of the range.
#include "baselines/common_neighbors/intersect.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <set>
#include <vector>

#include "baselines/common_neighbors/edge_tasks.hpp"
#include "baselines/common_neighbors/intersect_simd.hpp"
#include "baselines/common_neighbors/vertex_index.hpp"
#include "solvers/solver.hpp"
#include "tests/algorithms/support/graphs.hpp"

namespace warpbench::common_neighbors {
namespace {

using Ids = std::vector<std::uint32_t>;

constexpr std::uint64_t kSeed = 41;
constexpr std::uint32_t kLargest = 0xFFFF'FFFEU;

std::uint32_t expected(List a, List b) {
  Ids common;
  std::ranges::set_intersection(a, b, std::back_inserter(common));
  return static_cast<std::uint32_t>(common.size());
}

/// Whether every method counts `a` and `b` right, both ways round. Lists are copied to memory of exactly their size,
/// so that a read beyond the end is seen by AddressSanitizer.
void check(const Ids& a, const Ids& b, const std::string& what) {
  const std::uint32_t right = expected(a, b);
  Meter<false> meter;
  const auto both = [&](const char* method, const auto& count) {
    EXPECT_EQ(count(a, b), right) << method << ": " << what;
    EXPECT_EQ(count(b, a), right) << method << ", lists exchanged: " << what;
  };
  both("merge", [&](const Ids& x, const Ids& y) { return count_merge(x, y, meter); });
  both("pivot skip", [&](const Ids& x, const Ids& y) { return count_pivot_skip(x, y, meter); });
  for (const Simd simd : supported_simd()) {
    const BlockMerge merge = block_merge(simd, false);
    both(to_string(simd).c_str(), [&](const Ids& x, const Ids& y) { return merge(x, y, nullptr); });
  }
}

/// `size` different ids from low to high, ascending.
Ids random_ids(std::size_t size, std::uint32_t low, std::uint32_t high, std::mt19937_64& random) {
  std::set<std::uint32_t> ids;
  std::uniform_int_distribution<std::uint32_t> any(low, high);
  while (ids.size() < size) ids.insert(any(random));
  return {ids.begin(), ids.end()};
}

Ids ascending(std::uint32_t first, std::size_t size, std::uint32_t step = 1) {
  Ids ids(size);
  for (std::size_t i = 0; i < size; ++i) ids[i] = first + static_cast<std::uint32_t>(i) * step;
  return ids;
}

TEST(SimdTest, AutoIsTheBestAndNoneIsScalar) {
  const std::vector<Simd> all = supported_simd();
  if (all.empty()) GTEST_SKIP() << "no vectors here: vectorized merges are not tested";
  EXPECT_EQ(simd_from("auto"), all.front());
  for (const Simd simd : all) EXPECT_GE(simd_width(all.front()), simd_width(simd)) << to_string(simd);
  EXPECT_EQ(simd_from("none"), kNoSimd);
  EXPECT_EQ(simd_width(kNoSimd), 1U);
  EXPECT_EQ(block_merge(kNoSimd, false), nullptr);
}

/// A name is the instruction set that it says, also where the CPU has a better one, or Unsupported.
TEST(SimdTest, NamesAreOneInstructionSet) {
  for (const auto& [name, target, width] : {std::tuple{"avx2", "AVX2", 8U}, std::tuple{"avx512", "AVX3", 16U}}) {
    const auto is_named = [&](Simd simd) { return to_string(simd).starts_with(target); };
    if (std::ranges::none_of(supported_simd(), is_named)) {
      EXPECT_THROW((void)simd_from(name), Unsupported) << name;
    } else {
      EXPECT_TRUE(is_named(simd_from(name))) << name << " is " << to_string(simd_from(name));
      EXPECT_EQ(simd_width(simd_from(name)), width) << name;
    }
  }
}

TEST(Intersect, EveryPairOfLengthsTo70) {
  std::mt19937_64 random(kSeed);
  for (std::size_t size_a = 0; size_a <= 70; ++size_a) {
    for (std::size_t size_b = 0; size_b <= 70; ++size_b) {
      const Ids a = random_ids(size_a, 0, 150, random);
      const Ids b = random_ids(size_b, 0, 150, random);
      check(a, b, "lengths " + std::to_string(size_a) + ", " + std::to_string(size_b) + ", seed 41");
    }
  }
}

TEST(Intersect, EveryShiftOfTwoRuns) {
  for (std::size_t size = 0; size <= 70; size += 5) {
    for (std::uint32_t shift = 0; shift <= 75; ++shift) {
      check(ascending(0, size), ascending(shift, 40),
            "runs of " + std::to_string(size) + " and 40, shift " + std::to_string(shift));
    }
  }
}

TEST(Intersect, OneListInsideTheOtherAndNone) {
  for (std::size_t size = 0; size <= 70; ++size) {
    const std::string what = "size " + std::to_string(size);
    check(ascending(3, size), ascending(3, size), "equal, " + what);
    check(ascending(0, size, 2), ascending(1, size, 2), "interleaved, " + what);
    check(ascending(0, size, 3), ascending(0, 3 * size), "every third, " + what);
    check(ascending(0, size), ascending(1000, size), "one after the other, " + what);
  }
}

TEST(Intersect, EveryPairOfPositionsInABlock) {
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t j = 0; j < 16; ++j) {
      Ids a = ascending(0, 16, 100);
      Ids b = ascending(1, 16, 100);
      // One common element, the i-th of a and the j-th of b: what lies before it is smaller, behind it larger.
      for (std::size_t k = 0; k < 16; ++k) {
        a[k] = 10'000 + static_cast<std::uint32_t>(k) * 2 - static_cast<std::uint32_t>(i) * 2;
        b[k] = 10'000 + static_cast<std::uint32_t>(k) * 2 - static_cast<std::uint32_t>(j) * 2 + (k == j ? 0U : 1U);
      }
      check(a, b, "positions " + std::to_string(i) + ", " + std::to_string(j));
    }
  }
}

TEST(Intersect, SkewedLengths) {
  std::mt19937_64 random(kSeed);
  for (const std::size_t longer : {100U, 1000U, 20'000U}) {
    for (const std::size_t shorter : {0U, 1U, 2U, 7U, 8U, 9U, 15U, 16U, 17U, 40U}) {
      const auto bound = static_cast<std::uint32_t>(longer) * 2;
      check(random_ids(shorter, 0, bound, random), random_ids(longer, 0, bound, random),
            std::to_string(shorter) + " in " + std::to_string(longer));
    }
  }
}

TEST(Intersect, BothEndsOfTheRange) {
  std::mt19937_64 random(kSeed);
  for (std::size_t size = 1; size <= 40; ++size) {
    const Ids top = ascending(kLargest - static_cast<std::uint32_t>(size) + 1, size);
    check(top, top, "largest ids, size " + std::to_string(size));
    check(top, {kLargest}, "the largest id alone, size " + std::to_string(size));
    check(top, {0}, "0 against the largest ids");
    check(top, {0x7fff'ffffU, 0x8000'0000U, kLargest}, "around the sign bit");
    check(random_ids(size, 0, kLargest, random), random_ids(size, 0, kLargest, random), "anywhere");
    Ids spread = random_ids(size, 0x7fff'ff00U, 0x8000'00ffU, random);
    check(spread, random_ids(size, 0x7fff'ff00U, 0x8000'00ffU, random), "across the sign bit");
  }
}

TEST(Intersect, RandomLists) {
  std::mt19937_64 random(kSeed);
  std::uniform_int_distribution<std::size_t> size(0, 300);
  for (int i = 0; i < 2000; ++i) {
    const auto bound = std::uniform_int_distribution<std::uint32_t>(300, 3000)(random);
    const Ids a = random_ids(size(random), 0, bound, random);
    const Ids b = random_ids(size(random), 0, bound, random);
    check(a, b, "case " + std::to_string(i) + ", seed 41");
  }
}

TEST(Gallop, FindsTheFirstNotLess) {
  std::mt19937_64 random(kSeed);
  Meter<false> meter;
  for (std::size_t size = 0; size <= 40; ++size) {
    const Ids ids = random_ids(size, 0, 80, random);
    for (std::size_t begin = 0; begin <= size; ++begin) {
      for (std::uint32_t pivot = 0; pivot <= 82; ++pivot) {
        const auto right =
            std::lower_bound(ids.begin() + static_cast<std::ptrdiff_t>(begin), ids.end(), pivot) - ids.begin();
        ASSERT_EQ(gallop(List(ids), begin, pivot), static_cast<std::size_t>(right))
            << "size " << size << ", from " << begin << ", pivot " << pivot;
      }
    }
  }
}

TEST(Gallop, TakesLogarithmicallyManyProbes) {
  const Ids ids = ascending(0, 1 << 20);
  std::uint64_t probes = 0;
  EXPECT_EQ(gallop(List(ids), 0, std::uint32_t{1'000'000}, [&probes] { ++probes; }), 1'000'000U);
  EXPECT_LE(probes, 42U);
}

TEST(Operations, CountWhatIsDone) {
  Meter<true> meter;
  EXPECT_EQ(count_merge(List(Ids{1, 2, 3}), List(Ids{2, 3, 4}), meter), 2U);
  EXPECT_EQ(meter.operations().merge_steps, 3U);
  for (const Simd simd : supported_simd()) {
    const auto width = static_cast<std::uint32_t>(simd_width(simd));
    std::uint64_t block_pairs = 0;
    EXPECT_EQ(block_merge(simd, true)(ascending(0, 2 * width), ascending(width, 2 * width), &block_pairs), width);
    EXPECT_EQ(block_pairs, 2U) << to_string(simd);
  }
}

TEST(Operations, BlocksThatEndAlikeAreBothLeftBehind) {
  for (const Simd simd : supported_simd()) {
    const auto width = static_cast<std::uint32_t>(simd_width(simd));
    const Ids longer = ascending(0, width * std::size_t{3});
    for (const Ids& shorter : {Ids{0, 1, width - 1}, ascending(0, width)}) {  // a padded block and a full one
      std::uint64_t block_pairs = 0;
      EXPECT_EQ(block_merge(simd, true)(shorter, longer, &block_pairs), shorter.size()) << to_string(simd);
      EXPECT_EQ(block_merge(simd, true)(longer, shorter, &block_pairs), shorter.size()) << to_string(simd);
      EXPECT_EQ(block_pairs, 2U) << to_string(simd) << ", " << shorter.size() << " elements";
    }
  }
}

TEST(VertexIndexTest, CountsAndForgets) {
  std::mt19937_64 random(kSeed);
  for (const std::uint64_t range_size : {0U, 1U, 16U, 64U, 1024U}) {
    VertexIndex index(500, range_size);
    Ids kept;  // an index walks its last list again, so that list must live on
    for (int i = 0; i < 200; ++i) {
      Ids next = random_ids(random() % 100, 0, 499, random);
      index.index(next);
      kept = std::move(next);
      const Ids list = random_ids(random() % 100, 0, 499, random);
      Meter<false> meter;
      const std::uint32_t found =
          range_size == 0 ? index.count<false>(List(list), meter) : index.count<true>(List(list), meter);
      ASSERT_EQ(found, expected(kept, list)) << "range_size " << range_size << ", case " << i << ", seed 41";
    }
  }
}

TEST(VertexIndexTest, AutomaticRangesAreAPowerOfTwoAndFitHalfOfL1) {
  for (const std::uint64_t vertices : {0ULL, 1ULL, 1000ULL, 4'036'538ULL, 124'836'180ULL, 4'294'967'295ULL}) {
    const std::uint64_t range = automatic_range_size(vertices);
    EXPECT_TRUE(std::has_single_bit(range)) << vertices;
    EXPECT_LE(vertices / range / 8, 16U * 1024U) << vertices;
  }
}

TEST(SourceFinderTest, FindsEverySlotInAnyOrder) {
  std::mt19937_64 random(kSeed);
  for (const auto& [name, graph] : warpbench::testing::adversarial_graphs()) {
    if (graph.slots() == 0) continue;
    std::vector<Vertex> owner;
    for (Vertex u = 0; u < graph.vertices(); ++u) owner.insert(owner.end(), graph.row(u).size(), u);
    SourceFinder ascending_finder(graph.offsets.span());
    SourceFinder jumping_finder(graph.offsets.span());
    for (std::size_t slot = 0; slot < owner.size(); ++slot) {
      ASSERT_EQ(ascending_finder(slot), owner[slot]) << name << ", slot " << slot;
      const std::size_t anywhere = random() % owner.size();
      ASSERT_EQ(jumping_finder(anywhere), owner[anywhere]) << name << ", slot " << anywhere;
    }
  }
}

}  // namespace
}  // namespace warpbench::common_neighbors
