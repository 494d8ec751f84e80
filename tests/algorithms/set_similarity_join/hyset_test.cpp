// HySet beyond conformance: every technique and split, what each side takes, and the document's choice of a technique.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/set_similarity_join/hyset/hyset.hpp"
#include "algorithms/set_similarity_join/hyset/technique_choice.hpp"
#include "device/device.hpp"
#include "device/error.hpp"
#include "solvers/set_similarity_join/blocks.hpp"
#include "solvers/solver.hpp"
#include "tests/problems/support/similar_sets.hpp"
#include "tests/support/memory_limit.hpp"

namespace warpbench::similarity {
namespace {

using Given = std::map<std::string, Value>;
using Input = SetSimilarityJoin::Input;
using Output = SetSimilarityJoin::Output;

constexpr std::uint64_t kHysetSeed = 50'231;

Input hyset_input(const datasets::SetCollection& sets, Output output = Output::digest) {
  Input input;
  input.sets = &sets;
  input.threshold = {3, 5};
  input.output = output;
  return input;
}

const SolverEntry<SetSimilarityJoin>& strategy_entry(const std::string& id) {
  const auto& all = solvers_of<SetSimilarityJoin>();
  return *std::ranges::find(all, id, [](const auto& entry) { return entry.info.id; });
}

/// Prepared on the input; solves and checks.
class Strategy {
 public:
  Strategy(const std::string& id, const Given& given, const Input& input) : input_(input) {
    const auto& entry = strategy_entry(id);
    solver_ = entry.make(Parameters(entry.info.parameters, given));
    prepare(input);
  }

  void prepare(const Input& input) {
    input_ = input;
    Phases phases;
    solver_->prepare(input_, phases);
  }

  void expect_exact(const SetSimilarityJoin::Reference& reference) {
    Phases phases;
    SetSimilarityJoin::Answer answer;
    solver_->solve_with_transfers(answer, phases);
    const Judgement judgement = SetSimilarityJoin::judge(input_, answer, reference);
    EXPECT_EQ(judgement.verdict, Verdict::exact) << judgement.difference;
  }
  [[nodiscard]] double counter(const std::string& name) const { return solver_->counters().at(name); }

 private:
  Input input_;
  std::unique_ptr<Solver<SetSimilarityJoin>> solver_;
};

const datasets::SetCollection& near_duplicates() {
  static const datasets::SetCollection sets = testing::similar_sets(kHysetSeed, {.count = 120});
  return sets;
}

TEST(Hyset, JoinsWithEveryTechnique) {
  const Input input = hyset_input(near_duplicates(), Output::pairs);
  const SetSimilarityJoin::Reference reference = SetSimilarityJoin::reference(input);
  for (const char* id : {"hyset-queue", "hyset-dichotomy"}) {
    for (const char* gpu : {"table", "fgssjoin", "sf-gssjoin", "bitmap", "cpu-gpu", "auto"}) {
      SCOPED_TRACE(std::string(id) + ", " + gpu);
      for (const char* techniques : {"all-blocks", "best"}) {
        Strategy strategy(id, {{"gpu", gpu}, {"cpu", "auto"}, {"block_size", 70}, {"device_technique", techniques}},
                          input);
        strategy.expect_exact(reference);
      }
    }
  }
}

/// A chunk holds the candidates of many sets, so that a join of few takes one.
TEST(Hyset, FillsLargeChunks) {
  const Input input = hyset_input(near_duplicates());
  const SetSimilarityJoin::Reference reference = SetSimilarityJoin::reference(input);
  Strategy strategy("hyset-dichotomy", {{"gpu", "cpu-gpu"}, {"split", 0.0}}, input);
  strategy.expect_exact(reference);
  EXPECT_EQ(strategy.counter("chunks"), 1);
}

TEST(Hyset, CutsAnywhere) {
  const Input input = hyset_input(near_duplicates());
  const SetSimilarityJoin::Reference reference = SetSimilarityJoin::reference(input);
  for (const double split : {0.0, 0.02, 0.37, 0.5, 0.98, 1.0, -1.0}) {
    for (const std::int64_t block_size : {9, 1000}) {  // many blocks and one are calibrated in two ways
      SCOPED_TRACE(std::to_string(split) + ", blocks of " + std::to_string(block_size));
      Strategy strategy("hyset-dichotomy",
                        {{"split", split}, {"block_size", block_size}, {"device_technique", "best"}, {"threads", 2}},
                        input);
      strategy.expect_exact(reference);
      EXPECT_GE(strategy.counter("split"), 0);
      EXPECT_LE(strategy.counter("split"), 1);
      if (split >= 0) {
        EXPECT_EQ(strategy.counter("delegated"), split == 0.0 || split == 1.0 ? 1 : 0);
      }
    }
  }
}

TEST(Hyset, RefusesASplitBelowNothing) {
  const SolverInfo& info = strategy_entry("hyset-dichotomy").info;
  EXPECT_THROW(info.validate(Parameters(info.parameters, {{"split", -0.3}})), ParameterError);
  EXPECT_NO_THROW(info.validate(Parameters(info.parameters, {{"split", "auto"}})));
  EXPECT_NO_THROW(info.validate(Parameters(info.parameters, {{"split", 1.0}})));
}

/// Blocks as large as the techniques take them at their best.
TEST(Hyset, JoinsAtItsBest) {
  const datasets::SetCollection sets = testing::similar_sets(kHysetSeed, {.count = 40});
  const Input input = hyset_input(sets);
  const SetSimilarityJoin::Reference reference = SetSimilarityJoin::reference(input);
  for (const char* id : {"hyset-queue", "hyset-dichotomy"}) {
    SCOPED_TRACE(id);
    Strategy strategy(id, strategy_entry(id).info.best, input);
    strategy.expect_exact(reference);
  }
}

TEST(HysetQueue, LeavesNoPairOfBlocksOut) {
  const datasets::SetCollection many = testing::similar_sets(kHysetSeed, {.count = 1000});
  for (const std::int64_t block_size : {9, 250}) {  // threads share the probing sets of a large one
    const Input input = hyset_input(block_size > kProbesAtOnce ? many : near_duplicates());
    const SetSimilarityJoin::Reference reference = SetSimilarityJoin::reference(input);
    const auto pairs = static_cast<double>(block_pairs(ordered(input), bounds_of(input), block_size).size());
    for (const std::int64_t threads : {1, 3}) {
      SCOPED_TRACE(std::to_string(threads) + " threads, blocks of " + std::to_string(block_size));
      Strategy strategy("hyset-queue", {{"block_size", block_size}, {"threads", threads}, {"device_technique", "best"}},
                        input);
      strategy.expect_exact(reference);
      EXPECT_EQ(strategy.counter("cpu_taken") + strategy.counter("device_taken"), pairs);
      EXPECT_GT(strategy.counter("offsets_bytes"), strategy.counter("single_offsets_bytes"));
    }
  }
}

/// A failure of the device ends the join, and the threads of the CPU with it.
TEST(Hyset, EndsWhereTheDeviceHasTooLittleMemory) {
  const Input input = hyset_input(near_duplicates(), Output::pairs);
  for (const char* id : {"hyset-queue", "hyset-dichotomy"}) {
    const testing::MemoryLimit limit(memory_in_use() + 2000);
    EXPECT_THROW(Strategy(id, {{"block_size", 50}}, input), OutOfDeviceMemory) << id;
  }
}

/// Such as where a matrix of all pairs of a block, which fgssjoin has, has no room, or an index of all sets.
/// With little memory: costs of all sets need more than a join by blocks.
TEST(Hyset, ChoosesATechniqueThatHasRoom) {
  const datasets::SetCollection sets = testing::similar_sets(kHysetSeed, {.count = 600});
  const Input input = hyset_input(sets);
  const SetSimilarityJoin::Reference reference = SetSimilarityJoin::reference(input);
  const auto has_room = [&](const std::string& id, const Given& given, std::int64_t bytes) {
    const testing::MemoryLimit limit(bytes);
    try {
      Strategy(id, given, input).expect_exact(reference);
    } catch (const OutOfDeviceMemory&) {
      return false;
    }
    return true;
  };
  struct Case {
    const char* id;
    std::int64_t block_size;
    double split;
    std::vector<std::int64_t> more;
  };
  int without_fgssjoin = 0;
  for (const Case& one :
       {Case{"hyset-queue", 300, 0, {80'000, 160'000, 320'000}}, Case{"hyset-queue", 60, 0, {90'000, 98'000, 122'000}},
        Case{"hyset-dichotomy", 300, 0.5, {160'000}}, Case{"hyset-dichotomy", 60, 0.1, {68'000, 92'000}}}) {
    for (const std::int64_t more : one.more) {
      SCOPED_TRACE(std::string(one.id) + ", " + std::to_string(one.block_size) + ", " + std::to_string(more) +
                   " bytes");
      const std::int64_t bytes = memory_in_use() + more;
      const auto with = [&](const char* gpu, const char* cpu) {
        Given given{{"gpu", gpu}, {"cpu", cpu}, {"block_size", one.block_size}};
        if (one.split > 0) given.insert({"split", one.split});
        return has_room(one.id, given, bytes);
      };
      const bool fgssjoin = with("fgssjoin", "ppjoin");
      const bool some = fgssjoin || with("bitmap", "ppjoin") || with("cpu-gpu", "ppjoin");
      if (!some) continue;
      EXPECT_TRUE(with("auto", "ppjoin"));
      EXPECT_TRUE(with("auto", "auto"));
      EXPECT_TRUE(!with("bitmap", "ppjoin") || with("bitmap", "auto"));
      if (one.split > 0) {
        const Given all_auto{{"gpu", "auto"}, {"cpu", "auto"}, {"split", "auto"}, {"block_size", one.block_size}};
        EXPECT_TRUE(has_room(one.id, all_auto, bytes));
      }
      if (!fgssjoin) ++without_fgssjoin;
    }
  }
  EXPECT_GT(without_fgssjoin, 1);
}

/// Samples leave nothing in the counters of a device that has nothing to join.
TEST(Hyset, CountsWhatTheSolveJoinsAlone) {
  const Input input = hyset_input(near_duplicates());
  for (const char* gpu : {"fgssjoin", "sf-gssjoin", "bitmap"}) {
    SCOPED_TRACE(gpu);
    Strategy strategy("hyset-dichotomy",
                      {{"gpu", gpu}, {"split", "auto"}, {"block_size", 9}, {"device_technique", "best"}}, input);
    strategy.expect_exact(SetSimilarityJoin::reference(input));
    EXPECT_GE(strategy.counter("expected_seconds"), strategy.counter("expected_cpu_seconds"));
    EXPECT_GE(strategy.counter("expected_seconds"), strategy.counter("expected_device_seconds"));
    if (strategy.counter("device_taken") == 0) {
      EXPECT_EQ(strategy.counter("candidates"), 0);
    }
  }
}

/// The thread of the device meets its want of memory while others join on the CPU.
TEST(Hyset, FailsAsTheDeviceDoesAndJoinsAgain) {
  const Input input = hyset_input(near_duplicates(), Output::pairs);
  const SetSimilarityJoin::Reference reference = SetSimilarityJoin::reference(input);
  Strategy strategy("hyset-dichotomy", {{"split", 0.3}, {"threads", 3}, {"device_technique", "best"}}, input);
  {
    const testing::MemoryLimit limit(memory_in_use() + 100);
    EXPECT_THROW(strategy.expect_exact(reference), OutOfDeviceMemory);
  }
  strategy.expect_exact(reference);
}

/// The index that a prepare() made before it failed is not probed by other sets.
TEST(Hyset, PreparesAgainAfterAFailure) {
  const datasets::SetCollection few = testing::similar_sets(kHysetSeed, {.count = 30});
  const Input input = hyset_input(near_duplicates());
  const SetSimilarityJoin::Reference reference = SetSimilarityJoin::reference(input);
  int failures = 0;
  for (std::int64_t bytes = 4000; bytes < 60'000; bytes += 7000) {
    Strategy strategy("hyset-dichotomy",
                      {{"cpu", "auto"}, {"split", "auto"}, {"block_size", 50}, {"device_technique", "best"}},
                      hyset_input(few));
    try {
      const testing::MemoryLimit limit(bytes);
      strategy.prepare(hyset_input(few));
    } catch (const OutOfDeviceMemory&) {
      ++failures;
      strategy.prepare(input);
      strategy.expect_exact(reference);
    }
  }
  EXPECT_GT(failures, 1);
}

/// Data sets of the document in their cells of Figure 5.16.
TEST(TechniqueChoice, IsThatOfTheDocument) {
  const auto choice = [](std::int64_t sets, double mean_size, std::int64_t tokens, double threshold) {
    return technique_by_table({sets, mean_size, tokens, threshold});
  };
  EXPECT_EQ(choice(510'000, 6.5, 1'657, 0.7), "fgssjoin");        // BMS-POS
  EXPECT_EQ(choice(200'000, 88, 8'817, 0.8), "fgssjoin");         // DBLP-200K
  EXPECT_EQ(choice(1'600'000, 75, 37'000, 0.6), "bitmap");        // TWITTER
  EXPECT_EQ(choice(2'700'000, 120, 8'700'000, 0.6), "fgssjoin");  // ORKUT
  EXPECT_EQ(choice(2'700'000, 120, 8'700'000, 0.8), "cpu-gpu");
  EXPECT_EQ(choice(10'000'000, 3, 3'900'000, 0.7), "cpu-gpu");  // AOL
  EXPECT_EQ(choice(1'600'000, 75, 37'000, 0.4), "sf-gssjoin");
}

}  // namespace
}  // namespace warpbench::similarity
