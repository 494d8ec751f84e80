// bitmap: its signatures lose no pair, and its answers are right for every signature size, way to find candidates and
// way to verify them, however small the memory for candidates.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/set_similarity_join/bitmap/signature_width.hpp"
#include "algorithms/set_similarity_join/bitmap/signatures.cuh"
#include "algorithms/set_similarity_join/bitmap/strips.hpp"
#include "device/error.hpp"
#include "problems/set_similarity_join/problem.hpp"
#include "solvers/solver.hpp"
#include "tests/problems/support/similar_sets.hpp"
#include "tests/support/memory_limit.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::similarity {
namespace {

using datasets::SetCollection;
using testing::arithmetic;
using testing::similar_sets;
using testing::Tokens;
using Given = std::map<std::string, Value>;
using Input = SetSimilarityJoin::Input;
using Answer = SetSimilarityJoin::Answer;
using Output = SetSimilarityJoin::Output;

constexpr std::uint64_t kSeed = 84;

const SolverEntry<SetSimilarityJoin>& entry_of_bitmap() {
  const auto& all = solvers_of<SetSimilarityJoin>();
  const auto found = std::ranges::find(all, "bitmap", [](const auto& entry) { return entry.info.id; });
  if (found == all.end()) throw std::logic_error("no solver 'bitmap'");
  return *found;
}

std::unique_ptr<Solver<SetSimilarityJoin>> bitmap(const Given& given) {
  const SolverInfo& info = entry_of_bitmap().info;
  const Parameters parameters(info.parameters, given);
  info.validate(parameters);
  return entry_of_bitmap().make(parameters);
}

/// Ways to find candidates and to verify them.
const std::vector<Given>& ways() {
  static const std::vector<Given> all = [] {
    std::vector<Given> given;
    for (const char* verification : {"a", "b", "c"}) {
      given.push_back({{"candidates", "matrix"}, {"verification", verification}});
      given.push_back({{"candidates", "tiled"}, {"verification", verification}});
    }
    given.push_back({{"candidates", "tiled"}, {"verification", "warp"}});
    return given;
  }();
  return all;
}

Given with(Given given, const std::string& name, const Value& value) {
  given[name] = value;
  return given;
}

Input input_of(const SetCollection& sets, double threshold, Measure measure = Measure::jaccard) {
  Input input;
  input.sets = &sets;
  input.measure = measure;
  input.threshold = fraction_of(threshold);
  return input;
}

std::string text_of(const Given& given) {
  std::string text;
  for (const auto& [name, value] : given) text += name + "=" + to_string(value) + " ";
  return text;
}

/// Solves on one upload, and gives the counters, which are the same every time.
std::map<std::string, double> expect_right(const Input& input, const Given& given, int solves = 1) {
  SCOPED_TRACE(text_of(given));
  const auto reference = SetSimilarityJoin::reference(input);
  const auto solver = bitmap(given);
  Phases phases;
  solver->prepare(input, phases);
  solver->upload(phases);
  std::map<std::string, double> counters;
  for (int round = 0; round < solves; ++round) {
    Answer answer;
    solver->solve(phases);
    solver->download(answer, phases);
    const Judgement judgement = SetSimilarityJoin::judge(input, answer, reference);
    EXPECT_EQ(judgement.verdict, Verdict::exact) << judgement.difference;
    if (round > 0) {
      EXPECT_EQ(solver->counters(), counters);
    }
    counters = solver->counters();
  }
  return counters;
}

/// The signatures of the sets in their order, each with its words in a row.
std::vector<std::vector<std::uint32_t>> signatures_of(const OrderedSets& sets, int words) {
  Stream stream;
  DeviceSets on_device;
  on_device.prepare(sets, stream);
  on_device.upload(stream);
  Buffer<std::uint32_t> made(words * sets.count(), stream);
  make_signatures(on_device.view(), {made.view(), sets.count(), words}, stream);
  const std::vector<std::uint32_t> all = made.to_vector(stream);
  std::vector<std::vector<std::uint32_t>> of_sets(static_cast<std::size_t>(sets.count()));
  for (std::size_t i = 0; i < all.size(); ++i) of_sets[i % of_sets.size()].push_back(all[i]);
  return of_sets;
}

TEST(SimilarityBitmap, SignaturesDifferInNoMoreBitsThanTheirSetsInTokens) {
  const SetCollection collection = similar_sets(kSeed, {.count = 40, .size = 150, .universe = 400});
  const OrderedSets sets = ordered(input_of(collection, 0.5));
  const auto words_of = [](std::uint32_t bits) { return static_cast<int>(bits / 32); };
  for (const std::uint32_t bits : {32U, 128U, 1024U}) {
    const auto signatures = signatures_of(sets, words_of(bits));
    std::size_t unequal = 0;
    for (std::size_t i = 0; i < signatures.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        Tokens different;
        std::ranges::set_symmetric_difference(sets.sets.set(static_cast<std::int64_t>(i)),
                                              sets.sets.set(static_cast<std::int64_t>(j)),
                                              std::back_inserter(different));
        std::size_t bits_that_differ = 0;
        for (std::size_t k = 0; k < signatures[i].size(); ++k) {
          bits_that_differ += static_cast<std::size_t>(std::popcount(signatures[i][k] ^ signatures[j][k]));
        }
        ASSERT_LE(bits_that_differ, different.size()) << bits << " bits, seed " << kSeed;
        // All 400 tokens have bits of their own.
        if (bits == 1024) {
          ASSERT_EQ(bits_that_differ, different.size());
        }
        unequal += bits_that_differ > 0 ? 1 : 0;
      }
    }
    EXPECT_GT(unequal, signatures.size());
  }
}

TEST(SimilarityBitmap, StripsAreEachPairOnceAndFit) {
  const auto all = [](const SetRange& /*probes*/) { return SetRange{0, 1000}; };
  const auto before = [](const SetRange& probes) { return SetRange{probes.begin / 2, probes.end}; };
  const SetRange probes{0, 1000};
  for (const std::int64_t capacity : {kStripUnit, 10 * kStripUnit + 1, std::int64_t{200'000}, std::int64_t{1} << 20}) {
    for (const std::function<SetRange(const SetRange&)>& sets_of : {std::function(all), std::function(before)}) {
      std::vector<int> met(1000 * 1000);
      const std::vector<Strip> strips = strips_of(probes, capacity, sets_of);
      for (const Strip& strip : strips) {
        EXPECT_LE(strip.pairs(), capacity);
        for (std::int64_t probe = strip.probes.begin; probe < strip.probes.end; ++probe) {
          for (std::int64_t set = strip.sets.begin; set < strip.sets.end; ++set) {
            ++met[static_cast<std::size_t>(1000 * probe + set)];
          }
        }
      }
      EXPECT_EQ(std::ranges::max(met), 1);
      for (std::int64_t probe = 0; probe < 1000; ++probe) {
        const SetRange own = sets_of({probe, probe + 1});
        const auto row = met.begin() + 1000 * probe;
        EXPECT_EQ(std::count(row + own.begin, row + own.end, 1), own.count());
      }
      EXPECT_EQ(strips.size() == 1, capacity == std::int64_t{1} << 20);
    }
  }
}

TEST(SimilarityBitmap, StripsLeaveOutSetsOfOtherSizes) {
  std::vector<Tokens> runs;
  for (std::size_t size = 1; size <= 100; ++size) runs.push_back(arithmetic(0, 1, size));
  const SetCollection collection = testing::sets_of(runs);
  const Input input = input_of(collection, 0.8);
  const OrderedSets sets = ordered(input);
  const auto similar = [&](const BlockPair& pair, const SetRange& probes) {
    return similar_by_size(pair, probes, sets, bounds_of(input));
  };
  // Set i has i + 1 tokens: those of 60 are similar to those of 48 at least.
  EXPECT_EQ(similar({{0, 100}, {0, 100}}, {59, 70}), (SetRange{47, 70}));
  EXPECT_EQ(similar({{10, 55}, {55, 100}}, {59, 70}), (SetRange{47, 55}));
  EXPECT_EQ(similar({{10, 40}, {55, 100}}, {59, 70}).count(), 0);
  EXPECT_EQ(similar({{0, 100}, {0, 100}}, {0, 3}), (SetRange{0, 3}));
}

TEST(SimilarityBitmap, AnswersWithEverySignatureSize) {
  const SetCollection sets = similar_sets(kSeed + 1, {.count = 45, .size = 60, .universe = 300});
  for (std::int64_t bits = 32; bits <= 4096; bits *= 2) {
    for (const char* candidates : {"tiled", "matrix"}) {
      expect_right(input_of(sets, 0.6), {{"candidates", candidates}, {"signature_bits", bits}, {"block_size", 25}});
      if (bits > 32 && bits < 4096 && !testing::is_thorough()) break;  // a matrix knows no special sizes
    }
  }
}

/// The pairs of sets that the length filter leaves.
std::int64_t similar_sizes(const Input& input) {
  const OrderedSets sets = ordered(input);
  const Bounds bounds = bounds_of(input);
  std::int64_t pairs = 0;
  for (std::int64_t j = 0; j < sets.count(); ++j) {
    for (std::int64_t i = 0; i < j; ++i) {
      pairs += sets.sets.size(i) >= bounds.min_size(static_cast<std::uint32_t>(sets.sets.size(j))) ? 1 : 0;
    }
  }
  return pairs;
}

TEST(SimilarityBitmap, AnswersInEveryWay) {
  const SetCollection sets = similar_sets(kSeed + 2, {.count = 140, .size = 25, .universe = 120});
  const auto least = static_cast<double>(similar_sizes(input_of(sets, 0.7)));
  for (const int block_size : {75, 15'000}) {
    for (const Given& way : ways()) {
      const bool is_matrix = way.at("candidates") == Value("matrix");
      if (is_matrix != (block_size == 75) && !testing::is_thorough()) continue;
      const auto counters = expect_right(input_of(sets, 0.7), with(way, "block_size", block_size));
      EXPECT_GT(counters.at("candidates"), 0) << text_of(way);
      EXPECT_EQ(counters.at("bytes_cleared") > 0, is_matrix) << text_of(way);
      if (is_matrix) {
        EXPECT_EQ(counters.at("pairs_compared"), least) << text_of(way);
      } else {
        EXPECT_GE(counters.at("pairs_compared"), least) << text_of(way);
      }
    }
  }
}

TEST(SimilarityBitmap, KnowsEveryMeasureAndThreshold) {
  const std::uint64_t rounds = testing::usual_or_thorough(1, 30);
  for (std::uint64_t seed = kSeed; seed < kSeed + rounds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const SetCollection sets = similar_sets(seed);
    std::size_t turn = seed;
    for (const double threshold : testing::kThresholds) {
      const std::string& measure = testing::kMeasures[turn % testing::kMeasures.size()];
      SCOPED_TRACE(measure + " " + std::to_string(threshold));
      expect_right(input_of(sets, threshold, testing::measure_of(measure)), ways()[turn++ % ways().size()]);
    }
  }
}

TEST(SimilarityBitmap, VerifiesFalseCandidates) {
  // 32 bits say nothing about sets of 600 tokens, so that all pairs are candidates: 66, of which 12 are similar.
  std::vector<Tokens> all;
  for (datasets::Token group = 0; group < 4; ++group) {
    for (datasets::Token i = 0; i < 3; ++i) all.push_back(arithmetic(400 * group + 2 * i, 1, 600));
  }
  const SetCollection sets = testing::sets_of(all);
  const Input input = input_of(sets, 0.9);
  for (const Given& way : ways()) {
    EXPECT_EQ(expect_right(input, with(way, "signature_bits", 32)).at("candidates"), 66);
    if (testing::is_thorough()) expect_right(input, with(way, "signature_bits", 4096));
  }
  EXPECT_EQ(expect_right(input, {{"signature_bits", 4096}}).at("candidates"), 12);
}

TEST(SimilarityBitmap, WorksInPartsWhereMemoryIsSmall) {
  const SetCollection sets = similar_sets(kSeed + 3, {.count = 400, .size = 8, .universe = 60});
  const Input input = input_of(sets, 0.5);
  for (const char* verification : {"b", "warp"}) {
    const testing::MemoryLimit limit(350'000);
    const auto counters =
        expect_right(input, {{"candidates", "tiled"}, {"verification", verification}, {"signature_bits", 32}});
    EXPECT_GT(counters.at("parts"), 3);
  }
  const testing::MemoryLimit limit(350'000);
  EXPECT_THROW(expect_right(input, {}), OutOfDeviceMemory);
}

TEST(SimilarityBitmap, GivesPairsAndJoinsTwoCollections) {
  const SetCollection sets = similar_sets(kSeed + 4, {.count = 45, .size = 30, .universe = 100});
  for (std::size_t i = 0; i < ways().size(); ++i) {
    const Given way = with(ways()[i], "block_size", 25);
    for (const std::int64_t left : {0, 20}) {
      if ((left > 0) != (i / 2 % 2 == 1) && !testing::is_thorough()) continue;
      Input input = input_of(sets, 0.4);
      input.left = left;
      const auto counters = expect_right(input, way);
      input.output = Output::pairs;
      // The pairs find no room the first time, and blocks are joined twice, but counted once.
      EXPECT_EQ(expect_right(input, way, 2), counters);
    }
  }
}

TEST(SimilarityBitmap, KnowsCollectionsWithoutPairs) {
  for (const SetCollection& sets : {testing::sets_of({}), testing::sets_of({{}, {}}), testing::sets_of({{}, {3, 5}})}) {
    for (const Given& way : ways()) expect_right(input_of(sets, 0.5), way);
  }
}

TEST(SimilarityBitmap, RefusesWarpsForAMatrix) {
  EXPECT_THROW(bitmap({{"verification", "warp"}}), ParameterError);
}

// ---- the width of a signature ----

/// Sets of `size` random tokens of a universe of 40 times as many.
SetCollection sets_of_size(std::size_t size) {
  std::mt19937_64 random(kSeed);
  std::vector<Tokens> all(200);
  for (Tokens& tokens : all) {
    std::set<datasets::Token> drawn;
    while (drawn.size() < size) drawn.insert(static_cast<datasets::Token>(random() % (40 * size)));
    tokens.assign(drawn.begin(), drawn.end());
  }
  return testing::sets_of(all);
}

std::int64_t cheapest_bits(const SetCollection& sets, Threshold threshold) {
  Input input;
  input.sets = &sets;
  input.threshold = threshold;
  return cheapest_signature_bits(ordered(input, 1), bounds_of(input));
}

TEST(SimilarityBitmap, MakesSignaturesWideEnoughForTheSets) {
  EXPECT_EQ(cheapest_bits(sets_of_size(6), {9, 10}), 32);
  EXPECT_EQ(cheapest_bits(sets_of_size(90), {9, 10}), 64);
  EXPECT_EQ(cheapest_bits(sets_of_size(90), {1, 2}), 256);
  EXPECT_EQ(cheapest_bits(sets_of_size(600), {1, 2}), 1024);
  EXPECT_EQ(cheapest_bits(testing::sets_of({}), {1, 2}), 128);
  EXPECT_EQ(cheapest_bits(testing::sets_of({{1, 2}}), {1, 2}), 128);
  EXPECT_EQ(cheapest_bits(testing::sets_of({arithmetic(0, 1, 3), arithmetic(0, 1, 300)}), {1, 2}), 128) << "no pair";
}

TEST(SimilarityBitmap, SaysHowWideSignaturesAre) {
  const SetCollection sets = sets_of_size(90);
  Input input;
  input.sets = &sets;
  input.threshold = {1, 2};
  for (const auto& [given, bits] : {std::pair{Value("auto"), 256}, std::pair{Value(std::int64_t{64}), 64}}) {
    const auto solver = bitmap({{"signature_bits", given}});
    Phases phases;
    Answer answer;
    solver->prepare(input, phases);
    solver->solve_with_transfers(answer, phases);
    EXPECT_EQ(solver->counters().at("signature_bits"), bits);
  }
}

}  // namespace
}  // namespace warpbench::similarity
