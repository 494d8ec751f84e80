// The inputs on which every solver of subgraph_matching is tried, under all semantics and for all outputs. All queries
// are to be solved.
#include "problems/subgraph_matching/problem.hpp"

#include <algorithm>
#include <string>

#include "solvers/threads.hpp"
#include "tests/conformance/support/suite.hpp"
#include "tests/problems/support/subgraph_cases.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::conformance {
namespace {

constexpr std::uint64_t kSeed = 20'200'420;
/// Of more matches simt takes minutes; it lists fewer than it counts.
std::uint64_t many_matches(bool are_listed) {
  return are_listed ? testing::usual_or_thorough(150, 300) : testing::usual_or_thorough(1000, 2500);
}

using Problem = SubgraphMatching;

Case<Problem> case_with(const datasets::Dataset& dataset, const testing::SubgraphTask& task) {
  Case<Problem> made = case_of<Problem>(dataset, task);
  const auto& counts = made.instance->reference().counts;
  const std::uint64_t most = counts.empty() ? 0 : std::ranges::max(counts);
  made.is_heavy = most > many_matches(task.at("output") == Value("matches"));
  return made;
}

std::string complaint(const Case<Problem>& input, const Judgement& judgement) {
  if (judgement.verdict != Verdict::exact) return judgement.difference;
  const auto queries = static_cast<double>(input.instance->input().queries().size());
  const double solved = judgement.metrics.at("solved");
  if (solved != queries) return std::to_string(queries - solved) + " queries are not solved";
  const double verified = judgement.metrics.at("verified");
  return verified == queries ? "" : std::to_string(queries - verified) + " queries are not verified";
}

}  // namespace

template <>
const Inputs<Problem>& inputs<Problem>() {
  static const Inputs<Problem> inputs = [] {
    const ThreadLimit limit(1);  // the graphs are so small that starting threads would take all the time
    Inputs<Problem> made;
    made.complaint = complaint;
    const std::vector<std::string> outputs{"digest", "matches", "count", "first"};
    std::uint64_t turn = 0;  // an output a case in CI, all that list every match where time is not short
    for (const datasets::Dataset& dataset : testing::adversarial_subgraph_cases()) {
      for (const std::string& semantics : testing::semantics_for(dataset)) {
        for (std::uint64_t i = 0; i < testing::usual_or_thorough(1, 3); ++i) {
          made.all.push_back(case_with(dataset, {{"semantics", semantics}, {"output", outputs[turn++ % 3]}}));
        }
      }
    }
    const std::uint64_t graphs = backend_name() == "simt" ? testing::usual_or_thorough(8, 20) : 500;
    for (std::uint64_t i = 0; i < graphs; ++i) {
      const datasets::Dataset dataset = testing::random_subgraph_case(kSeed + i);
      for (const std::string& semantics : testing::semantics_for(dataset)) {
        made.all.push_back(case_with(dataset, {{"semantics", semantics},
                                               {"output", outputs[i % outputs.size()]},
                                               {"first", static_cast<std::int64_t>(1 + i % 90)}}));
      }
    }
    const datasets::Dataset cycles =
        testing::dataset_of("a clique and a cycle", testing::clique(5), {testing::path(3), testing::cycle(4)});
    for (const datasets::Dataset& dataset : {cycles, testing::random_subgraph_case(kSeed, {})}) {
      for (const char* output : {"digest", "matches"}) {
        made.few.push_back(case_with(dataset, {{"output", output}}));
      }
    }
    made.large = {
        case_with(testing::dataset_of("a clique", testing::clique(14), {testing::path(4)}), {{"output", "digest"}})};
    made.large[0].is_heavy = false;
    return made;
  }();
  return inputs;
}

INSTANTIATE_TEST_SUITE_P(SubgraphMatching, Conformance, ::testing::ValuesIn(checks_of<Problem>()), name_of);

}  // namespace warpbench::conformance
