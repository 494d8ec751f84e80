// The techniques that join blocks of sets on a GPU, beyond conformance: blocks of any size, lists of many tiles, pairs
// that outgrow their room, and memory that is short.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "algorithms/set_similarity_join/engine/techniques.hpp"
#include "device/device.hpp"
#include "device/error.hpp"
#include "tests/problems/support/similar_sets.hpp"
#include "tests/support/memory_limit.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::similarity {
namespace {

using Given = std::map<std::string, Value>;
using Input = SetSimilarityJoin::Input;
using Answer = SetSimilarityJoin::Answer;
using Output = SetSimilarityJoin::Output;

constexpr std::uint64_t kSeed = 50'221;

struct Method {
  std::string id;
  Given given;

  [[nodiscard]] std::string name() const {
    std::string text = id;
    for (const auto& [name, value] : given) text += ", " + name + " " + to_string(value);
    return text;
  }
  [[nodiscard]] std::unique_ptr<Solver<SetSimilarityJoin>> make() const {
    for (const auto& entry : solvers_of<SetSimilarityJoin>()) {
      if (entry.info.id == id) return entry.make(Parameters(entry.info.parameters, given));
    }
    throw std::logic_error("no solver '" + id + "'");
  }
};

/// With small grids, which cost less on simt.
std::vector<Method> methods() {
  const Given shape{{"blocks", 2}, {"threads_per_block", 64}};
  Given compact = shape;
  compact["candidates"] = "compact";
  return {{"gssjoin", shape}, {"fgssjoin", shape}, {"fgssjoin", compact}, {"sf-gssjoin", shape}};
}
std::vector<Method> methods_by_blocks(std::int64_t block_size) {
  std::vector<Method> all = methods();
  all.erase(all.begin());
  for (Method& method : all) method.given["block_size"] = block_size;
  return all;
}

Input input_of(const datasets::SetCollection& sets, Threshold threshold, Output output = Output::digest) {
  Input input;
  input.sets = &sets;
  input.threshold = threshold;
  input.output = output;
  return input;
}

/// Solves twice, the second time after what the first left was overwritten. Counters are the same, even if the first
/// had to make room for pairs.
void expect_exact(Solver<SetSimilarityJoin>& solver, const Input& input,
                  const SetSimilarityJoin::Reference& reference) {
  Phases phases;
  Answer answer;
  std::map<std::string, double> counters;
  solver.prepare(input, phases);
  for (int run = 0; run < 2; ++run) {
    {
      const DownloadWatch watch;
      solver.solve_with_transfers(answer, phases);
    }
    const Judgement judgement = SetSimilarityJoin::judge(input, answer, reference);
    EXPECT_EQ(judgement.verdict, Verdict::exact) << judgement.difference;
    if (run > 0) {
      EXPECT_EQ(solver.counters(), counters);
    }
    counters = solver.counters();
    poison_downloaded();
    answer.poison();
  }
}

TEST(SimilarityBlocks, HaveAnySize) {
  for (std::uint64_t seed = kSeed; seed < kSeed + testing::usual_or_thorough(1, 20); ++seed) {
    const datasets::SetCollection sets = testing::similar_sets(seed, {50, 15, 80});
    for (const Threshold threshold : {Threshold{1, 3}, Threshold{4, 5}}) {
      const Input input = input_of(sets, threshold);
      const auto reference = SetSimilarityJoin::reference(input);
      EXPECT_GT(reference.count, 0);
      expect_exact(*methods().front().make(), input, reference);
      for (const std::int64_t block_size : {7, 16, 49, 15'000}) {
        for (const Method& method : methods_by_blocks(block_size)) {
          SCOPED_TRACE(method.name() + ", seed " + std::to_string(seed));
          expect_exact(*method.make(), input, reference);
        }
      }
    }
  }
}

/// Prefixes of either side are as short as they can be.
TEST(SimilarityBlocks, LoseNoPairAtAnyThreshold) {
  const datasets::SetCollection sets = testing::similar_sets(kSeed + 100, {24, 12, 40});
  std::size_t turn = 0;
  for (const std::string& measure : testing::kMeasures) {
    for (const double threshold : testing::kThresholds) {
      Input input = input_of(sets, fraction_of(threshold));
      input.measure = testing::measure_of(measure);
      input.left = turn % 2 == 0 ? 0 : 9;
      const auto reference = SetSimilarityJoin::reference(input);
      const std::vector<Method> all = methods_by_blocks(turn % 3 == 0 ? 24 : 10);
      const Method& method = all[turn++ % all.size()];
      SCOPED_TRACE(method.name() + ", " + measure + " " + std::to_string(threshold));
      expect_exact(*method.make(), input, reference);
    }
  }
}

/// Lists of several tiles in rows and in columns, and sets with all tokens of others.
TEST(SimilarityBlocks, JoinLongLists) {
  const datasets::SetCollection sets = testing::similar_sets(kSeed + 200, {330, 8, 14, 0.3});
  for (const Threshold threshold : {Threshold{1, 2}, Threshold{9, 10}}) {
    const Input input = input_of(sets, threshold);
    const auto reference = SetSimilarityJoin::reference(input);
    for (const Method& method : methods_by_blocks(15'000)) {
      SCOPED_TRACE(method.name());
      expect_exact(*method.make(), input, reference);
    }
  }
}

/// Pairs that share a token of their prefixes.
double pairs_with_a_common_prefix_token(const Input& input) {
  const OrderedSets sets = ordered(input, 1);
  const Bounds bounds = bounds_of(input);
  double pairs = 0;
  for (std::int64_t j = 0; j < sets.count(); ++j) {
    const auto of_j = sets.sets.set(j).first(bounds.probe_prefix(static_cast<std::uint32_t>(sets.sets.size(j))));
    for (std::int64_t i = 0; i < j; ++i) {
      const auto of_i = sets.sets.set(i).first(bounds.index_prefix(static_cast<std::uint32_t>(sets.sets.size(i))));
      pairs += std::ranges::find_first_of(of_i, of_j) != of_i.end() ? 1 : 0;
    }
  }
  return pairs;
}

/// Each once, wherever the warps of a block find them.
TEST(SimilarityBlocks, CountEachCandidateOnce) {
  const datasets::SetCollection sets = testing::similar_sets(kSeed + 250, {700, 12, 40, 0.3});
  for (const Threshold threshold : {Threshold{1, 2}, Threshold{9, 10}}) {
    const Input input = input_of(sets, threshold);
    for (const std::int64_t blocks : {1, 3}) {
      const Method method{"fgssjoin", {{"blocks", blocks}, {"threads_per_block", std::int64_t{64}}}};
      const auto solver = method.make();
      Phases phases;
      Answer answer;
      solver->prepare(input, phases);
      solver->solve_with_transfers(answer, phases);
      EXPECT_EQ(solver->counters().at("candidates"), pairs_with_a_common_prefix_token(input)) << method.name();
    }
  }
}

/// Sets of 100 random tokens of 3,000: in 128 bits two of them differ no more than sets that are similar at 1/3 may.
/// Every fourth one is its predecessor with 20 other tokens.
TEST(SimilarityBlocks, TellLongSetsApartByTheirWideSignatures) {
  std::mt19937_64 random(kSeed);
  std::vector<testing::Tokens> all;
  for (int i = 0; i < 120; ++i) {
    std::set<datasets::Token> tokens;
    if (i % 4 == 3) tokens.insert(all.back().begin() + 20, all.back().end());
    while (tokens.size() < 100) tokens.insert(static_cast<datasets::Token>(random() % 3000));
    all.emplace_back(tokens.begin(), tokens.end());
  }
  const datasets::SetCollection sets = testing::sets_of(all);
  const Input input = input_of(sets, {1, 3});
  Given given = methods()[2].given;
  const auto solver = Method{"fgssjoin", given}.make();
  const auto reference = SetSimilarityJoin::reference(input);
  EXPECT_EQ(reference.count, 30);
  expect_exact(*solver, input, reference);
  EXPECT_GT(solver->counters().at("matches"), 5000);
  EXPECT_LT(solver->counters().at("candidates"), 30 * 50) << "the matches of similar sets are left";
}

/// 96 equal sets, and 20 others. Of blocks of 50 the first pairs find room, and later ones find none.
TEST(SimilarityBlocks, MakeRoomForPairs) {
  std::vector<testing::Tokens> all(96, testing::arithmetic(3, 5, 6));
  for (datasets::Token i = 0; i < 20; ++i) all.push_back(testing::arithmetic(i, 2, 7));
  const datasets::SetCollection sets = testing::sets_of(all);
  const Input input = input_of(sets, {4, 5}, Output::pairs);
  const auto reference = SetSimilarityJoin::reference(input);
  EXPECT_GE(reference.count, 96 * 95 / 2);
  for (const std::int64_t block_size : {50, 15'000}) {
    for (const Method& method : methods_by_blocks(block_size)) {
      SCOPED_TRACE(method.name());
      expect_exact(*method.make(), input, reference);
    }
  }
  expect_exact(*methods().front().make(), input, reference);
}

TEST(SimilarityBlocks, SkipPairsOfBlocksByLength) {
  std::vector<testing::Tokens> all;
  for (std::size_t size = 1; size <= 60; ++size) all.push_back(testing::arithmetic(0, 1, size));
  const datasets::SetCollection sets = testing::sets_of(all);
  const Input input = input_of(sets, {9, 10});
  const auto reference = SetSimilarityJoin::reference(input);
  for (const Method& method : methods_by_blocks(10)) {
    SCOPED_TRACE(method.name());
    const auto solver = method.make();
    expect_exact(*solver, input, reference);
    // Of 6 blocks a set of 11 to 20 tokens is not similar to one of up to 9, and so on: neighbours remain.
    EXPECT_EQ(solver->counters().at("block_pairs"), 11);
    EXPECT_EQ(solver->counters().at("skipped_block_pairs"), 10);
  }
}

/// The matrix of counts is quadratic in the size of blocks; matches of lists need no matrix.
TEST(SimilarityBlocks, SayThatMemoryIsShort) {
  const datasets::SetCollection sets = testing::similar_sets(kSeed + 300, {600, 10, 200});
  const Input input = input_of(sets, {4, 5});
  const auto reference = SetSimilarityJoin::reference(input);
  for (const Method& method : methods_by_blocks(15'000)) {
    SCOPED_TRACE(method.name());
    const testing::MemoryLimit limit(memory_in_use() + 400'000);
    const auto solver = method.make();
    Phases phases;
    if (method.given.contains("candidates")) {
      expect_exact(*solver, input, reference);
    } else {
      EXPECT_THROW(solver->prepare(input, phases), OutOfDeviceMemory);
    }
  }
  for (const Method& method : methods_by_blocks(100)) {
    SCOPED_TRACE(method.name());
    const testing::MemoryLimit limit(memory_in_use() + 400'000);
    expect_exact(*method.make(), input, reference);
  }
}

TEST(SimilarityBlocks, HaveNothingToDoWithoutSets) {
  for (const std::vector<testing::Tokens>& all :
       {std::vector<testing::Tokens>{}, std::vector<testing::Tokens>{{}, {}}, std::vector<testing::Tokens>{{}, {7}}}) {
    const datasets::SetCollection sets = testing::sets_of(all);
    const Input input = input_of(sets, {1, 2}, Output::pairs);
    const auto reference = SetSimilarityJoin::reference(input);
    for (const Method& method : methods()) {
      SCOPED_TRACE(method.name() + ", " + std::to_string(all.size()) + " sets");
      expect_exact(*method.make(), input, reference);
    }
  }
}

/// As a driver of its own may cut them.
TEST(SimilarityTechniques, TakeBlocksWhereverTheyBegin) {
  const datasets::SetCollection collection = testing::similar_sets(kSeed + 400, {50, 15, 60});
  const Input input = input_of(collection, {1, 2}, Output::pairs);
  const auto reference = SetSimilarityJoin::reference(input);
  const OrderedSets sets = ordered(input, 1);
  const std::int64_t last = sets.count() - 20;
  const std::vector<SetRange> blocks{{0, 3}, {3, 21}, {21, last}, {last, sets.count()}};
  for (const Method& method : methods_by_blocks(20)) {
    SCOPED_TRACE(method.name());
    Stream stream;
    Phases phases;
    DeviceSets device_sets;
    device_sets.prepare(sets, stream);
    device_sets.upload(stream);
    DevicePairSink sink;
    sink.prepare(input.output, input.measure, stream);
    sink.reset(stream);
    const auto technique = make_technique(method.id, method.given);
    technique->prepare(sets, bounds_of(input), 20, stream);
    technique->begin(device_sets.view(), stream, phases);
    for (std::size_t larger = 0; larger < blocks.size(); ++larger) {
      for (std::size_t smaller = 0; smaller <= larger; ++smaller) {
        const BlockPair pair{blocks[smaller], blocks[larger]};
        sink.take([&](const PairSinkView& view) { technique->join(pair, device_sets.view(), view, stream, phases); },
                  stream);
      }
    }
    Answer answer;
    sink.download(answer, stream);
    const Judgement judgement = SetSimilarityJoin::judge(input, answer, reference);
    EXPECT_EQ(judgement.verdict, Verdict::exact) << judgement.difference;
  }
}

TEST(SimilarityTechniques, AreMadeByName) {
  EXPECT_NE(make_technique("sf-gssjoin"), nullptr);
  EXPECT_NE(make_technique("fgssjoin", technique("fgssjoin").info.best), nullptr);
  EXPECT_THROW((void)make_technique("fgssjoin", {{"signature_bits", 64}}), ParameterError);
  EXPECT_THROW((void)technique("allpairs"), std::logic_error);
}

}  // namespace
}  // namespace warpbench::similarity
