// Queries of a set that fsig matches side by side: the same answers as one after the other, whatever there are of
// streams, of memory and of time, and the first error in the order of the queries.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "build_info.hpp"
#include "device/device.hpp"
#include "device/error.hpp"
#include "tests/problems/support/subgraph_cases.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench {
namespace {

using testing::SmallGraph;
using testing::SubgraphRun;
using testing::SubgraphTask;
using Given = std::map<std::string, Value>;
using QueryAnswer = SubgraphMatching::QueryAnswer;

/// fsig at its best but for `given`.
SubgraphRun run(const SubgraphMatching::Input& input, std::int64_t streams, const Given& given = {}) {
  Given values{{"multiply_leaves", true}, {"small_levels", true}, {"masks", true}, {"query_streams", streams}};
  for (const auto& [name, value] : given) values[name] = value;
  // What is to be expected is what one stream finds; that is judged by other tests.
  const SubgraphMatching::Reference open{std::vector<std::uint64_t>(input.queries().size(), kNone<std::uint64_t>), {}};
  return testing::run_subgraph_solver("fsig", values, input, open);
}

void expect_same(const std::vector<QueryAnswer>& found, const std::vector<QueryAnswer>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t query = 0; query < found.size(); ++query) {
    SCOPED_TRACE("query " + std::to_string(query));
    EXPECT_EQ(found[query].solved, expected[query].solved);
    EXPECT_EQ(found[query].count, expected[query].count);
    EXPECT_EQ(found[query].digest, expected[query].digest);
    EXPECT_EQ(found[query].matches, expected[query].matches) << "in the same order, too";
  }
}

/// Queries of one to some thousand matches, most of them different.
datasets::Dataset many_queries() {
  std::vector<SmallGraph> queries;
  for (std::size_t vertices = 1; vertices <= 5; ++vertices) queries.push_back(testing::path(vertices));
  for (std::size_t vertices = 3; vertices <= 4; ++vertices) queries.push_back(testing::cycle(vertices));
  for (std::size_t leaves = 2; leaves <= 3; ++leaves) queries.push_back(testing::star(leaves));
  return testing::dataset_of("many", testing::clique(7), queries);
}

TEST(FsigStreams, AnswerAsOneDoes) {
  const datasets::Dataset dataset = many_queries();
  const std::vector<SubgraphTask> tasks{{{"output", "count"}},
                                        {{"output", "digest"}},
                                        {{"output", "matches"}},
                                        {{"output", "first"}, {"first", 11}},
                                        {{"output", "matches"}, {"semantics", "homomorphism"}}};
  for (const SubgraphTask& task : tasks) {
    SCOPED_TRACE(to_string(task.at("output")));
    const SubgraphMatching::Input input = testing::subgraph_input(dataset, task);
    const SubgraphRun expected = run(input, 1);
    EXPECT_EQ(expected.counters.at("unsolved"), 0);
    // All numbers of streams for counts, and for the others where there is time.
    const bool all = &task == &tasks.front() || testing::is_thorough();
    for (const std::int64_t streams : all ? std::vector<std::int64_t>{2, 4, 20} : std::vector<std::int64_t>{4}) {
      SCOPED_TRACE(std::to_string(streams) + " streams");
      const SubgraphRun found = run(input, streams);
      expect_same(found.answer.queries, expected.answer.queries);
      for (const char* same : {"candidates_mean", "rows", "bytes_written", "leaf_nodes", "parked_blocks", "matches"}) {
        EXPECT_DOUBLE_EQ(found.counters.at(same), expected.counters.at(same)) << same;
      }
      EXPECT_EQ(found.counters.at("unsolved"), 0);
      EXPECT_GT(found.counters.at("query_min_s"), 0);
    }
  }
}

TEST(FsigStreams, TakeOneQuery) {
  const SubgraphMatching::Input input =
      testing::subgraph_input(testing::dataset_of("one", testing::clique(5), {testing::path(3)}));
  EXPECT_EQ(run(input, 4).answer.queries[0].count, 60U);
}

/// The parts of the memory have room for little, and rows that wait must not go to the host there: such queries are
/// matched again with all of it.
TEST(FsigStreams, MatchAgainAloneWhatNeedsMoreThanAPart) {
  const SubgraphMatching::Input input = testing::subgraph_input(many_queries(), {{"output", "matches"}});
  const Given narrow{{"table_memory", 8000}};
  const SubgraphRun expected = run(input, 1, narrow);
  ASSERT_GT(expected.counters.at("parked_host_bytes"), 0);
  for (const std::int64_t streams : {2, 4}) {
    SCOPED_TRACE(std::to_string(streams) + " streams");
    const SubgraphRun found = run(input, streams, narrow);
    expect_same(found.answer.queries, expected.answer.queries);
    EXPECT_EQ(found.counters.at("unsolved"), 0);
    EXPECT_EQ(found.counters.at("parked_host_bytes"), expected.counters.at("parked_host_bytes"));
  }
}

/// With ever less memory for the whole process: what is solved is right, and what one stream solves is solved.
TEST(FsigStreams, StayWithinTheMemoryOfTheDevice) {
  const SubgraphMatching::Input input = testing::subgraph_input(many_queries(), {{"output", "digest"}});
  const SubgraphRun expected = run(input, 1);
  for (const std::int64_t bytes : {1 << 20, 1 << 17, 1 << 16, 3 << 14}) {
    SCOPED_TRACE(std::to_string(bytes) + " bytes");
    reset_peak_memory();
    set_memory_limit(memory_in_use() + bytes);
    const std::int64_t limit = *memory_limit();
    std::vector<SubgraphRun> runs;
    for (const std::int64_t streams : {1, 4}) {
      try {
        runs.push_back(run(input, streams));
      } catch (const OutOfDeviceMemory&) {  // none can be solved
      }
    }
    EXPECT_LE(peak_memory_in_use(), limit);
    set_memory_limit(std::nullopt);
    ASSERT_NE(runs.size(), 1U) << "only one of the two solved something";
    if (runs.empty()) continue;
    expect_same(runs[1].answer.queries, runs[0].answer.queries);
    if (runs[0].counters.at("unsolved") == 0) expect_same(runs[0].answer.queries, expected.answer.queries);
  }
}

/// A query that nobody can finish, among others.
TEST(FsigStreams, LeaveAQueryUnsolvedAndNoOther) {
  // Instrumented programs take longer for the other queries.
  const double limit = std::string_view(build_info::kSanitizer) == "thread" ? 20 : 2;
  const SmallGraph endless = testing::cycle(9);
  const SubgraphMatching::Input input =
      testing::subgraph_input(testing::dataset_of("clique", testing::clique(24),
                                                  {testing::path(2), endless, testing::path(2), testing::cycle(3)}),
                              {{"output", "digest"}, {"query_timeout", limit}});
  const SubgraphRun found = run(input, 3);
  const std::vector<QueryAnswer>& queries = found.answer.queries;
  EXPECT_FALSE(queries[1].solved);
  EXPECT_EQ(queries[1].count, 0U);
  EXPECT_EQ(queries[0].count, 24U * 23);
  EXPECT_EQ(queries[2].digest, queries[0].digest);
  EXPECT_EQ(queries[3].count, 24U * 23 * 22);
  EXPECT_EQ(found.counters.at("unsolved"), 1);
  EXPECT_EQ(found.counters.at("query_max_s"), limit);
  EXPECT_LT(found.counters.at("query_median_s"), limit);
}

/// Numbers beyond 64 bits in one query end the solve, and the solver can be asked again.
TEST(FsigStreams, FailAsOneDoes) {
  const std::vector<SmallGraph> queries{testing::path(2), testing::star(13), testing::path(3), testing::path(2)};
  const SubgraphMatching::Input input = testing::subgraph_input(
      testing::dataset_of("leaves", testing::star(40), queries), {{"semantics", "homomorphism"}});
  for (const std::int64_t streams : {1, 2, 4}) {
    EXPECT_THROW(static_cast<void>(run(input, streams)), std::overflow_error) << streams << " streams";
  }
}

/// Each call of the runtime fails once, on whatever thread it is made: the error arrives, and no thread is left behind.
TEST(FsigStreams, PassOnWhatTheDeviceSays) {
  const SubgraphMatching::Input input = testing::subgraph_input(many_queries());
  for (const std::int64_t call : {40, 70, 100, 130, 160}) {
    fail_call(call);
    EXPECT_THROW(static_cast<void>(run(input, 4)), DeviceError) << "call " << call;
    fail_call(0);
  }
  expect_same(run(input, 4).answer.queries, run(input, 1).answer.queries);
}

}  // namespace
}  // namespace warpbench
