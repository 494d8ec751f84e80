#include "datasets/transforms/transforms.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

#include "datasets/input_error.hpp"
#include "datasets/transforms/labels.hpp"
#include "datasets/transforms/random_walk.hpp"
#include "datasets/transforms/ratings.hpp"
#include "datasets/transforms/relabel.hpp"
#include "datasets/transforms/relations.hpp"
#include "datasets/transforms/sets.hpp"
#include "datasets/transforms/vectors.hpp"

namespace warpbench::datasets {
namespace {

const Csr& graph_of(const std::string& transform, const Content& content) {
  if (const auto* graph = std::get_if<Csr>(&content.data)) return *graph;
  if (const auto* labelled = std::get_if<LabelledGraph>(&content.data)) return labelled->graph;
  if (const auto* graphs = std::get_if<GraphQueries>(&content.data)) return graphs->data.graph;
  throw InputError("transform " + transform, 0, "a graph", std::string(to_string(kind_of(content.data))));
}

/// Composes the mappings, so that original ids survive any number of relabellings.
Array<std::uint32_t> compose(const Array<std::uint32_t>& original, Array<std::uint32_t> old_of_new) {
  if (original.empty()) return old_of_new;
  std::vector<std::uint32_t> result(old_of_new.size());
  for (std::size_t v = 0; v < result.size(); ++v) result[v] = original[old_of_new[v]];
  return result;
}

/// Reorders a graph. With queries it reorders the data graph: the queries stay, and so do their matches if all vertices
/// stay.
Content reordered(Content&& content, std::vector<std::uint32_t> order, int threads) {
  const auto renumber = [&](auto& graph) {
    auto relabelled = relabel(graph, std::move(order), threads);
    graph = std::move(relabelled.graph);
    content.original_ids = compose(content.original_ids, std::move(relabelled.old_of_new));
  };
  if (auto* graphs = std::get_if<GraphQueries>(&content.data)) {
    if (static_cast<std::int64_t>(order.size()) != graphs->data.vertices()) graphs->published_counts = {};
    renumber(graphs->data);
  } else if (auto* labelled = std::get_if<LabelledGraph>(&content.data)) {
    renumber(*labelled);
  } else {
    renumber(std::get<Csr>(content.data));
  }
  return std::move(content);
}

Content degree_descending(Content&& content, const Properties&, int threads) {
  auto order = degree_descending_order(graph_of("degree_descending", content));
  return reordered(std::move(content), std::move(order), threads);
}

Content random_relabel(Content&& content, const Properties& values, int threads) {
  auto order =
      random_order(graph_of("random_relabel", content).vertices(), static_cast<std::uint64_t>(integer(values, "seed")));
  return reordered(std::move(content), std::move(order), threads);
}

Content largest_component_only(Content&& content, const Properties&, int threads) {
  auto order = largest_component(graph_of("largest_component", content));
  return reordered(std::move(content), std::move(order), threads);
}

Content drop_isolated(Content&& content, const Properties&, int threads) {
  auto order = connected_vertices(graph_of("drop_isolated", content));
  return reordered(std::move(content), std::move(order), threads);
}

/// The graph to label. A graph with queries is refused, because the queries would no longer match it.
const Csr& graph_to_label(const std::string& transform, const Content& content) {
  if (!std::holds_alternative<GraphQueries>(content.data)) return graph_of(transform, content);
  throw InputError("transform " + transform, 0, "a graph without queries", "graph_queries");
}

Content labels(Content&& content, const Properties& values, int) {
  LabelledGraph labelled =
      with_power_law_labels(graph_to_label("labels", content), integer(values, "labels"), real(values, "exponent"),
                            static_cast<std::uint64_t>(integer(values, "seed")));
  if (auto* before = std::get_if<LabelledGraph>(&content.data)) {
    labelled.edge_labels = std::move(before->edge_labels);
    labelled.edge_label_offsets = std::move(before->edge_label_offsets);
  }
  content.data = std::move(labelled);
  return std::move(content);
}

Content edge_labels(Content&& content, const Properties& values, int threads) {
  const Csr& graph = graph_to_label("edge_labels", content);
  auto* labelled = std::get_if<LabelledGraph>(&content.data);
  content.data = with_power_law_edge_labels(labelled != nullptr ? std::move(*labelled) : with_single_label(graph),
                                            integer(values, "labels"), real(values, "exponent"),
                                            static_cast<std::uint64_t>(integer(values, "seed")), threads);
  return std::move(content);
}

Content queries_by_random_walk(Content&& content, const Properties& values, int threads) {
  auto* labelled = std::get_if<LabelledGraph>(&content.data);
  if (labelled == nullptr) {
    const bool bare = std::holds_alternative<Csr>(content.data);
    throw InputError("transform random_walk_queries", 0, "a labelled graph",
                     std::string(to_string(kind_of(content.data))), bare ? "label it first: labels" : "");
  }
  content.data = random_walk_queries(std::move(*labelled), integer(values, "count"),
                                     {integer(values, "vertices"), integer(values, "edges")},
                                     static_cast<std::uint64_t>(integer(values, "seed")), threads);
  return std::move(content);
}

const VectorSet& vectors_of(const std::string& transform, const Content& content) {
  if (const auto* vectors = std::get_if<VectorSet>(&content.data)) return *vectors;
  throw InputError("transform " + transform, 0, "vectors", std::string(to_string(kind_of(content.data))));
}

Content hold_out_queries(Content&& content, const Properties& values, int) {
  content.data = hold_out(vectors_of("hold_out", content), integer(values, "queries"),
                          static_cast<std::uint64_t>(integer(values, "seed")));
  return std::move(content);
}

Content hold_out_test_ratings(Content&& content, const Properties& values, int) {
  const auto* ratings = std::get_if<Ratings>(&content.data);
  if (ratings == nullptr) {
    throw InputError("transform hold_out_ratings", 0, "ratings", std::string(to_string(kind_of(content.data))));
  }
  content.data =
      hold_out_ratings(*ratings, real(values, "test_share"), static_cast<std::uint64_t>(integer(values, "seed")));
  return std::move(content);
}

/// Keeps the first queries and, if they come from files, their names.
Content keep_first_queries(Content&& content, std::int64_t count) {
  if (count == 0) return std::move(content);
  content.data = first_queries(std::get<GraphQueries>(content.data), count);
  const auto& names = content.query_names;
  auto end = names.begin();
  for (std::int64_t i = 0; i < count && end != names.end(); ++i) end = std::find(end, names.end(), '\n') + 1;
  content.query_names = std::vector(names.begin(), end);
  return std::move(content);
}

/// Keeps the first points and queries of vectors, the first sets, tuples, or queries of graphs. Parameters that do
/// not apply to the data stay 0.
Content keep_first(Content&& content, const Properties& values, int) {
  const auto refuse = [&values](const std::string& kind, std::initializer_list<const char*> others) {
    for (const char* const name : others) {
      if (integer(values, name) == 0) continue;
      throw InputError("transform first", 0, "a number of " + kind + " to keep",
                       std::string(name) + ": " + std::to_string(integer(values, name)));
    }
  };
  if (const auto* sets = std::get_if<SetCollection>(&content.data)) {
    refuse("sets", {"points", "queries", "tuples"});
    SetCollection first = first_sets(*sets, integer(values, "sets"));
    const auto count = static_cast<std::size_t>(first.count());
    if (!content.original_ids.empty()) {
      content.original_ids = std::vector(content.original_ids.begin(), content.original_ids.begin() + count);
    }
    content.data = std::move(first);
    return std::move(content);
  }
  if (const auto* relations = std::get_if<Relations>(&content.data)) {
    refuse("tuples", {"points", "queries", "sets"});
    content.data = first_tuples(*relations, integer(values, "tuples"));
    return std::move(content);
  }
  if (std::holds_alternative<GraphQueries>(content.data)) {
    refuse("queries", {"points", "sets", "tuples"});
    return keep_first_queries(std::move(content), integer(values, "queries"));
  }
  const VectorSet& vectors = vectors_of("first", content);
  refuse("points or queries", {"sets", "tuples"});
  content.data = first_of(vectors, integer(values, "points"), integer(values, "queries"));
  return std::move(content);
}

Content keep_first_dimensions(Content&& content, const Properties& values, int threads) {
  content.data = first_dimensions(vectors_of("first_dimensions", content), integer(values, "dimensions"), threads);
  return std::move(content);
}

Content set_metric(Content&& content, const Properties& values, int) {
  content.data = with_metric(vectors_of("metric", content), *metric_from_string(word(values, "metric")));
  return std::move(content);
}

const SetCollection& sets_of(const std::string& transform, const Content& content) {
  if (const auto* sets = std::get_if<SetCollection>(&content.data)) return *sets;
  throw InputError("transform " + transform, 0, "sets", std::string(to_string(kind_of(content.data))));
}

Order order_of(const Properties& values) {
  return word(values, "order") == "ascending" ? Order::ascending : Order::descending;
}

Content with_sets(Content&& content, std::vector<std::uint32_t> order, int threads) {
  content.data = take_sets(std::get<SetCollection>(content.data), order, threads);
  content.original_ids = compose(content.original_ids, std::move(order));
  return std::move(content);
}

Content keep_largest(Content&& content, const Properties& values, int threads) {
  auto order = largest_sets(sets_of("largest", content), integer(values, "sets"));
  return with_sets(std::move(content), std::move(order), threads);
}

Content order_by_size(Content&& content, const Properties& values, int threads) {
  auto order = sets_by_size(sets_of("sets_by_size", content), order_of(values));
  return with_sets(std::move(content), std::move(order), threads);
}

Content relabel_by_frequency(Content&& content, const Properties& values, int threads) {
  content.data = tokens_by_frequency(sets_of("tokens_by_frequency", content), order_of(values), threads);
  return std::move(content);
}

Content keep_distinct_sets(Content&& content, const Properties&, int threads) {
  auto order = distinct_sets(sets_of("distinct_sets", content), threads);
  return with_sets(std::move(content), std::move(order), threads);
}

Content enlarge(Content&& content, const Properties& values, int threads) {
  const SetCollection& sets = sets_of("enlarge", content);
  SetCollection enlarged = enlarged_sets(sets, integer(values, "times"), threads);
  const auto count = static_cast<std::size_t>(sets.count());
  std::vector<std::uint32_t> original(static_cast<std::size_t>(enlarged.count()));
  for (std::size_t i = 0; i < original.size(); ++i) {
    original[i] = i < count ? static_cast<std::uint32_t>(i) : original[i - count];
  }
  content.data = std::move(enlarged);
  content.original_ids = compose(content.original_ids, std::move(original));
  return std::move(content);
}

void keep_at_most(std::optional<std::int64_t>& number, std::int64_t kept) {
  if (number && kept > 0) number = std::min(*number, kept);
}

void foresee_first(Outline& outline, const Properties& values) {
  keep_at_most(outline.sets, integer(values, "sets"));
  keep_at_most(outline.queries, integer(values, "queries"));
}

void foresee_largest(Outline& outline, const Properties& values) {
  keep_at_most(outline.sets, integer(values, "sets"));
}

void foresee_enlarged(Outline& outline, const Properties& values) {
  if (outline.sets) *outline.sets *= integer(values, "times");
}

void foresee_distinct_sets(Outline& outline, const Properties&) {
  outline.sets.reset();
}

void foresee_held_out(Outline& outline, const Properties& values) {
  if (outline.queries) *outline.queries += integer(values, "queries");
}

void foresee_test_ratings(Outline& outline, const Properties&) {
  outline.test_ratings.reset();
}

std::vector<TransformEntry> set_transforms() {
  const auto order = [](const char* meaning) {
    return ParameterDeclaration{"order", "ascending", 0, kNoLimit, meaning, false, {"ascending", "descending"}};
  };
  return {{"largest",
           "keeps the largest sets, of equally large ones the first",
           {{"sets", 0, 1, static_cast<double>(kMaxSets), "sets to keep", true}},
           Kind::None,
           &keep_largest,
           &foresee_largest},
          {"distinct_sets",
           "drops sets that equal an earlier one",
           {},
           Kind::None,
           &keep_distinct_sets,
           &foresee_distinct_sets},
          {"enlarge",
           "makes copies of all sets, each with the next token by ascending frequency in the place of every token",
           {{"times", 0, 1, 10'000, "as many sets as there were", true}},
           Kind::None,
           &enlarge,
           &foresee_enlarged},
          {"sets_by_size",
           "orders sets by size, equally large ones by their tokens",
           {order("of the sizes")},
           Kind::None,
           &order_by_size},
          {"tokens_by_frequency",
           "numbers the tokens that occur from 0 by the sets they are in",
           {order("of the frequencies: ascending puts the rarest first")},
           Kind::None,
           &relabel_by_frequency}};
}

std::vector<TransformEntry> vector_transforms(const ParameterDeclaration& seed) {
  constexpr double kMaxCount = 4294967294.0;
  return {{"hold_out",
           "makes random points of a vector set its queries",
           {{"queries", 0, 1, kMaxCount, "points that become queries", true}, seed},
           Kind::None,
           &hold_out_queries,
           &foresee_held_out},
          {"first",
           "keeps the first points and queries of vectors, sets of a collection, tuples of R and S, queries of a graph",
           {{"points", 0, 0, kMaxCount, "points to keep; 0: all", false},
            {"queries", 0, 0, kMaxCount, "queries to keep; 0: all", false},
            {"sets", 0, 0, kMaxCount, "sets to keep; 0: all", false},
            {"tuples", 0, 0, static_cast<double>(kMaxTuples), "tuples of R and of S to keep; 0: all", false}},
           Kind::None,
           &keep_first,
           &foresee_first},
          {"first_dimensions",
           "keeps the first coordinates of every vector",
           {{"dimensions", 0, 1, static_cast<double>(kMaxDimension), "coordinates to keep", true}},
           Kind::None,
           &keep_first_dimensions},
          {"metric",
           "another metric for the same vectors",
           {{"metric", std::string(), 0, kNoLimit, "of the distances asked for", true, metric_names()}},
           Kind::None,
           &set_metric}};
}

std::vector<TransformEntry> label_transforms(const ParameterDeclaration& seed) {
  const std::vector<ParameterDeclaration> power_law{
      {"labels", 0, 1, 1e6, "number of labels", true},
      {"exponent", 1.0, 0.0, 16.0, "of the power law; 0 is uniform", false},
      seed};
  return {{"labels", "gives each vertex a random label, by a power law over the labels", power_law, Kind::LabelledGraph,
           &labels},
          {"edge_labels", "gives each edge a random label, by a power law over the labels", power_law,
           Kind::LabelledGraph, &edge_labels},
          {"random_walk_queries",
           "takes query graphs out of a labelled graph by random walks",
           {{"count", 0, 1, 1e6, "queries", true},
            {"vertices", 0, 1, 1000, "of each query", true},
            {"edges", 0, 0, 1e6, "of each query; 0: all among its vertices", false},
            seed},
           Kind::GraphQueries,
           &queries_by_random_walk}};
}

std::vector<TransformEntry> make_transforms() {
  const ParameterDeclaration seed{"seed", 1, 0, 9e18, "seed of the random draws", false};
  std::vector<TransformEntry> all{
      {"degree_descending", "ids descend by degree, equal degrees by id", {}, Kind::None, &degree_descending},
      {"random_relabel", "ids in random order", {seed}, Kind::None, &random_relabel},
      {"largest_component", "keeps the largest connected component", {}, Kind::None, &largest_component_only},
      {"hold_out_ratings",
       "makes random training ratings test ratings",
       {{"test_share", 0.0, 0.0, 1.0, "share of the ratings that become test ratings", true}, seed},
       Kind::None,
       &hold_out_test_ratings,
       &foresee_test_ratings},
      {"drop_isolated", "drops vertices without neighbours", {}, Kind::None, &drop_isolated},
  };
  for (TransformEntry& entry : label_transforms(seed)) all.push_back(std::move(entry));
  for (TransformEntry& entry : vector_transforms(seed)) all.push_back(std::move(entry));
  for (TransformEntry& entry : set_transforms()) all.push_back(std::move(entry));
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return all;
}

}  // namespace

std::span<const TransformEntry> transforms() {
  static const std::vector<TransformEntry> all = make_transforms();
  return all;
}

const TransformEntry& transform_named(const std::string& where, const std::string& name) {
  std::vector<std::string> names;
  for (const TransformEntry& entry : transforms()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  throw_unknown(where, "a transform", name, names);
}

Content transform(Content content, const std::string& name, const Properties& parameters, int threads) {
  const TransformEntry& known = transform_named("transform", name);
  return known.apply(std::move(content), resolve("transform " + name, known.parameters, parameters), threads);
}

}  // namespace warpbench::datasets
