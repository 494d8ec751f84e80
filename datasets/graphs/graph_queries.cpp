#include "datasets/graphs/graph_queries.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "datasets/graphs/candidates.hpp"
#include "datasets/input_error.hpp"

namespace warpbench::datasets {
namespace {

[[noreturn]] void refuse(const std::string& expected, const std::string& found) {
  throw InputError("graph queries", 0, expected, found);
}

/// Lists of labels and their ends, filled in any order of vertices or slots.
class LabelLists {
 public:
  void add(std::span<const std::uint32_t> labels) {
    values_.insert(values_.end(), labels.begin(), labels.end());
    ends_.push_back(values_.size());
    single_ = single_ && labels.size() == 1;
  }
  /// Moves the labels out. Offsets are set only if some vertex or slot does not have exactly one.
  void move_into(Array<std::uint32_t>& labels, Array<std::uint64_t>& offsets) {
    labels = std::move(values_);
    if (!single_) offsets = std::move(ends_);
  }

 private:
  std::vector<std::uint32_t> values_;
  std::vector<std::uint64_t> ends_{0};
  bool single_ = true;
};

/// The vertices of `all` from `first` to `last`, renumbered from 0, with their labels and edges.
LabelledGraph part_of(const LabelledGraph& all, std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> neighbors;
  LabelLists vertex_labels;
  LabelLists edge_labels;
  for (std::uint64_t v = first; v < last; ++v) {
    vertex_labels.add(all.labels(static_cast<Vertex>(v)));
    for (std::uint64_t slot = all.graph.offsets[v]; slot < all.graph.offsets[v + 1]; ++slot) {
      neighbors.push_back(static_cast<Vertex>(all.graph.neighbors[slot] - first));
      if (all.has_edge_labels()) edge_labels.add(all.slot_labels(slot));
    }
    offsets.push_back(neighbors.size());
  }
  LabelledGraph part;
  part.graph = {std::move(offsets), std::move(neighbors)};
  vertex_labels.move_into(part.vertex_labels, part.vertex_label_offsets);
  if (all.has_edge_labels()) edge_labels.move_into(part.edge_labels, part.edge_label_offsets);
  return part;
}

/// The number of vertices that a search from `first` reaches.
std::uint64_t reached_from(const Csr& graph, std::uint64_t first, std::uint64_t last) {
  std::vector<bool> seen(last - first, false);
  std::vector<std::uint64_t> open{first};
  seen[0] = true;
  for (std::size_t i = 0; i < open.size(); ++i) {
    for (const Vertex u : graph.row(static_cast<Vertex>(open[i]))) {
      if (u < first || u >= last) refuse("no edge between two queries", "one of vertex " + std::to_string(open[i]));
      if (seen[u - first]) continue;
      seen[u - first] = true;
      open.push_back(u);
    }
  }
  return open.size();
}

}  // namespace

std::int64_t reached_from_first(const Csr& graph) {
  if (graph.vertices() == 0) return 0;
  return static_cast<std::int64_t>(reached_from(graph, 0, static_cast<std::uint64_t>(graph.vertices())));
}

GraphQueries first_queries(const GraphQueries& graphs, std::int64_t count) {
  if (count > graphs.count()) {
    refuse("at least " + std::to_string(count) + " queries", std::to_string(graphs.count()));
  }
  const auto kept = static_cast<std::size_t>(count);
  GraphQueries first;
  first.data = graphs.data;
  first.queries = part_of(graphs.queries, 0, graphs.query_offsets[kept]);
  first.query_offsets = std::vector(graphs.query_offsets.begin(), graphs.query_offsets.begin() + kept + 1);
  if (!graphs.published_counts.empty()) {
    first.published_counts = std::vector(graphs.published_counts.begin(),
                                         graphs.published_counts.begin() + static_cast<std::ptrdiff_t>(kept));
  }
  return first;
}

LabelledGraph GraphQueries::query(std::int64_t i) const {
  return part_of(queries, query_offsets[static_cast<std::size_t>(i)], query_offsets[static_cast<std::size_t>(i) + 1]);
}

void GraphQueries::validate() const {
  data.validate();
  queries.validate();
  if (count() < 1 || query_offsets[0] != 0 ||
      query_offsets[static_cast<std::size_t>(count())] != static_cast<std::uint64_t>(queries.vertices())) {
    refuse("at least one query, and offsets from 0 to " + std::to_string(queries.vertices()),
           std::to_string(count()) + " queries");
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(count()); ++i) {
    const std::uint64_t first = query_offsets[i];
    const std::uint64_t last = query_offsets[i + 1];
    const std::string name = "query " + std::to_string(i);
    if (first >= last || last > static_cast<std::uint64_t>(queries.vertices())) {
      refuse("at least one vertex", "none of " + name);
    }
    if (const std::uint64_t reached = reached_from(queries.graph, first, last); reached != last - first) {
      refuse("connected queries", name + ", of whose " + std::to_string(last - first) + " vertices " +
                                      std::to_string(reached) + " hang together; ask for each part by itself");
    }
  }
  if (!published_counts.empty() && published_counts.size() != static_cast<std::size_t>(count())) {
    refuse("published counts of all " + std::to_string(count()) + " queries", std::to_string(published_counts.size()));
  }
  if (queries.edges() > 0 && data.edges() > 0 && queries.has_edge_labels() != data.has_edge_labels()) {
    refuse("edge labels in the data graph and the queries, or in neither",
           queries.has_edge_labels() ? "some in the queries alone" : "some in the data graph alone");
  }
}

Properties GraphQueries::describe() const {
  Properties result = data.describe();
  const auto mean = [this](std::int64_t total) {
    return count() == 0 ? 0.0 : static_cast<double>(total) / static_cast<double>(count());
  };
  result["queries"] = count();
  result["query_vertices"] = mean(queries.vertices());
  result["query_edges"] = mean(queries.edges());
  if (count() > 0) {
    const CandidateCounts counts = count_candidates(*this);
    result["smallest_candidates"] = mean_of_smallest(*this, counts.by_signature);
    result["smallest_candidates_by_degree"] = mean_of_smallest(*this, counts.by_degree);
  }
  return result;
}

GraphQueries with_queries(LabelledGraph data, std::span<const LabelledGraph> queries) {
  const bool edge_labelled =
      std::ranges::any_of(queries, [](const LabelledGraph& query) { return query.has_edge_labels(); });
  std::vector<std::uint64_t> query_offsets{0};
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> neighbors;
  LabelLists vertex_labels;
  LabelLists edge_labels;
  for (const LabelledGraph& query : queries) {
    const auto first = static_cast<Vertex>(query_offsets.back());
    if (edge_labelled && !query.has_edge_labels() && query.edges() > 0) {
      refuse("edge labels in all queries or in none", "none in query " + std::to_string(query_offsets.size() - 1));
    }
    for (std::int64_t i = 0; i < query.vertices(); ++i) {
      const auto v = static_cast<Vertex>(i);
      vertex_labels.add(query.labels(v));
      for (std::uint64_t slot = query.graph.offsets[v]; slot < query.graph.offsets[std::size_t{v} + 1]; ++slot) {
        neighbors.push_back(first + query.graph.neighbors[slot]);
        if (edge_labelled) edge_labels.add(query.slot_labels(slot));
      }
      offsets.push_back(neighbors.size());
    }
    query_offsets.push_back(query_offsets.back() + static_cast<std::uint64_t>(query.vertices()));
  }
  GraphQueries result;
  result.data = std::move(data);
  result.queries.graph = {std::move(offsets), std::move(neighbors)};
  vertex_labels.move_into(result.queries.vertex_labels, result.queries.vertex_label_offsets);
  if (edge_labelled) edge_labels.move_into(result.queries.edge_labels, result.queries.edge_label_offsets);
  result.query_offsets = std::move(query_offsets);
  return result;
}

}  // namespace warpbench::datasets
