#include "datasets/loaders/kind_rules.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "datasets/input_error.hpp"
#include "datasets/loaders/graphs/query_graphs.hpp"
#include "datasets/loaders/ratings/test_ratings.hpp"
#include "datasets/loaders/relations/second_relation.hpp"
#include "datasets/loaders/vectors/query_vectors.hpp"

namespace warpbench::datasets {
namespace {

std::span<const KindRules> all_rules() {
  static const std::array kRules{
      KindRules{.kind = Kind::LabelledGraph, .queries = &query_graph_rules()},
      KindRules{.kind = Kind::GraphQueries, .first = "queries"},
      KindRules{.kind = Kind::Ratings, .queries = &test_rating_rules(), .queries_key = "test"},
      KindRules{.kind = Kind::Vectors, .first = "points", .queries = &query_vector_rules()},
      KindRules{.kind = Kind::Sets, .first = "sets", .largest = "sets"},
      KindRules{.kind = Kind::Relation, .first = "tuples", .queries = &second_relation_rules(), .queries_key = "s"},
  };
  return kRules;
}

}  // namespace

const KindRules& rules_of(Kind kind) {
  static const KindRules kNoRules;
  const auto found = std::ranges::find(all_rules(), kind, &KindRules::kind);
  return found == all_rules().end() ? kNoRules : *found;
}

const std::vector<std::string>& second_file_keys() {
  static const std::vector<std::string> kKeys = [] {
    std::vector<std::string> keys;
    for (const KindRules& rules : all_rules()) {
      if (rules.queries != nullptr && !std::ranges::count(keys, rules.queries_key)) keys.push_back(rules.queries_key);
    }
    return keys;
  }();
  return kKeys;
}

void refuse_keys_of_graphs(const std::string& where, const QueriesSource& queries) {
  if (!queries.match.empty()) {
    throw InputError(where, 0, "no \"match\", which chooses among query graphs", '"' + queries.match + '"');
  }
  if (queries.counts) throw InputError(where, 0, "no \"counts\", which are of query graphs", "some");
}

}  // namespace warpbench::datasets
