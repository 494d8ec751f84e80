#include "algorithms/subgraph_matching/fsig/query_matcher.hpp"

#include <algorithm>
#include <numeric>

#include "algorithms/subgraph_matching/fsig/filter/filter.hpp"
#include "solvers/phases.hpp"

namespace warpbench::matching::fsig {
namespace {

/// An upper bound of the bytes that a query copies to the device: the tables of the query, of A and of the levels.
std::int64_t staged_bytes(const Graph& query) {
  std::int64_t neighbor_labels = 0;
  for (const Vertex v : query.neighbors) neighbor_labels += static_cast<std::int64_t>(query.labels_of(v).size());
  const std::int64_t vertices = query.vertices();
  const auto labels = static_cast<std::int64_t>(query.labels.size());
  return (1 << 14) + 256 * vertices + 4 * vertices * vertices + 4 * labels + 96 * query.slots() + 16 * neighbor_labels;
}

}  // namespace

PinnedSizes pinned_sizes(std::span<const Graph> queries) {
  PinnedSizes sizes;
  for (const Graph& query : queries) {
    sizes.staged_bytes = std::max(sizes.staged_bytes, staged_bytes(query));
    sizes.numbers = std::max(sizes.numbers, query.vertices() + query.slots() + 2);
  }
  return sizes;
}

QueryMatcher::QueryMatcher(const ResidentGraph& graph, const SubgraphMatching::Input& input, View<std::byte> memory,
                           const PinnedSizes& pinned)
    : graph_(graph), input_(input), arena_(memory, pinned.staged_bytes), read_(pinned.numbers) {}

void QueryMatcher::match(const Graph& query, const MatcherOptions& options, const Deadline& deadline,
                         QueryAnswer& answer, Phases& phases) {
  counters_.clear();
  arena_.reset();
  try {
    find(query, options, deadline, answer, phases);
  } catch (...) {
    stream_.synchronize();  // what was put into the arena is copied before the next query's takes its place
    throw;
  }
}

void QueryMatcher::find(const Graph& query, const MatcherOptions& options, const Deadline& deadline,
                        QueryAnswer& answer, Phases& phases) {
  answer.solved = true;  // without a match, unless one is found
  const QueryTables tables = query_tables(query, graph_.label_counters(), input_.injective());
  if (tables.impossible || graph_.host().vertices() == 0) return;
  const DeviceQuery device_query = put(tables, arena_, stream_);
  const FilteredQuery filtered = filter_query(query, device_query, !tables.exact, options, deadline, phases);
  if (std::ranges::count(filtered.sizes, 0) > 0) return;
  answer.solved = !deadline.passed();
  if (!answer.solved) return;
  const std::optional<Plan> plan = plan_query(query, device_query, filtered, deadline, phases);
  if (plan) enumerate_query(*plan, filtered, options.enumeration, deadline, answer, phases);
}

QueryMatcher::FilteredQuery QueryMatcher::filter_query(const Graph& query, const DeviceQuery& device_query,
                                                       bool confirm, const MatcherOptions& options,
                                                       const Deadline& deadline, Phases& phases) {
  FilterOptions how{options.filter_rounds, confirm, 0};
  for (std::int64_t u = 0; u < query.vertices(); ++u) {
    how.max_candidates += graph_.max_candidates(query, static_cast<Vertex>(u));
  }
  const auto offsets = read_.span().first(static_cast<std::size_t>(query.vertices()) + 1);
  FilteredQuery filtered{};
  filter_start_.record(stream_);
  {
    const auto scope = phases.gpu("filter", stream_);
    const auto filter_graph =
        options.masks && can_filter_by_masks(graph_.view(), device_query) ? filter_by_masks : filter;
    filtered.candidates = filter_graph(graph_.view(), device_query, how, arena_, deadline, stream_);
    runtime::copy(offsets.data(), filtered.candidates.offsets.data(), filtered.candidates.offsets.bytes(),
                  runtime::Copy::kDownload, *stream_.handle());
  }
  filter_stop_.record(stream_);
  stream_.synchronize();
  for (std::size_t u = 0; u + 1 < offsets.size(); ++u) filtered.sizes.push_back(offsets[u + 1] - offsets[u]);
  counters_["filter_s"] = seconds_between(filter_start_, filter_stop_);
  counters_["candidates_mean"] = static_cast<double>(offsets.back()) / static_cast<double>(query.vertices());
  note_peak();
  return filtered;
}

/// A and the order; nothing where a query edge has no data edge between candidates.
std::optional<QueryMatcher::Plan> QueryMatcher::plan_query(const Graph& query, const DeviceQuery& device_query,
                                                           const FilteredQuery& filtered, const Deadline& deadline,
                                                           Phases& phases) {
  const auto scope = phases.gpu("auxiliary", stream_);
  AuxiliaryBuilder builder(query, graph_.view(), device_query, filtered.candidates, filtered.sizes, arena_, deadline,
                           stream_);
  const auto before = read_.span().first(static_cast<std::size_t>(query.slots()) + 1);
  builder.read_edges(before);
  stream_.synchronize();
  std::vector<std::int64_t> edges;
  for (std::size_t slot = 0; slot + 1 < before.size(); ++slot) edges.push_back(before[slot + 1] - before[slot]);
  if (std::ranges::count(edges, 0) > 0) return std::nullopt;
  Plan plan;
  plan.order = matching_order({query, filtered.sizes, edges, input_.injective(), graph_.host().single_labels()});
  std::vector<std::size_t> wanted;
  for (const Level& level : plan.order.levels) {
    wanted.insert(wanted.end(), level.backward.begin(), level.backward.end());
  }
  if (!wanted.empty()) plan.second_elements = edges[wanted.front()];
  builder.choose(before, wanted);
  plan.auxiliary = builder.build(put_levels(builder, wanted, plan));
  counters_["auxiliary_edges"] = static_cast<double>(plan.auxiliary.edges.size());
  note_peak();
  return plan;
}

/// Brings the levels of the order, with their edges and columns, to the device; returns the shifts of A, too, so that
/// all go by one copy.
View<const std::int64_t> QueryMatcher::put_levels(const AuxiliaryBuilder& builder, std::span<const std::size_t> wanted,
                                                  Plan& plan) {
  std::vector<BackwardEdge> backward;
  for (const std::size_t slot : wanted) backward.push_back(builder.backward_edge(slot, plan.order.column));
  std::vector<std::uint32_t> colliding;
  std::vector<Vertex> vertices;
  for (const Level& level : plan.order.levels) {
    colliding.insert(colliding.end(), level.colliding.begin(), level.colliding.end());
    vertices.push_back(level.vertex);
  }
  const auto [shifts, edges, columns, column_vertices] =
      arena_.put_all(stream_, builder.shifts(), std::span(backward), std::span(colliding), std::span(vertices));
  plan.columns = column_vertices;
  std::int64_t edge = 0;
  std::int64_t column = 0;
  for (const Level& level : plan.order.levels) {
    const auto own_edges = static_cast<std::int64_t>(level.backward.size());
    const auto own_columns = static_cast<std::int64_t>(level.colliding.size());
    plan.levels.push_back({edges.subview(edge, own_edges), columns.subview(column, own_columns), level.vertex});
    edge += own_edges;
    column += own_columns;
  }
  return shifts;
}

void QueryMatcher::enumerate_query(const Plan& plan, const FilteredQuery& filtered, const EnumerationOptions& options,
                                   const Deadline& deadline, QueryAnswer& answer, Phases& phases) {
  const auto scope = phases.gpu("enumerate", stream_);
  const Vertex start = plan.order.levels[0].vertex;
  const std::int64_t start_offset =
      std::accumulate(filtered.sizes.begin(), filtered.sizes.begin() + start, std::int64_t{0});
  const View<const Vertex> first = filtered.candidates.vertices.subview(start_offset, filtered.sizes[start]);
  EnumerationInput enumeration{plan.order,           plan.levels,    arena_.put(std::span(plan.levels), stream_),
                               plan.columns,         plan.auxiliary, first,
                               plan.second_elements, input_.output};
  if (input_.output == SubgraphMatching::Output::first) enumeration.max_matches = input_.first;
  const std::int64_t used = arena_.peak();
  add_counters(enumerate(enumeration, options, enumeration_memory_, arena_, deadline, answer, stream_), used);
}

void QueryMatcher::add_counters(const EnumerationCounters& found, std::int64_t used_before) {
  counters_["rows"] = static_cast<double>(found.rows);
  counters_["bytes_written"] = static_cast<double>(found.bytes_written);
  counters_["res_bytes"] = static_cast<double>(found.res_bytes);
  counters_["leaf_nodes"] = static_cast<double>(found.leaf_nodes);
  counters_["parked_blocks"] = static_cast<double>(found.parked_chunks);
  counters_["parked_host_bytes"] = static_cast<double>(found.host_bytes);
  counters_["peak_device_bytes"] = static_cast<double>(graph_.bytes() + used_before + found.peak_bytes);
}

void QueryMatcher::note_peak() {
  counters_["peak_device_bytes"] = static_cast<double>(graph_.bytes() + arena_.peak());
}

}  // namespace warpbench::matching::fsig
