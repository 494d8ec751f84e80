// The select query on a GPU: the same rows as nested loops however they are written, in one part or several, to memory
// or to a file.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "algorithms/theta_join/naive/select.hpp"
#include "algorithms/theta_join/sort_scan/select.hpp"
#include "device/device.hpp"
#include "device/error.hpp"
#include "problems/theta_join/problem.hpp"
#include "solvers/solver.hpp"
#include "tests/problems/support/file_size_limit.hpp"
#include "tests/problems/support/relations.hpp"
#include "tests/support/memory_limit.hpp"

namespace warpbench::theta {
namespace {

using testing::random_relations;
using testing::Relations;
using Given = std::map<std::string, Value>;
using Input = ThetaJoin::Input;
using Answer = ThetaJoin::Answer;
using Output = ThetaJoin::Output;

constexpr std::uint64_t kSeed = 20224;

std::unique_ptr<Solver<ThetaJoin>> sliding_window(const Given& given) {
  for (const auto& entry : solvers_of<ThetaJoin>()) {
    if (entry.info.id != "sliding-window") continue;
    const Parameters parameters(entry.info.parameters, given);
    entry.info.validate(parameters);
    return entry.make(parameters);
  }
  throw std::logic_error("no solver 'sliding-window'");
}

std::unique_ptr<Solver<ThetaJoin>> naive(const char* layout, std::int64_t threads, const char* output) {
  return make_naive_select(Parameters(
      {parameter("layout", layout), parameter("threads_per_block", threads), parameter("output", output)}, {}));
}

struct Method {
  std::string name;
  std::function<std::unique_ptr<Solver<ThetaJoin>>()> make;
};

std::vector<Method> methods() {
  std::vector<Method> all{{"naive, atomic", [] { return naive("aos", 1024, "atomic"); }},
                          {"naive, compressed", [] { return naive("soa", 64, "compressed"); }},
                          {"sorted", [] { return make_sorted_select({}); }}};
  for (const char* output : {"atomic", "two_pass", "compressed"}) {
    const Given given{{"output", output}, {"threads_per_block", 64}};
    all.push_back({std::string("sliding-window, ") + output, [given] { return sliding_window(given); }});
  }
  return all;
}

Input input_of(const Relations& relations, const std::string& theta, Output output) {
  Input input;
  input.relations = &relations;
  input.predicate = parse(theta);
  input.query = ThetaJoin::Query::select;
  input.output = output;
  return input;
}

std::vector<Row> sorted(std::vector<Row> rows) {
  std::ranges::sort(rows, {}, [](const Row& row) { return std::tuple(row.r_a, row.s_a, row.s_x); });
  return rows;
}

std::vector<Row> nested_loops(const Input& input) {
  const auto& [r, s] = *input.relations;
  const auto field = [](const datasets::Relation& relation, Column column, std::size_t i) {
    return column == Column::a ? relation.a[i] : relation.x[i];
  };
  const auto& [first, second, is_conjunction] = input.predicate;
  std::vector<Row> rows;
  for (std::size_t i = 0; i < r.a.size(); ++i) {
    for (std::size_t j = 0; j < s.a.size(); ++j) {
      const Keys of_r{field(r, first.r, i), field(r, second.r, i)};
      const Keys of_s{field(s, first.s, j), field(s, second.s, j)};
      if (with_functor(input.predicate, [&](const auto& theta) { return theta(of_r, of_s); })) {
        rows.push_back({r.a[i], s.a[j], s.x[j]});
      }
    }
  }
  return sorted(rows);
}

std::vector<Row> rows_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  std::vector<Row> rows(bytes.size() / sizeof(Row));
  EXPECT_EQ(rows.size() * sizeof(Row), bytes.size());
  if (!rows.empty()) std::memcpy(rows.data(), bytes.data(), bytes.size());
  return rows;
}

/// Each answer is solved for twice, the second time after the first one was overwritten: once with transfers and once
/// step by step.
void expect_answer(Solver<ThetaJoin>& solver, const Input& input, const std::vector<Row>& expected) {
  Phases phases;
  Answer answer;
  solver.prepare(input, phases);
  for (const bool at_once : {true, false}) {
    SCOPED_TRACE(at_once ? "with transfers" : "step by step");
    {
      const DownloadWatch watch;
      if (at_once) {
        solver.solve_with_transfers(answer, phases);
      } else {
        solver.upload(phases);
        solver.solve(phases);
        solver.download(answer, phases);
      }
    }
    EXPECT_EQ(answer.count, expected.size());
    EXPECT_EQ(answer.row_digest, input.output == Output::digest ? digest_of_rows(expected) : 0);
    const bool has_rows = input.output == Output::rows;
    EXPECT_EQ(sorted({answer.rows.begin(), answer.rows.end()}), has_rows ? expected : std::vector<Row>{});
    if (input.output == Output::file) {
      EXPECT_EQ(sorted(rows_of_file(answer.file)), expected);
    }
    poison_downloaded();
    answer.poison();
  }
}

TEST(ThetaSelect, WritesTheRowsOfNestedLoops) {
  for (const testing::NamedRelations& named : testing::awkward_relations()) {
    const Input input = input_of(named.relations, "R.a > S.a", Output::rows);
    const std::vector<Row> expected = nested_loops(input);
    for (const Method& method : methods()) {
      SCOPED_TRACE(method.name + ", " + named.name);
      expect_answer(*method.make(), input, expected);
    }
  }
}

TEST(ThetaSelect, KnowsEveryCondition) {
  const Relations relations = random_relations(kSeed, 97, 61, 20);
  for (const std::string& theta : testing::kThetas) {
    const Input input = input_of(relations, theta, Output::rows);
    const std::vector<Row> expected = nested_loops(input);
    for (const Method& method : methods()) {
      SCOPED_TRACE(method.name + ", " + theta + ", seed " + std::to_string(kSeed));
      expect_answer(*method.make(), input, expected);
    }
  }
}

TEST(ThetaSelect, GivesEveryOutput) {
  const Relations relations = random_relations(kSeed + 1, 130, 75, 0);
  for (const Output output : {Output::count, Output::digest, Output::rows, Output::file}) {
    const Input input = input_of(relations, "R.a <= S.a", output);
    const std::vector<Row> expected = nested_loops(input);
    for (const Method& method : methods()) {
      SCOPED_TRACE(method.name + ", output " + std::to_string(static_cast<int>(output)));
      expect_answer(*method.make(), input, expected);
    }
  }
}

/// The relations take less than 4 KB of device memory, and all pairs 117 KB.
TEST(ThetaSelect, GivesEveryOutputInSeveralParts) {
  const Relations relations = random_relations(kSeed + 2, 130, 75, 40);
  for (const std::string theta : {"R.a != S.a", "R.a > S.a and R.x != S.a"}) {
    for (const Output output : {Output::count, Output::digest, Output::rows, Output::file}) {
      const Input input = input_of(relations, theta, output);
      const std::vector<Row> expected = nested_loops(input);
      for (const Method& method : methods()) {
        SCOPED_TRACE(method.name + ", " + theta + ", output " + std::to_string(static_cast<int>(output)));
        const testing::MemoryLimit limit(memory_in_use() + 40'000);
        const std::unique_ptr<Solver<ThetaJoin>> solver = method.make();
        expect_answer(*solver, input, expected);
        EXPECT_GT(solver->counters().at("parts"), 2);
        EXPECT_EQ(solver->counters().at("rows"), static_cast<double>(expected.size()));
      }
    }
  }
}

TEST(ThetaSelect, RefusesMemoryForNoRow) {
  const Relations relations = random_relations(kSeed + 3, 130, 75, 40);
  const Input input = input_of(relations, "R.a != S.a", Output::count);
  for (const Method& method : methods()) {
    SCOPED_TRACE(method.name);
    const std::int64_t before = memory_in_use();
    Phases phases;
    std::unique_ptr<Solver<ThetaJoin>> solver = method.make();
    solver->prepare(input, phases);
    const std::int64_t needed = memory_in_use() - before;
    solver = method.make();
    const testing::MemoryLimit limit(memory_in_use() + needed);
    solver->prepare(input, phases);
    Answer answer;
    EXPECT_THROW(solver->solve_with_transfers(answer, phases), OutOfDeviceMemory);
  }
}

class ThetaWindow : public ::testing::TestWithParam<Given> {};

/// Blocks that do not divide R, chunks that do not divide S, chunks larger than S.
TEST_P(ThetaWindow, NeedsNoSizeThatDivides) {
  const Relations relations = random_relations(kSeed + 4, 101, 59, 0);
  const Input input = input_of(relations, "R.a > S.a", Output::rows);
  expect_answer(*sliding_window(GetParam()), input, nested_loops(input));
}

INSTANTIATE_TEST_SUITE_P(
    ThetaSelect, ThetaWindow,
    ::testing::Values(Given{}, Given{{"threads_per_block", 32}, {"chunk", 7}, {"layout", "aos"}},
                      Given{{"threads_per_block", 32}, {"chunk", 32}, {"layout", "soa"}},
                      Given{{"threads_per_block", 64}, {"chunk", 1}}, Given{{"chunk", 100}},
                      Given{{"threads_per_block", 96}, {"chunk", 58}, {"output", "two_pass"}, {"layout", "soa"}},
                      Given{{"threads_per_block", 32}, {"chunk", 30}, {"output", "compressed"}, {"layout", "aos"}}));

TEST(ThetaSelect, SlidingWindowRefusesAChunkLargerThanItsBlock) {
  EXPECT_THROW((void)sliding_window({{"threads_per_block", 32}, {"chunk", 33}}), ParameterError);
}

TEST(ThetaSelect, SlidingWindowAnswersNoAggregate) {
  const Relations relations = random_relations(kSeed, 3, 3, 5);
  Input input = input_of(relations, "R.a > S.a", Output::digest);
  input.query = ThetaJoin::Query::aggregate;
  Phases phases;
  EXPECT_THROW(sliding_window({})->prepare(input, phases), Unsupported);
}

/// Parts that are squares, and strips that fill the memory: there is room for what one way to write takes, not for two.
TEST(ThetaSelect, ChangesHowItWritesOnThePreparedRelations) {
  struct Size {
    std::int64_t r;
    std::int64_t s;
    std::int64_t memory;
  };
  for (const Size& size : {Size{70, 90, 60'000}, Size{4000, 3, 200'000}}) {
    const Relations relations = random_relations(kSeed + 5, size.r, size.s, 30);
    const Input input = input_of(relations, "R.a >= S.a", Output::rows);
    const std::vector<Row> expected = nested_loops(input);
    for (const char* id : {"sliding-window", "naive"}) {
      const testing::MemoryLimit limit(memory_in_use() + size.memory);
      const auto& solvers = solvers_of<ThetaJoin>();
      const auto entry = std::ranges::find(solvers, id, [](const auto& each) { return each.info.id; });
      const std::unique_ptr<Solver<ThetaJoin>> solver = entry->make(Parameters(entry->info.parameters, {}));
      Phases phases;
      solver->prepare(input, phases);
      for (const char* output : {"compressed", "atomic", "two_pass", "compressed"}) {
        if (std::string(output) == "two_pass" && entry->info.id == "naive") continue;
        solver->configure(Parameters(entry->info.parameters, {{"output", output}}));
        Answer answer;
        solver->solve_with_transfers(answer, phases);
        EXPECT_EQ(sorted({answer.rows.begin(), answer.rows.end()}), expected) << id << ' ' << output;
      }
    }
  }
}

/// Rows of one tuple of R over many tiles of a warp, then tuples of R with one or none.
TEST(ThetaSelect, SortedBalancesOverRows) {
  Relations relations = random_relations(kSeed + 6, 700, 900, 1000);
  std::vector<std::int32_t> keys;
  for (std::int32_t i = 0; i < 700; ++i) keys.push_back(i % 90 == 0 ? 900 : i % 7 - 1000);
  relations.r.a = keys;
  for (const char* theta : {"R.a > S.a", "R.a = S.a", "R.a != S.a"}) {
    const Input input = input_of(relations, theta, Output::rows);
    SCOPED_TRACE(std::string(theta) + ", seed " + std::to_string(kSeed + 6));
    expect_answer(*make_sorted_select({}), input, nested_loops(input));
  }
}

/// Above 16,384 tuples S is sorted by radix, below by rank: the other tests have fewer.
TEST(ThetaSelect, SortedSortsManyTuplesToo) {
  const Relations relations = random_relations(kSeed + 9, 30, 16'385, 500);
  for (const char* theta : {"R.a = S.a", "R.a != S.a"}) {
    const Input input = input_of(relations, theta, Output::rows);
    SCOPED_TRACE(std::string(theta) + ", seed " + std::to_string(kSeed + 9));
    expect_answer(*make_sorted_select({}), input, nested_loops(input));
  }
}

/// Every pair of comparisons, over sizes of S around powers of two, keys that repeat and keys that hardly do.
TEST(ThetaSelect, SortedFindsTheRunsOfAnyTwoConditions) {
  const std::vector<std::string> comparisons{"<", "<=", ">", ">=", "=", "!="};
  std::uint64_t seed = kSeed + 8;
  for (const std::size_t size : {1, 3, 8, 33}) {
    for (const std::int32_t range : {3, 100}) {
      const Relations relations = random_relations(++seed, 41, size, range);
      for (const std::string& first : comparisons) {
        for (const std::string& second : comparisons) {
          const std::string theta = "R.a " + first + " S.a and R.x " + second + " S.x";
          SCOPED_TRACE(theta + ", " + std::to_string(size) + " of S, seed " + std::to_string(seed));
          const Input input = input_of(relations, theta, Output::rows);
          expect_answer(*make_sorted_select({}), input, nested_loops(input));
        }
      }
    }
  }
  for (const testing::NamedRelations& named : testing::awkward_relations()) {
    SCOPED_TRACE(named.name);
    const Input input = input_of(named.relations, "R.a <= S.a and R.x > S.a", Output::rows);
    expect_answer(*make_sorted_select({}), input, nested_loops(input));
  }
}

/// One part, whose rows download() writes where it is called apart, and several, which solve() does.
TEST(ThetaSelect, LeavesNothingHalfWrittenWhereAFileHasNoRoom) {
  const Relations relations = random_relations(kSeed + 7, 90, 80, 0);
  const Input input = input_of(relations, "R.a > S.a", Output::file);
  const std::vector<Row> expected = nested_loops(input);
  for (const std::int64_t memory : {1'000'000, 30'000}) {
    const testing::MemoryLimit limit(memory_in_use() + memory);
    const std::unique_ptr<Solver<ThetaJoin>> solver = sliding_window({});
    Phases phases;
    Answer answer;
    solver->prepare(input, phases);
    solver->solve_with_transfers(answer, phases);
    EXPECT_EQ(rows_of_file(answer.file).size(), expected.size());
    {
      const testing::FileSizeLimit full(expected.size() * kRowBytes - 1);
      EXPECT_THROW(solver->solve_with_transfers(answer, phases), Unsupported);
      EXPECT_EQ(rows_of_file(answer.file).size(), 0);
      solver->upload(phases);
      const auto solve_and_download = [&] {
        solver->solve(phases);
        solver->download(answer, phases);
      };
      EXPECT_THROW(solve_and_download(), Unsupported);
    }
    EXPECT_EQ(rows_of_file(answer.file).size(), 0);
    solver->solve_with_transfers(answer, phases);
    EXPECT_EQ(sorted(rows_of_file(answer.file)), expected);
  }
}

}  // namespace
}  // namespace warpbench::theta
