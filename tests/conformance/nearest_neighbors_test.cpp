// The inputs on which every solver of nearest_neighbors is tried. An answer may be approximate, but is never wrong, and
// good where a solver is at its usual points.
#include "problems/nearest_neighbors/problem.hpp"

#include <algorithm>

#include "tests/conformance/support/suite.hpp"
#include "tests/problems/support/mnist.hpp"
#include "tests/problems/support/vectors.hpp"

namespace warpbench::conformance {
namespace {

constexpr std::uint64_t kSeed = 2023;
constexpr double kMinRecall = 0.9;

using Problem = NearestNeighbors;
using testing::NamedVectors;
using testing::VectorSet;

std::vector<Case<Problem>> cases_of(const std::vector<NamedVectors>& sets,
                                    const std::map<std::string, Value>& task = {}) {
  std::vector<Case<Problem>> cases;
  for (const auto& [name, set] : sets) cases.push_back(case_of<Problem>(name, set, task));
  return cases;
}

/// So many queries at most: simt takes long for one.
NamedVectors first_queries(NamedVectors named, std::int64_t max_queries) {
  VectorSet& set = named.set;
  const std::int64_t queries = std::min(set.query_count(), max_queries);
  set.queries = std::vector<float>(set.queries.begin(), set.queries.begin() + queries * set.dimension());
  return named;
}

std::string quality(const Case<Problem>& /*input*/, const Judgement& judgement) {
  const auto recall = judgement.metrics.find("recall");
  if (recall == judgement.metrics.end() || recall->second >= kMinRecall) return "";
  return "recall " + std::to_string(recall->second);
}

}  // namespace

template <>
const Inputs<Problem>& inputs<Problem>() {
  static const Inputs<Problem> inputs = [] {
    std::vector<NamedVectors> awkward;
    for (const NamedVectors& named : testing::adversarial_vectors()) awkward.push_back(first_queries(named, 4));
    Inputs<Problem> made;
    made.all = cases_of(awkward);
    for (const char* metric : {"euclidean", "cosine", "inner_product"}) {
      for (const int k : {1, 10, 300}) {
        made.all.push_back(case_of<Problem>("clustered, seed 2023", testing::clustered(120, 10, 12, kSeed),
                                            {{"metric", metric}, {"k", k}}));
      }
    }
    if (const auto mnist = testing::mnist(300, 5)) made.all.push_back(case_of<Problem>("MNIST", *mnist));
    made.few = cases_of({{"a line", testing::vectors_of(1, {5, 1, 4, 2, 3, 0, 6, 9, 7, 8}, {3.2F, -10})},
                         {"clustered, seed 2023", testing::clustered(60, 4, 10, kSeed)}},
                        {{"k", 5}});
    made.large = cases_of({{"clustered, seed 2023", testing::clustered(150, 10, 16, kSeed)}});
    made.is_approximate = true;
    made.complaint = [](const Case<Problem>&, const Judgement& judgement) { return judgement.difference; };
    made.quality = quality;
    return made;
  }();
  return inputs;
}

INSTANTIATE_TEST_SUITE_P(NearestNeighbors, Conformance, ::testing::ValuesIn(checks_of<Problem>()), name_of);

}  // namespace warpbench::conformance
