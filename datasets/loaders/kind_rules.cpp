#include "datasets/loaders/kind_rules.hpp"

#include <algorithm>
#include <array>

#include "datasets/loaders/graphs/query_graphs.hpp"
#include "datasets/loaders/ratings/test_ratings.hpp"
#include "datasets/loaders/vectors/query_vectors.hpp"

namespace warpbench::datasets {

const KindRules& rules_of(Kind kind) {
  static const std::array kRules{
      KindRules{.kind = Kind::LabelledGraph, .queries = &query_graph_rules()},
      KindRules{.kind = Kind::GraphQueries, .first = "queries"},
      KindRules{.kind = Kind::Ratings, .queries = &test_rating_rules(), .queries_key = "test"},
      KindRules{.kind = Kind::Vectors, .first = "points", .queries = &query_vector_rules()},
      KindRules{.kind = Kind::Sets, .first = "sets", .largest = "sets"},
  };
  static const KindRules kNoRules;
  const auto found = std::ranges::find(kRules, kind, &KindRules::kind);
  return found == kRules.end() ? kNoRules : *found;
}

}  // namespace warpbench::datasets
