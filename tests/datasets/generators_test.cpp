// Generators: the same graph for any number of threads, statistics near the stated ones, parameters checked.
#include "datasets/generators/generators.hpp"

#include <cmath>

#include "datasets/generators/fixed_math.hpp"
#include "datasets/generators/random.hpp"
#include "datasets/generators/weights.hpp"
#include "datasets/graphs/graph_queries.hpp"
#include "support.hpp"

namespace warpbench::datasets::testing {
namespace {

using I = std::int64_t;

const Csr& graph_of(const Content& content) {
  return std::get<Csr>(content.data);
}

struct Case {
  std::string name;
  std::string generator;
  Properties parameters;
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name;
}

std::vector<Case> cases() {
  const Properties size{{"vertices", 20'000}, {"edges", 160'000}};
  const auto with = [&size](Properties more) {
    more.insert(size.begin(), size.end());
    return more;
  };
  return {{"rmat", "rmat", {{"log2_vertices", 13}, {"a", 0.45}, {"b", 0.22}, {"c", 0.22}}},
          {"kronecker", "kronecker", {{"log2_vertices", 13}}},
          {"uniform", "uniform", size},
          {"power_law", "power_law", with({{"max_degree", 700}})},
          {"social", "social", with({{"max_degree", 700}})},
          {"hub", "hub", with({{"max_degree", 300}, {"hubs", 3}, {"hub_degree", 12'000}})},
          {"grid", "grid", {{"vertices", 20'000}, {"edges", 24'000}}}};
}

class GeneratorOf : public ::testing::TestWithParam<Case> {};

TEST_P(GeneratorOf, DependsOnTheSeedAndNotOnTheThreads) {
  const Case& one = GetParam();
  const Content first = generate(one.generator, one.parameters, 7, 1);
  validate(first.data);
  EXPECT_EQ(digest_of(generate(one.generator, one.parameters, 7, 2).data), digest_of(first.data));
  EXPECT_EQ(digest_of(generate(one.generator, one.parameters, 7, 3).data), digest_of(first.data));
  EXPECT_NE(digest_of(generate(one.generator, one.parameters, 8, 2).data), digest_of(first.data));
}

INSTANTIATE_TEST_SUITE_P(All, GeneratorOf, ::testing::ValuesIn(cases()),
                         [](const auto& one) { return one.param.name; });

// If a digest changes, old names mean other datasets: raise kGeneratorVersion with it.
TEST(Generators, DigestsAreTheSameOnEveryMachine) {
  const std::map<std::string, std::string> known{
      {"rmat", "e186ce7448ce1f8273b462b8c2430b38"},    {"kronecker", "40d21f481e15272b869d04829d3e9b35"},
      {"uniform", "a6dc203921ee459f10747651fcc59c7b"}, {"power_law", "669efb093412ab2090da0f621beb9010"},
      {"social", "9d73820ddee0a156e0160a70e71a79a4"},  {"hub", "0468874021e47edf2bb6061a462d846d"},
      {"grid", "9d106b592fb38f3ae67145528c6778e1"},
  };
  for (const Case& one : cases()) {
    EXPECT_EQ(digest_of(generate(one.generator, one.parameters, 7, 2).data), known.at(one.name)) << one.name;
  }
}

TEST(Generators, EveryGeneratorIsTested) {
  std::map<std::string, int> tested;
  for (const Case& one : cases()) ++tested[one.generator];
  for (const Generator& generator : generators()) {
    if (generator.kind != Kind::Graph) continue;  // vectors_test.cpp, set_generators_test.cpp, rdf_test.cpp
    EXPECT_EQ(tested[generator.name], 1) << generator.name;
  }
}

TEST(Generators, SizesAreNearTheStatedOnes) {
  for (const Case& one : cases()) {
    if (one.generator == "rmat" || one.generator == "kronecker") continue;  // repeats are dropped, not replaced
    const Content content = generate(one.generator, one.parameters, 1, 2);
    EXPECT_EQ(graph_of(content).vertices(), 20'000) << one.name;
    const auto edges = static_cast<double>(std::get<I>(one.parameters.at("edges")));
    EXPECT_NEAR(static_cast<double>(graph_of(content).edges()), edges, 0.01 * edges) << one.name;
  }
}

TEST(Generators, MaximumDegreesAreNearTheStatedOnes) {
  for (const std::string name : {"power_law", "social"}) {
    const Content content = generate(name, cases()[3].parameters, 1, 2);
    EXPECT_NEAR(static_cast<double>(graph_of(content).max_degree()), 700.0, 150.0) << name;
  }
  const Content hub = generate("hub", cases()[5].parameters, 1, 2);
  EXPECT_GE(graph_of(hub).max_degree(), 11'999);
  EXPECT_LE(graph_of(hub).max_degree(), 12'600);
  EXPECT_GT(graph_of(hub).skewed_share(), 0.05) << "hubs make intersections skewed (che2019 Table 2)";
}

TEST(Generators, GridIsAConnectedMeshOfDegreesUpToEight) {
  for (const I vertices : {2, 3, 7, 100, 9'999}) {
    SCOPED_TRACE(vertices);
    const I most = vertices * (vertices - 1) / 4;
    if (most < vertices - 1) continue;
    const Csr sparse = graph_of(generate("grid", {{"vertices", vertices}, {"edges", vertices - 1}}, 3, 2));
    EXPECT_EQ(sparse.edges(), vertices - 1);
    EXPECT_EQ(reached_from_first(sparse), vertices) << "a tree";
    const Csr dense =
        graph_of(generate("grid", {{"vertices", vertices}, {"edges", std::min(3 * vertices, most)}}, 3, 2));
    EXPECT_LE(dense.max_degree(), 8);
    EXPECT_EQ(reached_from_first(dense), vertices);
  }
  const Csr road = graph_of(generate("grid", cases()[6].parameters, 1, 2));
  EXPECT_GE(road.max_degree(), 6);
  EXPECT_THROW(static_cast<void>(generate("grid", {{"vertices", 100}, {"edges", 98}}, 1)), InputError);
  EXPECT_THROW(static_cast<void>(generate("grid", {{"vertices", 100}, {"edges", 301}}, 1)), InputError);
}

std::int64_t triangles(const Csr& graph) {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < graph.vertices(); ++i) {
    const auto u = static_cast<Vertex>(i);
    for (const Vertex v : graph.row(u)) {
      for (const Vertex w : graph.row(v)) {
        if (u < v && v < w && graph.has_edge(u, w)) ++count;
      }
    }
  }
  return count;
}

TEST(Generators, SocialHasManyTimesTheTrianglesOfPowerLaw) {
  const Properties parameters{{"vertices", 5'000}, {"edges", 40'000}, {"max_degree", 200}};
  EXPECT_GT(triangles(graph_of(generate("social", parameters, 1, 2))),
            5 * triangles(graph_of(generate("power_law", parameters, 1, 2))));
}

TEST(Generators, PowerLawHasTheExponent) {
  // P(degree >= d) falls as d^-(exponent - 1): compare the tail at two degrees, away from both ends.
  const Properties parameters{{"vertices", 200'000}, {"edges", 1'000'000}, {"max_degree", 20'000}, {"exponent", 2.2}};
  const Content content = generate("power_law", parameters, 1, 2);
  double above_40 = 0;
  double above_640 = 0;
  for (std::int64_t v = 0; v < graph_of(content).vertices(); ++v) {
    const std::int64_t degree = graph_of(content).degree(static_cast<Vertex>(v));
    above_40 += degree >= 40 ? 1 : 0;
    above_640 += degree >= 640 ? 1 : 0;
  }
  EXPECT_NEAR(std::log2(above_40 / above_640) / 4.0, 1.2, 0.15);
}

TEST(Generators, ScaleShrinks) {
  const Properties parameters{{"vertices", 1'000'000}, {"edges", 8'000'000}, {"max_degree", 2'000}, {"scale", 0.01}};
  const Content content = generate("power_law", parameters);
  EXPECT_EQ(graph_of(content).vertices(), 10'000);
  EXPECT_NEAR(static_cast<double>(graph_of(content).edges()), 80'000.0, 800.0);
  EXPECT_EQ(graph_of(generate("kronecker", {{"log2_vertices", 20}, {"scale", 0.001}})).vertices(), 1024);
}

TEST(Generators, ParametersAreChecked) {
  const auto fails = [](const std::string& generator, const Properties& parameters) {
    const auto error = error_of([&] { return generate(generator, parameters); });
    return error ? std::string(error->what()) : "";
  };
  EXPECT_EQ(fails("unifrom", {}),
            "generator: expected a generator (one of clustered, coordinates, dbpedia_like, grid, hub, kronecker, "
            "planted_ratings, power_law, rmat, set_collection, set_pair, social, theta_relations, uniform, "
            "uniform_vectors, watdiv_like), found \"unifrom\" (did you mean "
            "\"uniform\"?)");
  EXPECT_EQ(fails("uniform", {{"vertices", 10}, {"egdes", 9}}),
            "generator uniform: expected a parameter (one of vertices, edges, scale), found \"egdes\" (did you mean "
            "\"edges\"?)");
  EXPECT_EQ(fails("uniform", {{"vertices", 10}}),
            "generator uniform: expected a value for \"edges\", found none (undirected edges at scale 1)");
  EXPECT_EQ(fails("uniform", {{"vertices", 1}, {"edges", 1}}),
            "generator uniform: expected a whole number from 2 to 4294967295, found vertices: 1 (vertices at scale 1)");
  EXPECT_EQ(
      fails("uniform", {{"vertices", 10.5}, {"edges", 1}}),
      "generator uniform: expected a whole number from 2 to 4294967295, found vertices: 10.5 (vertices at scale 1)");
  EXPECT_EQ(fails("uniform", {{"vertices", 10}, {"edges", 40}}),
            "uniform: expected edges for at most half of all pairs, 22, found 40");
  EXPECT_EQ(
      fails("uniform", {{"vertices", 10}, {"edges", 4}, {"scale", std::nan("")}}),
      "generator uniform: expected a number from 1e-07 to 16, found scale: nan (share of the full size that is made)");
  EXPECT_EQ(fails("rmat", {{"log2_vertices", 4}, {"a", 0.5}, {"b", 0.5}, {"c", 0.25}}),
            "rmat: expected a + b + c of at most 1, found 1.25");
  EXPECT_EQ(fails("hub", {{"vertices", 100}, {"edges", 60}, {"max_degree", 10}, {"hub_degree", 50}}),
            "hub: expected edges for the hubs and at least half of the vertices, 100, found 60");
}

TEST(FixedMath, AgreesWithTheLibrary) {
  for (const std::uint64_t x : {1ULL, 2ULL, 3ULL, 10ULL, 4096ULL, 123'456'789ULL, 1ULL << 40U, ~0ULL}) {
    EXPECT_NEAR(static_cast<double>(log2_q32(x)) / 4294967296.0, std::log2(static_cast<double>(x)), 1e-9) << x;
  }
  for (const double x : {0.0, 0.1, 0.5, 1.0, 1.75, 7.3, 30.0}) {
    const auto fixed = static_cast<std::uint64_t>(x * 4294967296.0);
    EXPECT_NEAR(static_cast<double>(exp2_minus_q62(fixed)) / 4611686018427387904.0, std::exp2(-x), 1e-8) << x;
  }
}

TEST(Permutation, IsAPermutationForEverySize) {
  for (std::uint64_t size = 1; size <= 300; ++size) {
    const Permutation permutation(size, 5, 6);
    std::vector<bool> seen(size, false);
    for (std::uint64_t i = 0; i < size; ++i) {
      ASSERT_LT(permutation(i), size);
      ASSERT_FALSE(seen[permutation(i)]) << "size " << size;
      seen[permutation(i)] = true;
    }
  }
}

TEST(WeightedChoice, GivesEachIndexItsShareAndNoneToZeroWeights) {
  const std::vector<std::uint32_t> weights{0, 5, 0, 0, 1, 1000, 0, 3};
  const WeightedChoice choice(weights);
  ASSERT_EQ(choice.total(), 1009u);
  std::vector<std::uint32_t> counts(weights.size());
  for (std::uint64_t point = 0; point < choice.total(); ++point) ++counts[choice.find(point)];
  EXPECT_EQ(counts, weights);
}

}  // namespace
}  // namespace warpbench::datasets::testing
