// The joins of set_similarity_join on the CPU beyond the conformance suite: every number of threads, both ways to share
// a join, and repeated solves, against a plain loop over all pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>

#include "problems/set_similarity_join/problem.hpp"
#include "solvers/solver.hpp"
#include "tests/problems/support/similar_sets.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::testing {
namespace {

using Input = SetSimilarityJoin::Input;
using Output = SetSimilarityJoin::Output;
using similarity::Pair;
using Given = std::map<std::string, Value>;

constexpr std::uint64_t kSeed = 6200;

/// A solver on an input.
class Solved {
 public:
  Solved(const std::string& id, const Input& input, const Given& given) : input_(&input) {
    const auto& all = solvers_of<SetSimilarityJoin>();
    const auto entry = std::ranges::find(all, id, [](const auto& e) { return e.info.id; });
    specs_ = entry->info.parameters;
    solver_ = entry->make(Parameters(specs_, given));
    solver_->prepare(input, phases_);
  }

  void configure(const Given& given) { solver_->configure(Parameters(specs_, given)); }
  /// Ascending.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> solve() {
    solver_->solve(phases_);
    solver_->download(answer, phases_);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
    for (const Pair& pair : answer.pairs) {
      found.emplace_back(pair.a, pair.b);
      EXPECT_EQ(pair.similarity, value(pair));
    }
    std::ranges::sort(found);
    return found;
  }
  [[nodiscard]] std::map<std::string, double> counters() const { return solver_->counters(); }
  std::map<std::string, double> seconds() { return phases_.seconds(); }

  SetSimilarityJoin::Answer answer;

 private:
  [[nodiscard]] float value(const Pair& pair) const {
    const auto a = input_->sets->set(pair.a);
    const auto b = input_->sets->set(pair.b);
    Tokens both;
    std::ranges::set_intersection(a, b, std::back_inserter(both));
    return similarity::value_of(input_->measure, static_cast<std::uint32_t>(both.size()),
                                static_cast<std::uint32_t>(a.size()), static_cast<std::uint32_t>(b.size()));
  }

  const Input* input_;
  std::vector<ParameterSpec> specs_;
  Phases phases_;
  std::unique_ptr<Solver<SetSimilarityJoin>> solver_;
};

std::vector<std::pair<std::uint32_t, std::uint32_t>> similar_pairs(const Input& input) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
  for (std::int64_t a = 0; a < input.sets->count(); ++a) {
    for (std::int64_t b = a + 1; b < input.sets->count(); ++b) {
      Tokens both;
      std::ranges::set_intersection(input.sets->set(a), input.sets->set(b), std::back_inserter(both));
      if (input.joins(a, b) &&
          input.similar(static_cast<std::uint32_t>(both.size()), input.sets->size(a), input.sets->size(b))) {
        found.emplace_back(a, b);
      }
    }
  }
  return found;
}

std::vector<Given> ways_to_solve(const std::string& id) {
  std::vector<Given> all;
  for (const int threads : {1, 2, 3, 8}) {
    for (const char* sharing : {"partitions", "index"}) {
      all.push_back({{"threads", threads}, {"sharing", sharing}});
      if (id != "groupjoin") all.push_back({{"threads", threads}, {"sharing", sharing}, {"signatures", true}});
    }
  }
  return all;
}

std::string text_of(const Given& given) {
  std::string text;
  for (const auto& [name, value] : given) text += " " + name + "=" + to_string(value);
  return text;
}

class PrefixJoins : public ::testing::TestWithParam<std::string> {};

TEST_P(PrefixJoins, FindSimilarPairsOnAnyNumberOfThreads) {
  std::mt19937_64 random(kSeed);
  // One of three seeds joins two collections.
  for (std::uint64_t seed = kSeed; seed < kSeed + usual_or_thorough(3, 100); ++seed) {
    const datasets::SetCollection sets = similar_sets(seed);
    for (const std::string& measure : kMeasures) {
      const double threshold = kThresholds[random() % kThresholds.size()];
      const Input input{&sets,
                        seed % 3 == 0 ? sets.count() / 3 : 0,
                        measure_of(measure),
                        similarity::fraction_of(threshold),
                        Output::pairs,
                        {}};
      const auto expected = similar_pairs(input);
      Solved solved(GetParam(), input, {});
      for (const Given& way : ways_to_solve(GetParam())) {
        solved.configure(way);
        for (int time = 0; time < 2; ++time) {
          ASSERT_EQ(solved.solve(), expected) << "seed " << seed << ", " << measure << " " << threshold << text_of(way);
        }
      }
    }
  }
}

/// A partition and a chunk of probes end in the midst of groups.
TEST_P(PrefixJoins, JoinManyEqualSets) {
  const datasets::SetCollection sets = similar_sets(kSeed, {300, 4, 9, 0.9});
  for (const Output output : {Output::count, Output::digest}) {
    const Input input{&sets, 0, similarity::Measure::jaccard, {3, 4}, output, {}};
    const auto expected = similar_pairs(input);
    std::uint64_t digest = 0;
    for (const auto& [a, b] : expected) digest += similarity::digest_of_pair(a, b);
    for (const Given& way : ways_to_solve(GetParam())) {
      Solved solved(GetParam(), input, way);
      EXPECT_TRUE(solved.solve().empty());
      EXPECT_EQ(solved.answer.count, expected.size()) << text_of(way);
      EXPECT_EQ(solved.answer.pair_digest, output == Output::digest ? digest : 0) << text_of(way);
    }
  }
}

TEST_P(PrefixJoins, TellPhasesAndCounters) {
  const datasets::SetCollection sets = similar_sets(kSeed, {300, 12, 60, 0.7});
  const Input input{&sets, 0, similarity::Measure::jaccard, {4, 5}, Output::count, {}};
  Solved one(GetParam(), input, {});
  static_cast<void>(one.solve());
  for (const char* phase : {"index", "filter", "verify"}) EXPECT_EQ(one.seconds().count(phase), 1U) << phase;
  Solved many(GetParam(), input, {{"threads", 3}, {"sharing", "index"}});
  static_cast<void>(many.solve());
  for (const char* phase : {"index", "join"}) EXPECT_EQ(many.seconds().count(phase), 1U) << phase;
  for (const char* name : {"candidates", "similar_pairs", "index_bytes"}) {
    EXPECT_EQ(one.counters().at(name), many.counters().at(name)) << name;
    EXPECT_GT(one.counters().at(name), 0) << name;
  }
  Input of_pairs = input;
  of_pairs.output = Output::pairs;
  Solved with_pairs(GetParam(), of_pairs, {});
  EXPECT_FALSE(with_pairs.solve().empty());
  EXPECT_EQ(with_pairs.seconds().count("gather"), 0U) << "one thread has all pairs";
  with_pairs.configure({{"threads", 3}});
  EXPECT_FALSE(with_pairs.solve().empty());
  EXPECT_EQ(with_pairs.seconds().count("gather"), 1U);
  if (GetParam() != "groupjoin") return;
  EXPECT_GT(one.counters().at("expansion_candidates"), 0);
  EXPECT_LT(one.counters().at("groups"), static_cast<double>(sets.count()));
}

INSTANTIATE_TEST_SUITE_P(Cpu, PrefixJoins, ::testing::Values("allpairs", "ppjoin", "groupjoin"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace warpbench::testing
