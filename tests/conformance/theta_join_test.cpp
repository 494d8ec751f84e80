// The inputs on which every solver of theta_join is tried: both queries, each output.
#include "problems/theta_join/problem.hpp"

#include "tests/conformance/support/suite.hpp"
#include "tests/problems/support/relations.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::conformance {
namespace {

constexpr std::uint64_t kSeed = 32'022;

using Problem = ThetaJoin;
using Task = std::map<std::string, Value>;

/// The queries and outputs of a θ.
std::vector<Task> tasks_of(const std::string& theta) {
  std::vector<Task> tasks{{{"theta", theta}}};
  for (const char* output : {"count", "digest", "rows", "file"}) {
    tasks.push_back({{"theta", theta}, {"query", "select"}, {"output", output}});
  }
  return tasks;
}

void append_cases(std::vector<Case<Problem>>& cases, const std::string& name, const testing::Relations& relations,
                  const std::vector<Task>& tasks) {
  for (const Task& task : tasks) cases.push_back(case_of<Problem>(name, relations, task));
}

}  // namespace

template <>
const Inputs<Problem>& inputs<Problem>() {
  static const Inputs<Problem> inputs = [] {
    const auto random = [](std::size_t r, std::size_t s, std::int32_t range, std::uint64_t seed = kSeed) {
      return testing::random_relations(seed, r, s, range);
    };
    Inputs<Problem> made;
    for (const auto& [name, relations] : testing::awkward_relations()) {
      append_cases(made.all, name, relations, tasks_of("R.a > S.a"));
    }
    // Sizes around those of blocks, and no multiples of them.
    append_cases(made.all, "257 × 31, seed 32022", random(257, 31, 0), tasks_of("R.a > S.a"));
    append_cases(made.all, "31 × 1025, seed 32022", random(31, 1025, 100), tasks_of("R.a > S.a"));
    for (const std::string& theta : testing::kThetas) {
      append_cases(made.all, "130 × 70, ties, seed 32022", random(130, 70, 8), tasks_of(theta));
    }
    for (std::uint64_t i = 0; i < testing::usual_or_thorough(2, 20); ++i) {
      append_cases(made.all, "67 × 99, seed " + std::to_string(kSeed + i), random(67, 99, 0, kSeed + i),
                   tasks_of(testing::kThetas[i % testing::kThetas.size()]));
    }
    append_cases(made.few, "50 × 77, seed 32022", random(50, 77, 20), tasks_of("R.a > S.a"));
    append_cases(made.few, "40 × 60, ties, seed 32022", random(40, 60, 4), tasks_of("R.a >= S.a and R.x != S.x"));
    append_cases(made.large, "700 × 300, seed 32022", random(700, 300, 0), tasks_of("R.a > S.a"));
    return made;
  }();
  return inputs;
}

INSTANTIATE_TEST_SUITE_P(ThetaJoin, Conformance, ::testing::ValuesIn(checks_of<Problem>()), name_of);

}  // namespace warpbench::conformance
