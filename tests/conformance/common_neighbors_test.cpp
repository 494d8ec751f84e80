// The inputs on which every solver of common_neighbors is tried.
#include "problems/common_neighbors/problem.hpp"

#include "tests/algorithms/support/graphs.hpp"
#include "tests/conformance/support/suite.hpp"
#include "tests/problems/support/real_graphs.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::conformance {
namespace {

constexpr std::uint64_t kSeed = 5;

using Problem = CommonNeighbors;

std::vector<Case<Problem>> cases_of(std::vector<testing::NamedGraph> graphs) {
  std::vector<Case<Problem>> cases;
  for (testing::NamedGraph& graph : graphs) cases.push_back(case_of<Problem>(graph.name, std::move(graph.graph)));
  return cases;
}

}  // namespace

template <>
const Inputs<Problem>& inputs<Problem>() {
  static const Inputs<Problem> inputs = [] {
    std::vector<testing::NamedGraph> all = testing::adversarial_graphs();
    for (std::uint64_t i = 0; i < testing::usual_or_thorough(12, 24); ++i) {
      all.push_back({"random_graph(60, " + std::to_string(kSeed + i) + ")", testing::random_graph(60, kSeed + i)});
    }
    all.push_back({"random_graph(400, 0.05, 5)", testing::random_graph(400, 0.05, kSeed)});
    Inputs<Problem> made;
    made.all = cases_of(std::move(all));
    if (auto small = testing::real_graph("chesapeake.mtx", "matrix_market")) {
      made.all.push_back(case_of<Problem>("chesapeake", *std::move(small)));
    }
    made.few = cases_of({{"no_edges", testing::graph_of(5, {})},
                         {"one_edge", testing::graph_of(2, {{0, 1}})},
                         {"clique_33", testing::complete(33)},
                         {"two_hubs", testing::two_hubs(120)},
                         {"skewed", testing::skewed(150, 12, 7)},
                         {"random, seed 5", testing::random_graph(80, 0.2, kSeed)}});
    made.large = cases_of({{"random_graph(300, 0.1, 5)", testing::random_graph(300, 0.1, kSeed)}});
    return made;
  }();
  return inputs;
}

INSTANTIATE_TEST_SUITE_P(CommonNeighbors, Conformance, ::testing::ValuesIn(checks_of<Problem>()), name_of);

}  // namespace warpbench::conformance
