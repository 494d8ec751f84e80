#include "datasets/generators/generators.hpp"

#include <algorithm>
#include <utility>

#include "datasets/generators/graphs/basic_graphs.hpp"
#include "datasets/generators/graphs/grid.hpp"
#include "datasets/generators/graphs/hub.hpp"
#include "datasets/generators/graphs/rdf.hpp"
#include "datasets/generators/graphs/social.hpp"
#include "datasets/generators/ratings/planted_ratings.hpp"
#include "datasets/generators/relations/coordinates.hpp"
#include "datasets/generators/relations/theta_relations.hpp"
#include "datasets/generators/sets/set_collection.hpp"
#include "datasets/generators/sets/set_pair.hpp"
#include "datasets/generators/size.hpp"
#include "datasets/generators/vectors/vectors.hpp"

namespace warpbench::datasets {
namespace {

using Declarations = std::vector<ParameterDeclaration>;

Declarations operator+(Declarations left, const Declarations& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

Declarations rmat_size(std::int64_t edge_factor) {
  return {{"log2_vertices", 0, 1, 31, "2^log2_vertices vertices at scale 1", true},
          {"edge_factor", edge_factor, 1, 4096, "edges drawn a vertex, before repeats are dropped", false},
          scale_parameter()};
}

std::vector<Generator> make_generators() {
  const Declarations quadrants{{"a", 0.57, 0.0, 1.0, "probability of the top left quadrant", false},
                               {"b", 0.19, 0.0, 1.0, "probability of the top right quadrant", false},
                               {"c", 0.19, 0.0, 1.0, "probability of the bottom left quadrant", false}};
  const Declarations share{{"community_share", 0.7, 0.0, 1.0, "share of a vertex's degree inside communities", false}};
  const Declarations hubs{{"hubs", 1, 1, 100'000, "vertices above the power law", false},
                          {"hub_degree", 0, 1, 4e9, "degree of the largest hub at scale 1", true}};
  std::vector<Generator> all{
      {"rmat", Kind::Graph, "R-MAT: recursive quadrants, skewed, few triangles", rmat_size(16) + quadrants,
       &generate_rmat},
      {"kronecker", Kind::Graph, "R-MAT with Graph500's probabilities", rmat_size(16), &generate_kronecker},
      {"uniform", Kind::Graph, "uniformly random pairs (Erdős–Rényi)", size_parameters(), &generate_uniform},
      {"power_law", Kind::Graph, "Chung-Lu: power-law degrees, few triangles", size_parameters() + degree_parameters(),
       &generate_power_law},
      {"social", Kind::Graph, "power-law degrees and overlapping communities, many triangles",
       size_parameters() + degree_parameters() + share, &generate_social},
      {"hub", Kind::Graph, "power-law degrees and a few hubs far above them",
       size_parameters() + degree_parameters() + hubs, &generate_hub},
      {"grid", Kind::Graph, "a road network: crossings on a square, joined to some of eight neighbours",
       size_parameters(), &generate_grid},
      {"watdiv_like", Kind::LabelledGraph, "RDF as WatDiv makes it: entities with types, few predicates, hub objects",
       rdf_parameters(1000, 86, 1.0), &generate_rdf},
      {"dbpedia_like", Kind::LabelledGraph, "RDF as DBpedia has it: entities with types, many predicates, hub objects",
       rdf_parameters(1000, 57'000, 1.2), &generate_rdf},
      {"clustered", Kind::Vectors, "overlapping clusters of low intrinsic dimension, like real descriptors",
       vector_parameters() + cluster_parameters(), &generate_clustered, &generate_clustered_into},
      {"uniform_vectors", Kind::Vectors, "uniformly random points of the unit cube", vector_parameters(),
       &generate_uniform_vectors},
      {"planted_ratings", Kind::Ratings, "ratings of a planted rank with noise, users and items by Zipf's law",
       planted_ratings_parameters(), &generate_planted_ratings},
      {"theta_relations", Kind::Relation, "two relations with a given selectivity of R.a > S.a",
       theta_relations_parameters(), &generate_theta_relations},
      {"coordinates", Kind::Relation, "check-ins at places around towns: latitude and longitude in 1e-7 degrees",
       coordinates_parameters(), &generate_coordinates},
      {"set_pair", Kind::Sets, "two large sets, their tokens uniform, normal or zipf", set_pair_parameters(),
       &generate_set_pair},
      {"set_collection", Kind::Sets, "many sets, sizes and tokens by power laws, subsets planted on demand",
       set_collection_parameters(), &generate_set_collection},
  };
  std::sort(all.begin(), all.end(), [](const Generator& a, const Generator& b) { return a.name < b.name; });
  return all;
}

}  // namespace

std::span<const Generator> generators() {
  static const std::vector<Generator> all = make_generators();
  return all;
}

const Generator& generator_named(const std::string& where, const std::string& name) {
  std::vector<std::string> names;
  for (const Generator& generator : generators()) {
    if (generator.name == name) return generator;
    names.push_back(generator.name);
  }
  throw_unknown(where, "a generator", name, names);
}

Content generate(const std::string& generator, const Properties& parameters, std::uint64_t seed, int threads) {
  const Generator& known = generator_named("generator", generator);
  return known.generate(resolve("generator " + generator, known.parameters, parameters), seed, threads);
}

}  // namespace warpbench::datasets
