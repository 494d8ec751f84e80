// Parallelization over edges (che2019, "Parallelization on CPUs", "Optimization of Finding Source Vertex", "OpenMP
// Skeleton of MPS"): tasks are ranges of a fixed number of CSR slots, handed out dynamically. A vertex of degree 10^6
// is many tasks. Each thread remembers the source vertex of its last slot.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "baselines/common_neighbors/intersect.hpp"
#include "datasets/graphs/csr.hpp"
#include "device/integers.hpp"
#include "solvers/threads.hpp"

namespace warpbench::common_neighbors {

using datasets::Csr;
using datasets::Vertex;

/// The slots are cut into tasks of |T| slots each (6000 in the published code), which the threads share.
struct EdgeTasks {
  int threads = 1;
  std::int64_t slots_per_task = 1;

  /// As parameters `threads` and `task_size` say; never more threads than tasks.
  static EdgeTasks of(const Parameters& parameters, std::int64_t slots) {
    const std::int64_t size = parameters.integer("task_size");
    return {.threads = threads_of(parameters, ceil_div(slots, size)), .slots_per_task = size};
  }
};

inline ParameterSpec task_size_parameter() {
  return parameter("task_size", 6000).range(1, 1e9).in("slots").means("CSR slots a task, |T|");
}
inline ParameterSpec count_operations_parameter() {
  return parameter("count_operations", false).means("count elementary steps (slower): see the counters");
}

/// FindSrc: the source vertex u of a slot, offsets[u] <= slot < offsets[u + 1]. Looks at the last answer first, then
/// gallops on from it: O(1) amortized over ascending slots.
class SourceFinder {
 public:
  explicit SourceFinder(std::span<const std::uint64_t> offsets) : offsets_(offsets) {}

  Vertex operator()(std::uint64_t slot) {
    if (slot >= offsets_[u_ + 1]) {
      u_ = gallop(offsets_, u_ + 1, slot + 1) - 1;
    } else if (slot < offsets_[u_]) {  // OpenMP may hand an earlier task to this thread
      u_ = gallop(offsets_, 0, slot + 1) - 1;
    }
    return static_cast<Vertex>(u_);
  }

 private:
  std::span<const std::uint64_t> offsets_;
  std::size_t u_ = 0;
};

/// The slot e(v, u) of edge {u, v}: a binary search in v's row, O(log degree(v)).
inline std::uint64_t slot_of(const Csr& graph, Vertex v, Vertex u) {
  const List row = graph.row(v);
  return graph.first_slot(v) + static_cast<std::uint64_t>(std::ranges::lower_bound(row, u) - row.begin());
}

/// Calls worker(u, v, slot) for every slot e(u, v); thread t uses workers[t], and meets the slots of a task in
/// ascending order. workers.size() threads. Workers must not throw. Returns what their meters counted together.
template <typename Worker>
Operations run_workers(const Csr& graph, const EdgeTasks& tasks, std::vector<Worker>& workers) {
  const std::span<const std::uint64_t> offsets = graph.offsets.span();
#pragma omp parallel num_threads(static_cast <int>(workers.size()))
  {
    Worker& worker = workers[static_cast<std::size_t>(omp_get_thread_num())];
    SourceFinder source(offsets);
#pragma omp for schedule(dynamic, tasks.slots_per_task)
    for (std::int64_t i = 0; i < graph.slots(); ++i) {
      const auto slot = static_cast<std::uint64_t>(i);
      worker(source(slot), graph.neighbors[slot], slot);
    }
  }
  Operations total;
  for (const Worker& worker : workers) total += worker.meter.operations();
  return total;
}

}  // namespace warpbench::common_neighbors
