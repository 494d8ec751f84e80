// BMP: bitmap index counting on the CPU (che2019, "BMP's Vertex-Centric Unit Computation", "Extension for BMP", "Bitmap
// Range Filtering"). A thread-local bitmap holds N(u); for each qualifying neighbour v every element of N(v) is looked
// up in it, and the count goes to both slots. The text asks for d(v) < d(u) and the code for u < v, which agree only
// where ids descend by degree; the reordering is not shown. Here nothing is relabelled: each slot compares (degree, id)
// of its ends, so that the smaller list is always the one looped over. `skew_handling: false` takes u < v as printed.
// Unlike the document's, the bitmap of u is built at its first qualifying slot, so that a vertex or a task without one
// builds nothing. A hub split into tasks is indexed once by each thread that meets it (the thread-local `pu`), not once
// a task.
#include <algorithm>

#include "baselines/common_neighbors/edge_tasks.hpp"
#include "baselines/common_neighbors/vertex_index.hpp"
#include "problems/common_neighbors/problem.hpp"
#include "solvers/solver.hpp"

namespace warpbench::common_neighbors {
namespace {

/// The state of one thread from solve to solve: its bitmaps, and the vertex they index (`pu`).
struct ThreadIndex {
  VertexIndex index;
  std::uint64_t indexed = kNone<std::uint64_t>;
};

/// One thread of a solve: ComputeCntBMP and symmetric assignment.
template <bool kFiltered, bool kCounting>
struct alignas(64) Worker {
  const Csr* graph;
  std::span<std::uint32_t> counts;
  bool by_degree;
  ThreadIndex* thread;
  Meter<kCounting> meter;

  /// Whether the bitmap side of edge {u, v} is u.
  [[nodiscard]] bool indexes(Vertex u, Vertex v) const {
    if (!by_degree) return u < v;
    const std::int64_t degree_u = graph->degree(u);
    const std::int64_t degree_v = graph->degree(v);
    return degree_v < degree_u || (degree_v == degree_u && v < u);
  }

  void operator()(Vertex u, Vertex v, std::uint64_t slot) {
    if (!indexes(u, v)) return;
    if (thread->indexed != u) {
      thread->index.index(graph->row(u));
      thread->indexed = u;
      meter.add(&Operations::indexed, graph->row(u).size());
    }
    meter.add(&Operations::intersections);
    const std::uint32_t count = thread->index.template count<kFiltered>(graph->row(v), meter);
    counts[slot] = count;
    counts[slot_of(*graph, v, u)] = count;
  }
};

class Bmp final : public Solver<CommonNeighbors> {
 public:
  explicit Bmp(const Parameters& parameters) : parameters_(parameters) {}

  void configure(const Parameters& parameters) override {
    parameters_ = parameters;
    if (graph_ != nullptr) allocate();
  }

  void prepare(const CommonNeighbors::Input& input, Phases& phases) override {
    const auto scope = phases.cpu("take_memory");
    graph_ = input.graph;
    counts_.resize(graph_->neighbors.size());
    allocate();
  }

  void solve(Phases& phases) override {
    const auto scope = phases.cpu("count");
    for (ThreadIndex& thread : threads_) thread.indexed = kNone<std::uint64_t>;  // every solve pays for its own index
    const bool counting = parameters_.flag("count_operations");
    if (range_size_ != 0) {
      operations_ = counting ? count<true, true>() : count<true, false>();
    } else {
      operations_ = counting ? count<false, true>() : count<false, false>();
    }
  }

  void download(CommonNeighbors::Answer& answer, Phases& /*phases*/) override { answer.counts = counts_; }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    std::map<std::string, double> counters = operations_.counters();
    std::uint64_t bytes = 0;
    for (const ThreadIndex& thread : threads_) bytes += thread.index.bytes();
    counters["threads"] = tasks_.threads;
    counters["bitmap_bytes"] = static_cast<double>(bytes);
    counters["range_size"] = static_cast<double>(range_size_);
    if (parameters_.flag("count_operations")) counters["smaller_degrees"] = sum_of_smaller_degrees();
    return counters;
  }

 private:
  /// Over all edges: what the document says that look-ups are.
  [[nodiscard]] double sum_of_smaller_degrees() const {
    double sum = 0;
    for (std::int64_t u = 0; u < graph_->vertices(); ++u) {
      const auto row = graph_->row(static_cast<Vertex>(u));
      for (const Vertex v : row) {
        if (u < v) sum += static_cast<double>(std::min(row.size(), graph_->row(v).size()));
      }
    }
    return sum;
  }

  /// A bitmap of vertices / 8 bytes for each thread, and its range filter.
  void allocate() {
    const auto vertices = static_cast<std::uint64_t>(graph_->vertices());
    tasks_ = EdgeTasks::of(parameters_, graph_->slots());
    range_size_ = 0;
    if (parameters_.flag("range_filter")) {
      range_size_ = static_cast<std::uint64_t>(parameters_.integer("range_size"));
      if (range_size_ == 0) range_size_ = automatic_range_size(vertices);
    }
    threads_.assign(static_cast<std::size_t>(tasks_.threads), {VertexIndex(vertices, range_size_)});
  }

  template <bool kFiltered, bool kCounting>
  Operations count() {
    std::vector<Worker<kFiltered, kCounting>> workers;
    workers.reserve(threads_.size());
    for (ThreadIndex& thread : threads_) {
      workers.push_back({graph_, counts_, parameters_.flag("skew_handling"), &thread, {}});
    }
    return run_workers(*graph_, tasks_, workers);
  }

  Parameters parameters_;
  const Csr* graph_ = nullptr;
  EdgeTasks tasks_;
  std::uint64_t range_size_ = 0;
  std::vector<ThreadIndex> threads_;
  std::vector<std::uint32_t> counts_;
  Operations operations_;
};

void validate_bmp(const Parameters& parameters) {
  if (parameters.integer("range_size") != 0 && !parameters.flag("range_filter")) {
    throw ParameterError("range_size", "parameter 'range_size' has no meaning with range_filter: false");
  }
}

WARPBENCH_SOLVER(
    CommonNeighbors, Bmp,
    {.id = "bmp",
     .title = "Bitmap index on one list, lookups from the smaller other one (BMP)",
     .source = "che2019, 'BMP's Vertex-Centric Unit Computation' and 'Extension for BMP'",
     .role = Role::proposed,
     .device = Target::cpu,
     .parameters =
         {parameter("range_filter", false)
              .means("read a small bitmap over ranges of ids first (RF); pays where the bitmap exceeds the caches"),
          parameter("range_size", 0)
              .range(0, 1 << 24)
              .power_of_two()
              .alias("auto", 0)
              .in("vertices")
              .means("vertices a bit of the range filter; auto: fits L1"),
          parameter("skew_handling", true).means("loop over the lower-degree list (DSH); false: over v's where u < v"),
          threads_parameter(0), task_size_parameter(), count_operations_parameter()},
     .smoke = {{"range_filter", true}, {"threads", 2}, {"task_size", 100}},
     .validate = validate_bmp})

}  // namespace
}  // namespace warpbench::common_neighbors
