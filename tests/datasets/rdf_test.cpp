// RDF-like graphs: labels and degrees as requested, types and predicates that go together, the same graph for any
// number of threads.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "datasets/generators/generators.hpp"
#include "support.hpp"

namespace warpbench::datasets::testing {
namespace {

using I = std::int64_t;

Properties small() {
  return {{"vertices", 20'000}, {"edges", 200'000}, {"max_degree", 3'000}, {"vertex_labels", 40}};
}

LabelledGraph rdf(const std::string& generator, const Properties& parameters, std::uint64_t seed = 1, int threads = 2) {
  return std::get<LabelledGraph>(generate(generator, parameters, seed, threads).data);
}

TEST(Rdf, DependsOnTheSeedAndNotOnTheThreads) {
  for (const char* const generator : {"watdiv_like", "dbpedia_like"}) {
    const LabelledGraph first = rdf(generator, small(), 7, 1);
    first.validate();
    EXPECT_EQ(rdf(generator, small(), 7, 3), first);
    EXPECT_NE(rdf(generator, small(), 8, 2), first);
  }
}

// If a digest changes, old names mean other datasets: raise kGeneratorVersion with it.
TEST(Rdf, DigestsAreTheSameOnEveryMachine) {
  EXPECT_EQ(digest_of(rdf("watdiv_like", small(), 7)), "be9ae20cbb94a91dcb60c9a1ee575230");
  EXPECT_EQ(digest_of(rdf("dbpedia_like", small(), 7)), "898680de4d5ad3f458430bb39fa97d2b");
}

TEST(Rdf, HasTheRequestedSizes) {
  const LabelledGraph graph = rdf("watdiv_like", small());
  EXPECT_EQ(graph.vertices(), 20'000);
  EXPECT_NEAR(static_cast<double>(graph.edges()), 200'000.0, 2'000.0);
  EXPECT_NEAR(static_cast<double>(graph.graph.max_degree()), 3'000.0, 450.0);
  const Properties facts = graph.describe();
  EXPECT_EQ(facts.at("vertex_labels"), Property{40});
  EXPECT_EQ(facts.at("edge_labels"), Property{86});
  EXPECT_FALSE(graph.edge_label_offsets.empty()) << "some pairs have several predicates";
  EXPECT_LE(graph.graph.degree_statistics().isolated, 200);
  Properties half = small();
  half["scale"] = 0.5;
  const LabelledGraph smaller = rdf("watdiv_like", half);
  EXPECT_EQ(smaller.vertices(), 10'000);
  EXPECT_NEAR(static_cast<double>(smaller.graph.max_degree()), 1'500.0, 250.0) << "hubs shrink in proportion";
}

TEST(Rdf, PredicatesAndTypesFollowPowerLaws) {
  const LabelledGraph graph = rdf("watdiv_like", small());
  std::vector<double> predicates(86);
  for (const std::uint32_t label : graph.edge_labels) predicates.at(label) += 0.5;
  std::vector<double> types(40);
  for (const std::uint32_t label : graph.vertex_labels) types.at(label) += 1;
  double harmonic = 0;
  for (int k = 1; k <= 86; ++k) harmonic += 1.0 / k;
  const double triples = static_cast<double>(graph.edge_labels.size()) / 2;
  for (const std::size_t k :
       {0U, 1U, 9U, 50U}) {  // repeats of a pair are merged, so there are slightly fewer than drawn
    const double expected = triples / harmonic / static_cast<double>(k + 1);
    EXPECT_NEAR(predicates[k], expected, 0.1 * expected + 5 * std::sqrt(expected)) << "predicate " << k;
  }
  EXPECT_GT(types[0], 8 * types[19]);
  EXPECT_LT(types[0], 40 * types[19]);
}

TEST(Rdf, APredicateReachesFewTypes) {
  const LabelledGraph graph = rdf("watdiv_like", small());
  // For the rarer half of the predicates: the types at either end, weighted by edges.
  std::map<std::uint32_t, std::map<std::uint32_t, int>> ends;
  for (I i = 0; i < graph.vertices(); ++i) {
    const auto v = static_cast<Vertex>(i);
    for (std::uint64_t slot = graph.graph.offsets[v]; slot < graph.graph.offsets[v + std::size_t{1}]; ++slot) {
      for (const std::uint32_t label : graph.slot_labels(slot)) {
        if (label >= 43) ++ends[label][graph.labels(v)[0]];
      }
    }
  }
  double share = 0;
  for (const auto& [label, types] : ends) {
    int total = 0;
    std::vector<int> counts;
    for (const auto& [type, count] : types) {
      total += count;
      counts.push_back(count);
    }
    std::ranges::sort(counts, std::greater<>());
    const int most = counts[0] + (counts.size() > 1 ? counts[1] : 0) + (counts.size() > 2 ? counts[2] : 0) +
                     (counts.size() > 3 ? counts[3] : 0);
    share += static_cast<double>(most) / total / static_cast<double>(ends.size());
  }
  EXPECT_GT(share, 0.65) << "all objects, half of all ends, lie in about four types";
}

}  // namespace
}  // namespace warpbench::datasets::testing
