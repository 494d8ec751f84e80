// fsig: filtered subgraph isomorphism on the GPU (yu2023 §5, Algorithm 6). It finds candidates by neighbour label
// frequencies, filters them in rounds that look one edge further, makes the auxiliary structure A of data edges between
// candidates, and orders core, forest and leaves by the sizes of A's lists. Enumeration is breadth-first; where memory
// ends, it goes on depth-first, chunk by chunk.
//
// Differences from the document: offsets of A have a place for each candidate, not for each data vertex
// (fsig/auxiliary.hpp). Lists are joined in tiles of equal size (fsig/steps.hpp). res and waiting chunks have memory of
// their own (fsig/enumeration_memory.hpp). A chunk with more results than estimated is split once more; the document
// takes unified memory. All steps handle edge labels, several labels a vertex and homomorphism, which the document does
// not have. Counts do not list the last level; nor, with `multiply_leaves`, the independent leaves before it. With
// `small_levels` one block goes through levels of few rows (fsig/small_levels.hpp). With `masks` the filter keeps the
// query vertices of each data vertex in a word (fsig/filter/mask_filter.cu).
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algorithms/subgraph_matching/fsig/auxiliary.hpp"
#include "algorithms/subgraph_matching/fsig/enumeration.hpp"
#include "algorithms/subgraph_matching/fsig/filter/filter.hpp"
#include "algorithms/subgraph_matching/fsig/graph.hpp"
#include "algorithms/subgraph_matching/fsig/matching_order.hpp"
#include "device/arena.hpp"
#include "device/device.hpp"
#include "device/error.hpp"
#include "solvers/solver.hpp"
#include "solvers/subgraph_matching/query_solver.hpp"

namespace warpbench::matching {
namespace {

using namespace fsig;

constexpr double kMaxTableMemory = 1e15;

OutputScheme scheme_of(const std::string& name) {
  if (name == "two_phase") return OutputScheme::two_phase;
  return name == "prealloc_combine" ? OutputScheme::prealloc_combine : OutputScheme::one_star;
}

/// An upper bound of the bytes that a query copies to the device: the tables of the query, of A and of the levels.
std::int64_t staged_bytes(const Graph& query) {
  std::int64_t neighbor_labels = 0;
  for (const Vertex v : query.neighbors) neighbor_labels += static_cast<std::int64_t>(query.labels_of(v).size());
  const std::int64_t vertices = query.vertices();
  const auto labels = static_cast<std::int64_t>(query.labels.size());
  return (1 << 14) + 256 * vertices + 4 * vertices * vertices + 4 * labels + 96 * query.slots() + 16 * neighbor_labels;
}

/// C(u) of all query vertices, and how many candidates each has.
struct FilteredQuery {
  Candidates candidates;
  std::vector<std::int64_t> sizes;
};

/// The order of a query's levels, and the lists of A that they join.
struct EnumerationPlan {
  MatchingOrder order;
  Auxiliary auxiliary{};
  std::vector<DeviceLevel> levels;   ///< with edges and columns on the device
  View<const Vertex> columns{};      ///< the query vertex of a column
  std::int64_t second_elements = 0;  ///< list elements of the second level
};

class Fsig final : public QuerySolver {
 public:
  explicit Fsig(const Parameters& parameters) { configure(parameters); }

  void configure(const Parameters& parameters) override {
    filter_rounds_ = parameters.integer("filter_rounds");
    options_.scheme = scheme_of(parameters.text("output"));
    options_.pipeline = parameters.flag("pipeline");
    options_.alpha = parameters.real("alpha");
    options_.multiply_leaves = parameters.flag("multiply_leaves");
    options_.small_levels = parameters.flag("small_levels");
    masks_ = parameters.flag("masks");
    options_.table_memory = parameters.integer("table_memory");
  }

  void upload(Phases& phases) override {
    const auto scope = phases.gpu("upload", stream_);
    graph_.upload(stream_);
    if (!has_memory_) take_memory();
    stream_.synchronize();
  }

 protected:
  void prepare_graph(const Graph& data, Phases& phases) override { graph_.prepare(data, phases); }

  void match(const Graph& query, const Deadline& deadline, QueryAnswer& answer, Phases& phases) override {
    counters_.clear();
    arena_.reset();
    try {
      find(query, deadline, answer, phases);
    } catch (...) {
      stream_.synchronize();  // what was put into the arena is copied before the next query's takes its place
      throw;
    }
  }

  [[nodiscard]] std::map<std::string, double> query_counters() const override { return counters_; }

 private:
  void find(const Graph& query, const Deadline& deadline, QueryAnswer& answer, Phases& phases) {
    answer.solved = true;  // without a match, unless one is found
    const QueryTables tables = query_tables(query, graph_.label_counters(), injective());
    if (tables.impossible || graph_.host().vertices() == 0) return;
    const DeviceQuery device_query = put(tables, arena_, stream_);
    const FilteredQuery filtered = filter_query(query, device_query, !tables.exact, deadline, phases);
    if (std::ranges::count(filtered.sizes, 0) > 0) return;
    answer.solved = !deadline.passed();
    if (!answer.solved) return;
    const std::optional<EnumerationPlan> plan = plan_query(query, device_query, filtered, deadline, phases);
    if (plan) enumerate_query(*plan, filtered, deadline, answer, phases);
  }

  /// Takes all that the device has left, but for a sixteenth, which the scans need.
  void take_memory() {
    const std::int64_t free = free_memory();
    std::int64_t bytes = free - free / 16;
    // simt writes every byte of new memory, and its tests are small.
    if (backend_name() == "simt") bytes = std::min(bytes, std::int64_t{1} << 24);
    std::int64_t staged = 0;
    std::int64_t read = 0;
    for (const Graph& query : input().queries()) {
      staged = std::max(staged, staged_bytes(query));
      read = std::max(read, query.vertices() + query.slots() + 2);
    }
    arena_ = Arena(bytes, stream_, staged);
    read_ = PinnedBuffer<std::int64_t>(read);
    has_memory_ = true;
  }

  FilteredQuery filter_query(const Graph& query, const DeviceQuery& device_query, bool confirm,
                             const Deadline& deadline, Phases& phases) {
    FilterOptions options{filter_rounds_, confirm, 0};
    for (std::int64_t u = 0; u < query.vertices(); ++u) {
      options.max_candidates += graph_.max_candidates(query, static_cast<Vertex>(u));
    }
    const auto offsets = read_.span().first(static_cast<std::size_t>(query.vertices()) + 1);
    FilteredQuery filtered{};
    filter_start_.record(stream_);
    {
      const auto scope = phases.gpu("filter", stream_);
      const auto filter_graph = masks_ && can_filter_by_masks(graph_.view(), device_query) ? filter_by_masks : filter;
      filtered.candidates = filter_graph(graph_.view(), device_query, options, arena_, deadline, stream_);
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
  std::optional<EnumerationPlan> plan_query(const Graph& query, const DeviceQuery& device_query,
                                            const FilteredQuery& filtered, const Deadline& deadline, Phases& phases) {
    const auto scope = phases.gpu("auxiliary", stream_);
    AuxiliaryBuilder builder(query, graph_.view(), device_query, filtered.candidates, filtered.sizes, arena_, deadline,
                             stream_);
    const auto before = read_.span().first(static_cast<std::size_t>(query.slots()) + 1);
    builder.read_edges(before);
    stream_.synchronize();
    std::vector<std::int64_t> edges;
    for (std::size_t slot = 0; slot + 1 < before.size(); ++slot) edges.push_back(before[slot + 1] - before[slot]);
    if (std::ranges::count(edges, 0) > 0) return std::nullopt;
    EnumerationPlan plan;
    plan.order = matching_order({query, filtered.sizes, edges, injective(), graph_.host().single_labels()});
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
  View<const std::int64_t> put_levels(const AuxiliaryBuilder& builder, std::span<const std::size_t> wanted,
                                      EnumerationPlan& plan) {
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

  void enumerate_query(const EnumerationPlan& plan, const FilteredQuery& filtered, const Deadline& deadline,
                       QueryAnswer& answer, Phases& phases) {
    const auto scope = phases.gpu("enumerate", stream_);
    const Vertex start = plan.order.levels[0].vertex;
    const std::int64_t start_offset =
        std::accumulate(filtered.sizes.begin(), filtered.sizes.begin() + start, std::int64_t{0});
    const View<const Vertex> first = filtered.candidates.vertices.subview(start_offset, filtered.sizes[start]);
    EnumerationInput enumeration{plan.order,           plan.levels,    arena_.put(std::span(plan.levels), stream_),
                                 plan.columns,         plan.auxiliary, first,
                                 plan.second_elements, input().output};
    if (input().output == Output::first) enumeration.max_matches = input().first;
    const std::int64_t used = arena_.peak();
    add_counters(enumerate(enumeration, options_, enumeration_memory_, arena_, deadline, answer, stream_), used);
  }

  void add_counters(const EnumerationCounters& found, std::int64_t used_before) {
    counters_["rows"] = static_cast<double>(found.rows);
    counters_["bytes_written"] = static_cast<double>(found.bytes_written);
    counters_["res_bytes"] = static_cast<double>(found.res_bytes);
    counters_["leaf_nodes"] = static_cast<double>(found.leaf_nodes);
    counters_["parked_blocks"] = static_cast<double>(found.parked_chunks);
    counters_["parked_host_bytes"] = static_cast<double>(found.host_bytes);
    counters_["peak_device_bytes"] = static_cast<double>(graph_.bytes() + used_before + found.peak_bytes);
  }
  void note_peak() { counters_["peak_device_bytes"] = static_cast<double>(graph_.bytes() + arena_.peak()); }

  Stream stream_;
  std::int64_t filter_rounds_ = 3;
  bool masks_ = false;
  EnumerationOptions options_;
  ResidentGraph graph_;
  Arena arena_;  ///< of all queries; taken at the first upload
  bool has_memory_ = false;
  EnumerationMemory enumeration_memory_;
  PinnedBuffer<std::int64_t> read_;
  Event filter_start_;
  Event filter_stop_;
  std::map<std::string, double> counters_;  ///< of the query just matched
};

}  // namespace

WARPBENCH_SOLVER(
    SubgraphMatching, Fsig,
    {.id = "fsig",
     .title = "candidates filtered along edges, extended breadth-first, then depth-first by blocks",
     .source = "yu2023 §5",
     .role = Role::proposed,
     .device = Target::gpu,
     .parameters =
         {parameter("filter_rounds", 3).range(0, 16).means("rounds of the filter after neighbour label frequencies"),
          parameter("masks", false)
              .document({false})
              .means("the filter keeps a word a data vertex; false, and for more than 32 query vertices or with edge "
                     "labels: a bitmap a query vertex"),
          parameter("output", "one_star")
              .one_of({"two_phase", "prealloc_combine", "one_star"})
              .means("how a level is written: after joining twice, a thread a row, or side by side from shared memory"),
          parameter("pipeline", true)
              .means("where a level would not fit, go on depth-first by blocks; false: out of device memory"),
          parameter("alpha", 0.6)
              .range(0, 1)
              .means("rows that an element of the joined lists is expected to make, to size blocks by"),
          parameter("multiply_leaves", false)
              .document({false})
              .means("counts: multiply the numbers of all independent leaves; false: list all but the last level"),
          parameter("small_levels", false)
              .document({false})
              .means("one block goes through the levels up to the first large one; false: the host waits for each"),
          parameter("table_memory", 0)
              .range(0, kMaxTableMemory)
              .in("B")
              .alias("all", 0)
              .means("device memory for partial matches; all: what the graph and the candidates leave")},
     .smoke = {{"filter_rounds", 1}, {"masks", true}},
     .best = {{"multiply_leaves", true}, {"small_levels", true}, {"masks", true}}})

}  // namespace warpbench::matching
