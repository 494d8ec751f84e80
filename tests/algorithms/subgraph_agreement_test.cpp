// Every GPU solver of subgraph_matching finds the matches of plain backtracking, in awkward and in random graphs, under
// all semantics.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "device/device.hpp"
#include "tests/problems/support/subgraph_cases.hpp"

namespace warpbench {
namespace {

using datasets::Dataset;
using testing::SubgraphRun;
using testing::SubgraphTask;

constexpr std::uint64_t kSeed = 20200420;

class SubgraphAgreement : public ::testing::TestWithParam<const char*> {
 protected:
  /// All queries solved, and rightly.
  static void expect_right(const Dataset& dataset, const SubgraphTask& task) {
    const SubgraphMatching::Input input = testing::subgraph_input(dataset, task);
    const SubgraphMatching::Reference reference = SubgraphMatching::reference(input);
    std::string what = dataset.name;
    for (const auto& [name, value] : task) what += ", " + to_string(value);
    // simt takes a microsecond a thread: there, but of fsig, only what has few matches is asked for.
    if (backend_name() == "simt") {
      const std::uint64_t most = std::ranges::max(reference.counts);
      if (GetParam() != std::string("fsig") && most > 2500) return;
      if (task.at("output") == Value(std::string("matches")) && most > 300) return;
    }
    SubgraphRun run = testing::run_subgraph_solver(GetParam(), {}, input, reference);
    EXPECT_EQ(run.refused, "") << what;
    EXPECT_EQ(run.judgement.verdict, Verdict::exact) << what << ": " << run.judgement.difference;
    EXPECT_EQ(run.judgement.metrics["solved"], static_cast<double>(input.queries().size())) << what;
  }
};

TEST_P(SubgraphAgreement, FindAllMatchesInAwkwardGraphs) {
  for (const Dataset& dataset : testing::adversarial_subgraph_cases()) {
    for (const std::string& semantics : testing::semantics_for(dataset)) {
      for (const char* output : {"digest", "matches", "count"}) {
        expect_right(dataset, {{"semantics", semantics}, {"output", std::string(output)}});
      }
    }
  }
}

TEST_P(SubgraphAgreement, FindAllMatchesInAGreatStar) {
  const std::size_t leaves = backend_name() == "simt" ? 10'000 : 100'000;
  for (const bool many : {false, true}) {
    for (const char* semantics : {"isomorphism", "homomorphism"}) {
      expect_right(testing::great_star(leaves, many),
                   {{"semantics", std::string(semantics)}, {"output", std::string("digest")}});
    }
  }
}

TEST_P(SubgraphAgreement, FindAllMatchesInRandomGraphs) {
  const std::vector<std::string> outputs{"digest", "matches", "count", "first"};
  const std::uint64_t graphs = backend_name() == "simt" ? 20 : 500;
  for (std::uint64_t i = 0; i < graphs; ++i) {
    const Dataset dataset = testing::random_subgraph_case(kSeed + i);
    for (const std::string& semantics : testing::semantics_for(dataset)) {
      expect_right(dataset, {{"semantics", semantics},
                             {"output", outputs[i % outputs.size()]},
                             {"first", static_cast<std::int64_t>(1 + i % 90)}});
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SubgraphAgreement,
                         ::testing::Values("fsig", "gpsm", "gsi", "gunrock-sm", "magiq", "wukong-g"),
                         [](const auto& solver) {
                           std::string name = solver.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace warpbench
