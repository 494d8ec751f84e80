// Every GPU solver of subgraph_matching finds the matches of plain backtracking in a graph that small ones do not stand
// for: a vertex with very many neighbours.
#include <gtest/gtest.h>

#include <string>

#include "device/device.hpp"
#include "tests/problems/support/solver_ids.hpp"
#include "tests/problems/support/subgraph_cases.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench {
namespace {

class SubgraphAgreement : public ::testing::TestWithParam<std::string> {};

TEST_P(SubgraphAgreement, FindAllMatchesInAGreatStar) {
  for (const bool many_matches : {false, true}) {
    const std::size_t leaves = backend_name() != "simt" ? 100'000
                               : many_matches           ? testing::usual_or_thorough(300, 600)
                                                        : testing::usual_or_thorough(5000, 10'000);
    const datasets::Dataset dataset = testing::great_star(leaves, many_matches);
    for (const char* semantics : {"isomorphism", "homomorphism"}) {
      const auto input = testing::subgraph_input(dataset, {{"semantics", semantics}, {"output", "digest"}});
      const testing::SubgraphRun run = testing::run_subgraph_solver(GetParam(), {}, input);
      EXPECT_EQ(run.judgement.verdict, Verdict::exact) << semantics << ": " << run.judgement.difference << run.refused;
      EXPECT_EQ(run.counters.at("unsolved"), 0) << semantics;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SubgraphAgreement,
                         ::testing::ValuesIn(testing::solver_ids<SubgraphMatching>([](const SolverInfo& solver) {
                           return solver.device != Target::cpu;
                         })),
                         testing::name_of_solver);

}  // namespace
}  // namespace warpbench
