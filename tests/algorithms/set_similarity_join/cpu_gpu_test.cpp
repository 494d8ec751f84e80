// cpu-gpu: the same pairs however candidates are found, kept, cut into chunks and verified; and errors of one thread
// end all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "algorithms/set_similarity_join/cpu_gpu/channel.hpp"
#include "algorithms/set_similarity_join/cpu_gpu/chunk.hpp"
#include "algorithms/set_similarity_join/cpu_gpu/co_processing.hpp"
#include "algorithms/set_similarity_join/cpu_gpu/pipeline.hpp"
#include "device/device.hpp"
#include "device/error.hpp"
#include "problems/set_similarity_join/problem.hpp"
#include "solvers/solver.hpp"
#include "tests/problems/support/similar_sets.hpp"
#include "tests/support/memory_limit.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::similarity {
namespace {

using Given = std::map<std::string, Value>;
using Input = SetSimilarityJoin::Input;
using Output = SetSimilarityJoin::Output;

constexpr std::uint64_t kCpuGpuSeed = 20225;

Given with(Given given, const Given& more) {
  for (const auto& [name, value] : more) given.insert_or_assign(name, value);
  return given;
}

const SolverEntry<SetSimilarityJoin>& cpu_gpu() {
  for (const auto& entry : solvers_of<SetSimilarityJoin>()) {
    if (entry.info.id == "cpu-gpu") return entry;
  }
  throw std::logic_error("no solver 'cpu-gpu'");
}

Parameters parameters_of(const Given& given) {
  return {cpu_gpu().info.parameters, given};
}

struct Prepared {
  explicit Prepared(const Input& input, const Given& given) : solver(cpu_gpu().make(parameters_of(given))) {
    solver->prepare(input, phases);
  }

  SetSimilarityJoin::Answer solve() {
    SetSimilarityJoin::Answer answer;
    solver->solve_with_transfers(answer, phases);
    return answer;
  }
  [[nodiscard]] double counter(const std::string& name) const { return solver->counters().at(name); }

  Phases phases;
  std::unique_ptr<Solver<SetSimilarityJoin>> solver;
};

/// Some sets of each size, copies among them, so that groups have several sets; and larger ones.
datasets::SetCollection collection() {
  static const datasets::SetCollection sets = [] {
    std::vector<testing::Tokens> all;
    const datasets::SetCollection random =
        testing::similar_sets(kCpuGpuSeed, {.count = 60, .size = 12, .universe = 60, .copies = 0.8});
    for (std::int64_t i = 0; i < random.count(); ++i) all.emplace_back(random.set(i).begin(), random.set(i).end());
    for (datasets::Token shift : {0, 0, 2, 9}) all.push_back(testing::arithmetic(shift, 1, 90));
    return testing::sets_of(all);
  }();
  return sets;
}

Input input_of(const datasets::SetCollection& sets, Output output, std::int64_t left = 0,
               Measure measure = Measure::jaccard) {
  Input input;
  input.sets = &sets;
  input.output = output;
  input.left = left;
  input.measure = measure;
  input.threshold = {3, 5};
  return input;
}

auto in_order(std::span<const Pair> pairs) {
  std::vector<Pair> sorted(pairs.begin(), pairs.end());
  std::ranges::sort(sorted, {}, [](const Pair& pair) { return std::tuple(pair.a, pair.b); });
  return sorted;
}

class CpuGpuJoin : public ::testing::TestWithParam<Given> {
 protected:
  /// Of two solves, the second after the first answer was overwritten.
  static void expect_right(const Input& input, const Given& given) {
    const SetSimilarityJoin::Reference reference = SetSimilarityJoin::reference(input);
    Prepared prepared(input, given);
    for (int round = 0; round < 2; ++round) {
      const DownloadWatch watch;
      SetSimilarityJoin::Answer answer = prepared.solve();
      const Judgement judgement = SetSimilarityJoin::judge(input, answer, reference);
      EXPECT_EQ(judgement.verdict, Verdict::exact) << judgement.difference;
      answer.poison();
      poison_downloaded();
    }
    EXPECT_GT(prepared.counter("candidates"), 0);
  }
};

TEST_P(CpuGpuJoin, FindsThePairs) {
  const datasets::SetCollection sets = collection();
  for (const Output output : {Output::count, Output::digest, Output::pairs}) {
    SCOPED_TRACE("output " + std::to_string(static_cast<int>(output)));
    expect_right(input_of(sets, output), GetParam());
  }
}

TEST_P(CpuGpuJoin, FindsThePairsOfTwoCollections) {
  const datasets::SetCollection sets = collection();
  expect_right(input_of(sets, Output::pairs, 25, Measure::cosine), GetParam());
}

/// Chunks of seven candidates, fewer than single probing sets have.
TEST_P(CpuGpuJoin, TakesManyChunks) {
  const datasets::SetCollection sets = collection();
  for (const Output output : {Output::pairs, Output::count}) {
    if (output == Output::count && !testing::is_thorough()) continue;
    const Input input = input_of(sets, output);
    Prepared prepared(input, with(GetParam(), {{"chunk_memory", 35}}));
    const SetSimilarityJoin::Answer answer = prepared.solve();
    const Judgement judgement = SetSimilarityJoin::judge(input, answer, SetSimilarityJoin::reference(input));
    EXPECT_EQ(judgement.verdict, Verdict::exact) << judgement.difference;
    EXPECT_GE(prepared.counter("chunks"), prepared.counter("candidates") / 8);
  }
}

std::vector<Given> points() {
  std::vector<Given> all;
  for (const char* filter : {"allpairs", "ppjoin"}) {
    for (const char* serialization : {"arrays", "vector", "reserved", "map"}) {
      all.push_back({{"filter", filter}, {"serialization", serialization}});
    }
    all.push_back({{"filter", filter}, {"threads", 3}});
  }
  for (const char* groups : {"arrays", "map", "first_phase", "whole"}) {
    all.push_back({{"filter", "groupjoin"}, {"groups", groups}});
  }
  all.push_back({{"filter", "groupjoin"}, {"groups", "arrays"}, {"threads", 2}});
  all.push_back({{"filter", "groupjoin"}, {"groups", "map"}, {"threads", 2}});
  all.push_back({{"filter", "groupjoin"}, {"serialization", "vector"}});
  for (const char* verification : {"a", "c"}) {
    for (const std::int64_t threads : {32, 64}) {
      all.push_back({{"verification", verification}, {"threads_per_block", threads}});
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(SimilarityJoin, CpuGpuJoin, ::testing::ValuesIn(points()), [](const auto& point) {
  std::string name = std::to_string(point.index);
  for (const auto& [parameter, value] : point.param) name += '_' + parameter + '_' + to_string(value);
  std::erase_if(name, [](char c) { return c == '-'; });
  return name;
});

/// One prepared solver serves all solve-parameters.
TEST(SimilarityJoinCpuGpu, TakesNewParametersAfterPreparing) {
  const datasets::SetCollection sets = collection();
  const Input input = input_of(sets, Output::pairs);
  Prepared prepared(input, {});
  const auto expected = in_order(prepared.solve().pairs);
  EXPECT_FALSE(expected.empty());
  for (const Given& given : points()) {
    prepared.solver->configure(parameters_of(with(given, {{"chunk_memory", 100}})));
    EXPECT_EQ(in_order(prepared.solve().pairs), expected);
  }
}

/// As HySet joins: each block of sets as an index with itself and all later ones.
TEST(SimilarityJoinCpuGpu, JoinsBlocksOfSets) {
  const datasets::SetCollection sets = collection();
  const Input input = input_of(sets, Output::digest);
  const SetSimilarityJoin::Reference reference = SetSimilarityJoin::reference(input);
  const OrderedSets in_blocks = ordered(input);
  const Bounds bounds = bounds_of(input);
  const std::vector<SetRange> blocks = blocks_of({0, in_blocks.count()}, 17);
  for (const Given& given : {Given{}, Given{{"filter", "groupjoin"}}, Given{{"filter", "groupjoin"}, {"groups", "map"}},
                             Given{{"filter", "groupjoin"}, {"groups", "whole"}}}) {
    Stream stream;
    DeviceSets on_device;
    on_device.prepare(in_blocks, stream);
    on_device.upload(stream);
    CoProcessing join(parameters_of(with(given, {{"chunk_memory", 200}})));
    join.prepare(in_blocks, input, stream);
    std::vector<FilterIndex> indices(blocks.size());
    for (std::size_t i = 0; i < blocks.size(); ++i) indices[i].build(in_blocks, bounds, blocks[i], join.choice(), 1);
    for (int round = 0; round < 2; ++round) {
      join.begin(stream);
      for (std::size_t j = 0; j < blocks.size(); ++j) {
        for (std::size_t i = 0; i <= j; ++i) {
          join.join(indices[i], indices[j].groups, blocks[j], on_device.view(), stream);
        }
      }
      Phases phases;
      join.finish(phases);
      SetSimilarityJoin::Answer answer;
      join.download(answer);
      const Judgement judgement = SetSimilarityJoin::judge(input, answer, reference);
      EXPECT_EQ(judgement.verdict, Verdict::exact) << judgement.difference;
    }
  }
}

TEST(SimilarityJoinCpuGpu, SplitsTheVerificationOfGroups) {
  const datasets::SetCollection sets = collection();
  const Input input = input_of(sets, Output::count);
  const auto counters = [&](const Given& given) {
    Prepared prepared(input, with(given, {{"filter", "groupjoin"}}));
    static_cast<void>(prepared.solve());
    return std::pair(prepared.counter("candidates"), prepared.counter("expansion_candidates"));
  };
  const auto [first_phase, expanded] = counters({{"groups", "arrays"}});
  EXPECT_GT(expanded, 0);
  EXPECT_EQ(counters({{"groups", "map"}}), std::pair(first_phase + expanded, expanded));
  EXPECT_EQ(counters({{"groups", "whole"}}), std::pair(first_phase + expanded, expanded));
  EXPECT_EQ(counters({{"groups", "first_phase"}}), std::pair(first_phase, expanded)) << "groups have several sets";
}

/// Between what it takes for chunks of one candidate and what it would like to take.
TEST(SimilarityJoinCpuGpu, TakesNoMoreDeviceMemoryThanThereIs) {
  const datasets::SetCollection sets = testing::similar_sets(kCpuGpuSeed, {.count = 200, .size = 10, .universe = 30});
  const Input input = input_of(sets, Output::digest);
  const auto memory_of = [&](const Given& given) {
    const Prepared prepared(input, given);
    return memory_in_use();
  };
  const std::int64_t least = memory_of({{"chunk_memory", 5}});
  const std::int64_t most = memory_of({});
  ASSERT_GT(most, 2 * least);
  const testing::MemoryLimit limit((least + most) / 2);
  Prepared prepared(input, {});
  const SetSimilarityJoin::Answer answer = prepared.solve();
  EXPECT_EQ(SetSimilarityJoin::judge(input, answer, SetSimilarityJoin::reference(input)).verdict, Verdict::exact);
  EXPECT_GT(prepared.counter("chunks"), 1);
}

TEST(SimilarityJoinCpuGpu, KnowsTheMostCandidates) {
  const datasets::SetCollection sets = collection();
  const Input input = input_of(sets, Output::count);
  const auto most = static_cast<double>(most_candidates(ordered(input), bounds_of(input)));
  Prepared all_pairs(input, {});
  static_cast<void>(all_pairs.solve());
  EXPECT_LE(all_pairs.counter("candidates"), most);
  EXPECT_LT(most, static_cast<double>(input.pairs()));
}

/// Whichever call of the device fails, in whichever chunk: the solve ends with that error, and so do its threads.
TEST(SimilarityJoinCpuGpu, EndsWithTheErrorOfTheDevice) {
  const datasets::SetCollection sets = collection();
  const auto step = static_cast<std::int64_t>(testing::usual_or_thorough(23, 1));
  for (const Given& given : {Given{}, Given{{"threads", 2}}, Given{{"filter", "groupjoin"}, {"groups", "map"}}}) {
    for (const Output output : {Output::count, Output::pairs}) {
      const Input input = input_of(sets, output);
      std::int64_t failures = 0;
      for (std::int64_t call = 1;; call += step, ++failures) {
        Prepared prepared(input, with(given, {{"chunk_memory", 400}}));
        fail_call(call);
        try {
          static_cast<void>(prepared.solve());
          fail_call(0);
          break;  // has fewer calls
        } catch (const DeviceError& error) {
          EXPECT_NE(std::string(error.what()).find("injected"), std::string::npos) << error.what();
        }
        fail_call(0);
      }
      EXPECT_GT(failures, 0);
    }
  }
}

class SimilarityJoinPipeline : public ::testing::Test {
 protected:
  /// Three chunks, a hundred times filled by two threads. Each function throws at its call of that number; 0: never.
  void run(int failing_fill, int failing_verify, int failing_post_process) {
    const auto count = [](std::atomic<int>& calls, int failing) {
      if (++calls == failing) throw std::runtime_error("on purpose");
    };
    std::vector<Chunk> chunks(3);
    static_cast<void>(run_pipeline(chunks, 2,
                                   {[&](std::size_t /*rank*/, const ChunkExchange& exchange) {
                                      for (int i = 0; i < 50; ++i) {
                                        Chunk* const chunk = exchange.take();
                                        if (chunk == nullptr) return;
                                        count(filled_, failing_fill);
                                        exchange.send(chunk);
                                      }
                                    },
                                    [&](Chunk& /*chunk*/) { count(verified_, failing_verify); },
                                    [&](Chunk& /*chunk*/) { count(post_processed_, failing_post_process); }},
                                   team_));
  }

  ThreadTeam team_;
  std::atomic<int> filled_ = 0;
  std::atomic<int> verified_ = 0;
  std::atomic<int> post_processed_ = 0;
};

TEST_F(SimilarityJoinPipeline, HandsAllChunksOn) {
  run(0, 0, 0);
  EXPECT_EQ(filled_, 100);
  EXPECT_EQ(verified_, 100);
  EXPECT_EQ(post_processed_, 100);
}

TEST_F(SimilarityJoinPipeline, ThrowsWhatAnyThreadThrowsWhenAllHaveEnded) {
  for (const int call : {1, 2, 50, 100}) {
    EXPECT_THROW(run(call, 0, 0), std::runtime_error);
    filled_ = verified_ = post_processed_ = 0;
    EXPECT_THROW(run(0, call, 0), std::runtime_error);
    EXPECT_LE(post_processed_, call);
    filled_ = verified_ = post_processed_ = 0;
    EXPECT_THROW(run(0, 0, call), std::runtime_error);
    filled_ = verified_ = post_processed_ = 0;
  }
}

TEST(SimilarityJoinChannel, HandsAllOnInTheirOrder) {
  Channel<int> channel;
  std::vector<int> taken;
  std::jthread taker([&] {
    while (const auto value = channel.pop()) taken.push_back(*value);
  });
  for (int i = 0; i < 1000; ++i) channel.push(i);
  channel.close();
  taker.join();
  EXPECT_EQ(taken.size(), 1000U);
  EXPECT_TRUE(std::ranges::is_sorted(taken));
}

TEST(SimilarityJoinChannel, ForgetsWhenItIsStopped) {
  Channel<int> channel;
  channel.push(1);
  channel.stop();
  channel.push(2);
  EXPECT_FALSE(channel.pop().has_value());
}

}  // namespace
}  // namespace warpbench::similarity
