// What mps-gpu and bmp-gpu share (che2019, slides "Parallelization on GPUs" and "Handling Large Datasets"): upload of
// the graph, passes over ranges of v, and the second slot of every edge, found by the CPU (while the kernels run:
// co-processing, or afterwards) or by a kernel. A solver supplies the kernels of one pass.
//
// The document puts graph and counts into unified memory. Here they are plain allocations where they fit, and mapped
// host memory where they do not: then a pass uploads the lists N(v) of its range, while the rows N(u), read in
// sequence, and the counts, written once, cross the bus as they are touched. That is the locality that multi-pass
// processing is for, without page faults.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "algorithms/common_neighbors/counter/pass_plan.hpp"
#include "device/buffer.hpp"
#include "device/stream.hpp"
#include "problems/common_neighbors/problem.hpp"
#include "solvers/solver.hpp"

namespace warpbench::common_neighbors {

struct PassGraph;
struct BlockLaunches;

/// The parameters every GPU solver of this problem has.
std::vector<ParameterSpec> gpu_parameters();

class GpuCounter : public Solver<CommonNeighbors> {
 public:
  explicit GpuCounter(const Parameters& parameters);
  void configure(const Parameters& parameters) override;
  void prepare(const Input& input, Phases& phases) override;
  void upload(Phases& phases) override;
  void solve(Phases& phases) override;
  void download(Answer& answer, Phases& phases) override;
  [[nodiscard]] std::map<std::string, double> counters() const override;

 protected:
  /// Device memory the kernels take besides graph and counts, bytes; `free_bytes` is there for all of it.
  virtual std::int64_t workspace_bytes(std::int64_t free_bytes) = 0;
  virtual void allocate_workspace(std::int64_t bytes) = 0;
  /// Enqueues the kernels that count this pass's slots at their first end.
  virtual void count(const PassGraph& graph, View<std::uint32_t> counts) = 0;
  /// Enqueues kernels that fill all slots by another method than passes; false where there is none.
  virtual bool count_all(Phases& /*phases*/) { return false; }

  /// The launches that cover all rows (gpu_counter.cuh).
  [[nodiscard]] BlockLaunches block_launches() const;

  [[nodiscard]] const datasets::Csr& graph() const { return *graph_; }
  [[nodiscard]] int warps_per_block() const { return warps_per_block_; }
  Stream& stream() { return stream_; }
  View<const std::uint64_t> offsets() const { return offsets_.view(); }
  View<const std::uint32_t> neighbors() const { return neighbors_.view(); }
  View<std::uint32_t> device_counts() { return device_counts_.view(); }

 private:
  void find_heavy_vertices();
  void run_pass(std::int64_t pass);
  void mirror_on_cpu(Phases& phases);
  void mirror_on_gpu(Phases& phases);

  int warps_per_block_ = 4;
  bool co_processing_ = true;
  bool mirror_on_gpu_ = false;
  std::int64_t passes_ = 0;
  std::uint64_t split_ = 0;

  const datasets::Csr* graph_ = nullptr;
  PassPlan plan_;
  std::vector<std::uint32_t> mirror_;
  PinnedBuffer<std::uint64_t> host_offsets_;
  PinnedBuffer<std::uint32_t> host_neighbors_;
  PinnedBuffer<std::uint32_t> counts_;
  Buffer<std::uint64_t> offsets_;
  Buffer<std::uint32_t> neighbors_;  ///< all slots, or the present pass's lists
  Buffer<std::uint32_t> device_counts_;
  Buffer<std::uint32_t> heavy_;
  std::vector<std::uint32_t> heavy_vertices_;  ///< whose rows are longer than split_
  std::int64_t heavy_pieces_ = 0;              ///< of the heaviest one
  bool complete_ = false;                      ///< counts_ holds the answer (the CPU finished it), no download needed
  Stream stream_;  ///< last, so that it waits for its copies before their host memory is freed
};

}  // namespace warpbench::common_neighbors
