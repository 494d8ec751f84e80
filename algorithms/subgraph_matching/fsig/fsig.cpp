// fsig: filtered subgraph isomorphism on the GPU (yu2023 §5, Algorithm 6): candidates by neighbour label frequencies,
// rounds of a filter that looks one edge further, the auxiliary structure A of data edges between candidates, a
// core-forest-leaf order by what A holds, and breadth-first enumeration that goes on depth-first, block by block, where
// memory ends.
//
// What differs from the document, and why: offsets of A have a place a candidate, not a data vertex
// (fsig_auxiliary.hpp); lists are joined in tiles of equal size (fsig_steps.hpp); res and waiting blocks have parts of
// the memory (fsig_tables.hpp); a block with more results than estimated is split once more, where the document takes
// unified memory. Edge labels, several labels a vertex and homomorphism, which the document does not have, are met in
// all steps. Counts do not list the last level; nor, with `multiply_leaves`, the independent leaves before it.
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/subgraph_matching/fsig/auxiliary.hpp"
#include "algorithms/subgraph_matching/fsig/enumeration.hpp"
#include "algorithms/subgraph_matching/fsig/filter.hpp"
#include "algorithms/subgraph_matching/fsig/graph.hpp"
#include "algorithms/subgraph_matching/fsig/order.hpp"
#include "device/device.hpp"
#include "solvers/solver.hpp"
#include "solvers/subgraph_matching/query_solver.hpp"

namespace warpbench::matching {
namespace {

using namespace fsig;

constexpr double kMostTableMemory = 1e15;

OutputScheme scheme_of(const std::string& name) {
  if (name == "two_phase") return OutputScheme::two_phase;
  return name == "prealloc_combine" ? OutputScheme::prealloc_combine : OutputScheme::one_star;
}

/// Enough for all that a query puts into the device's memory: tables of the query, of A and of the levels.
std::int64_t staged_bytes(const Graph& query) {
  std::int64_t neighbor_labels = 0;
  for (const Vertex v : query.neighbors) neighbor_labels += static_cast<std::int64_t>(query.labels_of(v).size());
  const std::int64_t vertices = query.vertices();
  const auto labels = static_cast<std::int64_t>(query.labels.size());
  return (1 << 14) + 256 * vertices + 4 * vertices * vertices + 4 * labels + 96 * query.slots() + 16 * neighbor_labels;
}

/// What enumerating a query goes by.
struct Plan {
  MatchingOrder order;
  Auxiliary auxiliary{};
  std::vector<BackwardEdge> backward;  ///< of all levels
};

class Fsig final : public QuerySolver {
 public:
  explicit Fsig(const Parameters& parameters) : enumeration_(stream_) { configure(parameters); }

  void configure(const Parameters& parameters) override {
    filter_rounds_ = parameters.integer("filter_rounds");
    options_.scheme = scheme_of(parameters.text("output"));
    options_.pipeline = parameters.flag("pipeline");
    options_.alpha = parameters.real("alpha");
    options_.multiply_leaves = parameters.flag("multiply_leaves");
    options_.table_memory = parameters.integer("table_memory");
  }

  void upload(Phases& phases) override {
    const auto scope = phases.gpu("upload", stream_);
    graph_.upload(stream_);
    if (!has_memory_) take_memory();
    stream_.synchronize();
  }

 protected:
  void prepare_graph(const Graph& data, Phases& phases) override {
    const auto scope = phases.cpu("neighbor_labels");
    graph_.prepare(data);
  }

  void match(const Graph& query, const Deadline& deadline, QueryAnswer& answer, Phases& phases) override {
    counters_.clear();
    memory_.begin();
    answer.solved = true;  // without a match, unless one is found
    const QueryTables tables = query_tables(query, graph_.neighbor_labels(), injective());
    if (tables.impossible || graph_.host().vertices() == 0) return;
    const DeviceQuery device_query = put(tables, memory_, stream_);
    const Candidates candidates = filter_query(query, device_query, !tables.exact, phases);
    if (std::ranges::count(sizes_, 0) > 0) return;
    answer.solved = !deadline.passed();
    if (!answer.solved) return;
    const std::optional<Plan> plan = plan_query(query, device_query, candidates, phases);
    if (plan) enumerate(*plan, candidates, deadline, answer, phases);
  }

  [[nodiscard]] std::map<std::string, double> query_counters() const override { return counters_; }

 private:
  /// All that the device has left, but for the scans' own needs.
  void take_memory() {
    const std::int64_t free = free_memory();
    std::int64_t bytes = free - free / 16;
    // simt writes every byte of new memory; what is tested there is small.
    if (backend_name() == "simt") bytes = std::min(bytes, std::int64_t{1} << 24);
    std::int64_t staged = 0;
    std::int64_t read = 0;
    for (const Graph& query : input().queries()) {
      staged = std::max(staged, staged_bytes(query));
      read = std::max(read, query.vertices() + query.slots() + 2);
    }
    memory_ = QueryMemory(bytes, staged, stream_);
    read_ = PinnedBuffer<std::int64_t>(read);
    has_memory_ = true;
  }

  /// The candidates, and sizes_.
  Candidates filter_query(const Graph& query, const DeviceQuery& device_query, bool confirm, Phases& phases) {
    FilterOptions options{filter_rounds_, confirm, 0};
    for (std::int64_t u = 0; u < query.vertices(); ++u) {
      options.most_candidates += graph_.most_candidates(query, static_cast<Vertex>(u));
    }
    const auto offsets = read_.span().first(static_cast<std::size_t>(query.vertices()) + 1);
    Candidates candidates{};
    filter_start_.record(stream_);
    {
      const auto scope = phases.gpu("filter", stream_);
      candidates = filter(graph_.view(), device_query, options, memory_, stream_);
      runtime::copy(offsets.data(), candidates.offsets.data(), candidates.offsets.bytes(), runtime::Copy::kDownload,
                    *stream_.handle());
    }
    filter_stop_.record(stream_);
    stream_.synchronize();
    sizes_.clear();
    for (std::size_t u = 0; u + 1 < offsets.size(); ++u) sizes_.push_back(offsets[u + 1] - offsets[u]);
    counters_["filter_s"] = seconds_between(filter_start_, filter_stop_);
    counters_["candidates_mean"] = static_cast<double>(offsets.back()) / static_cast<double>(query.vertices());
    note_peak();
    return candidates;
  }

  /// A and the order; nothing where a query edge has no data edge between candidates.
  std::optional<Plan> plan_query(const Graph& query, const DeviceQuery& device_query, const Candidates& candidates,
                                 Phases& phases) {
    const auto scope = phases.gpu("auxiliary", stream_);
    AuxiliaryBuilder builder(query, graph_.view(), device_query, candidates, sizes_, memory_, stream_);
    const auto before = read_.span().first(static_cast<std::size_t>(query.slots()) + 1);
    builder.read_edges(before);
    stream_.synchronize();
    std::vector<std::int64_t> edges;
    for (std::size_t slot = 0; slot + 1 < before.size(); ++slot) edges.push_back(before[slot + 1] - before[slot]);
    if (std::ranges::count(edges, 0) > 0) return std::nullopt;
    Plan plan;
    plan.order = matching_order({query, sizes_, edges, injective(), graph_.host().single_labels()});
    std::vector<std::size_t> wanted;
    for (const Level& level : plan.order.levels) {
      wanted.insert(wanted.end(), level.backward.begin(), level.backward.end());
    }
    plan.auxiliary = builder.build(before, wanted);
    for (const std::size_t slot : wanted) plan.backward.push_back(builder.backward_edge(slot, plan.order.column));
    counters_["auxiliary_edges"] = static_cast<double>(plan.auxiliary.edges.size());
    note_peak();
    return plan;
  }

  /// The levels of the order with what they look at on the device.
  std::vector<DeviceLevel> device_levels(const Plan& plan) {
    std::vector<std::uint32_t> colliding;
    for (const Level& level : plan.order.levels) {
      colliding.insert(colliding.end(), level.colliding.begin(), level.colliding.end());
    }
    const View<const BackwardEdge> edges = memory_.put<BackwardEdge>(plan.backward, stream_);
    const View<const std::uint32_t> columns = memory_.put<std::uint32_t>(colliding, stream_);
    std::vector<DeviceLevel> levels;
    std::int64_t edge = 0;
    std::int64_t column = 0;
    for (const Level& level : plan.order.levels) {
      const auto own_edges = static_cast<std::int64_t>(level.backward.size());
      const auto own_columns = static_cast<std::int64_t>(level.colliding.size());
      levels.push_back({edges.subview(edge, own_edges), columns.subview(column, own_columns), level.vertex});
      edge += own_edges;
      column += own_columns;
    }
    return levels;
  }

  void enumerate(const Plan& plan, const Candidates& candidates, const Deadline& deadline, QueryAnswer& answer,
                 Phases& phases) {
    const auto scope = phases.gpu("enumerate", stream_);
    const std::vector<DeviceLevel> levels = device_levels(plan);
    std::vector<Vertex> vertices;
    vertices.reserve(levels.size());
    for (const Level& level : plan.order.levels) vertices.push_back(level.vertex);
    const Vertex start = vertices[0];
    const std::int64_t start_offset = std::accumulate(sizes_.begin(), sizes_.begin() + start, std::int64_t{0});
    const EnumerationInput enumeration_input{plan.order,
                                             levels,
                                             memory_.put<DeviceLevel>(levels, stream_),
                                             memory_.put<Vertex>(vertices, stream_),
                                             plan.auxiliary,
                                             candidates.vertices.subview(start_offset, sizes_[start])};
    const std::int64_t used = memory_.peak();
    enumeration_.run(enumeration_input, options_, input().output, input().first, memory_, deadline, answer);
    add_counters(used);
  }

  void add_counters(std::int64_t used) {
    const Enumeration::Counters& found = enumeration_.counters();
    counters_["rows"] = static_cast<double>(found.rows);
    counters_["bytes_written"] = static_cast<double>(found.bytes_written);
    counters_["res_bytes"] = static_cast<double>(found.res_bytes);
    counters_["leaf_nodes"] = static_cast<double>(found.leaf_nodes);
    counters_["parked_blocks"] = static_cast<double>(found.parked_blocks);
    counters_["parked_host_bytes"] = static_cast<double>(found.host_bytes);
    counters_["peak_device_bytes"] = static_cast<double>(graph_.bytes() + used + found.peak_bytes);
  }
  void note_peak() { counters_["peak_device_bytes"] = static_cast<double>(graph_.bytes() + memory_.peak()); }

  Stream stream_;
  std::int64_t filter_rounds_ = 3;
  EnumerationOptions options_;
  ResidentGraph graph_;
  QueryMemory memory_;
  bool has_memory_ = false;
  PinnedBuffer<std::int64_t> read_;
  Event filter_start_;
  Event filter_stop_;
  Enumeration enumeration_;

  // Of the query under way.
  std::vector<std::int64_t> sizes_;  ///< of the sets of candidates
  std::map<std::string, double> counters_;
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
          parameter("table_memory", 0)
              .range(0, kMostTableMemory)
              .in("B")
              .alias("all", 0)
              .means("device memory for partial matches; all: what the graph and the candidates leave")},
     .smoke = {{"filter_rounds", 1}},
     .best = {{"multiply_leaves", true}}})

}  // namespace warpbench::matching
