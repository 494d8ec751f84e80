// Verification of candidates on the device: every alternative finds just the similar pairs, also of sets beyond a
// block's shared memory, and brings them out in every way.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "algorithms/set_similarity_join/verification/verification.hpp"
#include "device/buffer.hpp"
#include "tests/problems/support/sets.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::similarity {
namespace {

using testing::Tokens;

constexpr std::uint64_t kVerificationSeed = 20224;

/// Of ascending sizes: many small sets that share most tokens, and some above what a block keeps at a time.
std::vector<Tokens> sets_to_verify(std::mt19937_64& random) {
  std::vector<Tokens> all;
  for (int i = 0; i < 20; ++i) {
    Tokens set;
    for (datasets::Token token = 0; token < 50; ++token) {
      if (random() % 50 < static_cast<std::uint64_t>(20 + i)) set.push_back(token);
    }
    if (set.empty()) set.push_back(7);
    all.push_back(std::move(set));
  }
  for (const std::size_t size : {700, 720, 1700, 1720, 4000, 4001}) {
    Tokens set = testing::arithmetic(0, 1, size + size / 8);
    while (set.size() > size) set.erase(set.begin() + static_cast<std::ptrdiff_t>(random() % set.size()));
    all.push_back(std::move(set));
  }
  all.push_back(testing::arithmetic(10'000, 1, 4001));
  std::ranges::sort(all, {}, &Tokens::size);
  return all;
}

OrderedSets ordered_sets(const std::vector<Tokens>& all) {
  OrderedSets ordered;
  ordered.sets = testing::sets_of(all);
  ordered.originals.resize(all.size());
  std::iota(ordered.originals.rbegin(), ordered.originals.rend(), 100U);
  return ordered;
}

/// Each probing set with random candidates, some with none, and those of ours that are expected to be similar.
struct Candidates {
  std::vector<ProbeEntry> probes;
  std::vector<std::uint32_t> sets;
  std::vector<std::uint8_t> flags;
  std::vector<Pair> pairs;
};

Candidates candidates_of(const OrderedSets& sets, const Bounds& bounds, std::mt19937_64& random) {
  Candidates all;
  const auto count = static_cast<std::uint32_t>(sets.count());
  for (std::uint32_t probe = 0; probe < count; ++probe) {
    const std::uint64_t chance = random() % 3;
    for (std::uint32_t set = 0; set < count; ++set) {
      if (set == probe || random() % 3 >= chance) continue;
      all.sets.push_back(set);
      const auto a = sets.sets.set(probe);
      const auto b = sets.sets.set(set);
      Tokens common;
      std::ranges::set_intersection(a, b, std::back_inserter(common));
      const auto overlap = static_cast<std::uint32_t>(common.size());
      const auto size_a = static_cast<std::uint32_t>(a.size());
      const auto size_b = static_cast<std::uint32_t>(b.size());
      all.flags.push_back(bounds.similar(overlap, size_a, size_b) ? 1 : 0);
      if (all.flags.back() == 0) continue;
      const auto [first, second] = std::minmax(sets.originals[probe], sets.originals[set]);
      all.pairs.push_back({first, second, value_of(bounds.measure, overlap, size_a, size_b)});
    }
    all.probes.push_back({probe, static_cast<std::uint32_t>(all.sets.size())});
  }
  return all;
}

auto in_order(std::vector<Pair> pairs) {
  std::ranges::sort(pairs, {}, [](const Pair& pair) { return std::tuple(pair.a, pair.b); });
  return pairs;
}

struct How {
  Alternative alternative;
  int threads;
};

class Verifications : public ::testing::TestWithParam<How> {
 protected:
  void SetUp() override {
    std::mt19937_64 random(kVerificationSeed);
    sets_ = ordered_sets(sets_to_verify(random));
    on_device_.prepare(sets_, stream_);
    on_device_.upload(stream_);
  }

  template <typename Body>
  void for_each_measure(const Body& body) {
    std::mt19937_64 random(kVerificationSeed + 1);
    for (const Bounds& bounds : {Bounds{Measure::jaccard, {3, 5}}, Bounds{Measure::jaccard, {1, 20}},
                                 Bounds{Measure::cosine, {7, 10}}, Bounds{Measure::dice, {9, 10}}}) {
      SCOPED_TRACE("measure " + std::to_string(static_cast<int>(bounds.measure)) + ", threshold " +
                   std::to_string(bounds.threshold.numerator) + '/' + std::to_string(bounds.threshold.denominator));
      const Candidates all = candidates_of(sets_, bounds, random);
      const Buffer<std::uint32_t> of_sets(all.sets, stream_);
      const Buffer<ProbeEntry> of_probes(all.probes, stream_);
      const auto max_size = static_cast<std::uint32_t>(sets_.sets.max_size());
      body(Verification{GetParam().alternative, GetParam().threads, bounds, max_size}, all,
           CandidatesView{of_sets.view(), of_probes.view()});
    }
  }

  Stream stream_;
  OrderedSets sets_;
  DeviceSets on_device_;
};

TEST_P(Verifications, CountSimilarPairs) {
  for_each_measure([&](const Verification& how, const Candidates& all, const CandidatesView& candidates) {
    Buffer<std::uint64_t> counts(verification_blocks(how, candidates.probes.size()), stream_);
    Buffer<std::uint64_t> total(1, stream_);
    count_similar(how, on_device_.view(), candidates, counts.view(), total.view(), stream_);
    EXPECT_EQ(total.to_vector(stream_).front(), all.pairs.size());
  });
}

TEST_P(Verifications, FlagSimilarPairs) {
  for_each_measure([&](const Verification& how, const Candidates& all, const CandidatesView& candidates) {
    Buffer<std::uint8_t> flags(candidates.sets.size(), stream_);
    flag_similar(how, on_device_.view(), candidates, flags.view(), stream_);
    EXPECT_EQ(flags.to_vector(stream_), all.flags);
  });
}

TEST_P(Verifications, TakeSimilarPairsWithTheirSimilarity) {
  for_each_measure([&](const Verification& how, const Candidates& all, const CandidatesView& candidates) {
    std::uint64_t digest = 0;
    for (const Pair& pair : all.pairs) digest += digest_of_pair(pair.a, pair.b);
    for (const auto output :
         {SetSimilarityJoin::Output::count, SetSimilarityJoin::Output::digest, SetSimilarityJoin::Output::pairs}) {
      Buffer<Total> totals(3, stream_);
      totals.fill(0, stream_);
      Buffer<Pair> pairs(static_cast<std::int64_t>(all.pairs.size()), stream_);
      take_similar(how, on_device_.view(), candidates, {output, how.bounds.measure, totals.view(), pairs.view()},
                   stream_);
      const std::vector<Total> found = totals.to_vector(stream_);
      EXPECT_EQ(found[0], all.pairs.size());
      EXPECT_EQ(found[1], output == SetSimilarityJoin::Output::count ? 0 : digest);
      if (output != SetSimilarityJoin::Output::pairs) continue;
      EXPECT_EQ(in_order(pairs.to_vector(stream_)), in_order(all.pairs));
    }
  });
}

std::vector<How> ways() {
  std::vector<How> all;
  for (const Alternative alternative : {Alternative::a, Alternative::b, Alternative::c}) {
    for (const int threads : {32, testing::is_thorough() ? 1024 : 128}) all.push_back({alternative, threads});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(SimilarityJoin, Verifications, ::testing::ValuesIn(ways()), [](const auto& how) {
  return std::string(1, "ABC"[static_cast<int>(how.param.alternative)]) + "by" + std::to_string(how.param.threads);
});

/// No candidates at all.
TEST(SimilarityJoinVerification, TakesNoCandidates) {
  Stream stream;
  const OrderedSets sets = ordered_sets({{1, 2}, {1, 2}});
  DeviceSets on_device;
  on_device.prepare(sets, stream);
  on_device.upload(stream);
  Buffer<std::uint64_t> total(1, stream);
  count_similar({.bounds = {Measure::jaccard, {1, 2}}, .max_size = 2}, on_device.view(), {}, {}, total.view(), stream);
  EXPECT_EQ(total.to_vector(stream).front(), 0U);
}

}  // namespace
}  // namespace warpbench::similarity
