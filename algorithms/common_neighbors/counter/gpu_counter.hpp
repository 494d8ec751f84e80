// GpuCounter: the base of mps-gpu and bmp-gpu (che2019, "Parallelization on GPUs" and "Handling Large Datasets"). It
// uploads the graph, passes over ranges of v, and fills the second slot of every edge. That slot is found by a kernel
// or by the CPU: while the kernels run (co-processing), or afterwards. A solver supplies the kernels of one pass.
//
// The document puts graph and counts into unified memory. Here they are plain allocations where they fit, and mapped
// host memory where they do not. Then a pass uploads the lists N(v) of its range. The rows N(u), read in sequence, and
// the counts, written once, cross the bus as they are touched. That is the locality that multi-pass processing is for,
// without page faults.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "algorithms/common_neighbors/counter/pass_plan.hpp"
#include "device/buffer.hpp"
#include "device/ranges.cuh"
#include "device/resident.hpp"
#include "device/stream.hpp"
#include "problems/common_neighbors/problem.hpp"
#include "solvers/solver.hpp"

namespace warpbench::common_neighbors {

struct PassGraph;
struct RowLaunches;

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
  virtual void release_workspace() {}
  virtual void allocate_workspace() = 0;
  /// Enqueues the kernels that count this pass's slots at their first end.
  virtual void count(const PassGraph& graph, View<std::uint32_t> counts) = 0;
  /// For `free_bytes` of device memory; plan_passes() by default.
  virtual PassPlan make_plan(std::int64_t free_bytes);
  /// Whether count_all() takes the place of passes over ranges of v.
  [[nodiscard]] virtual bool counts_all() const { return false; }
  /// Enqueues kernels that fill all slots: on the device, where the plan is resident, else in mapped host memory.
  virtual void count_all(View<std::uint32_t> /*counts*/, Phases& /*phases*/) {}

  /// The launches that cover all rows (pass_graph.cuh).
  [[nodiscard]] RowLaunches row_launches() const;

  [[nodiscard]] const datasets::Csr& graph() const { return *graph_; }
  [[nodiscard]] int warps_per_block() const { return options_.warps_per_block; }
  Stream& stream() { return stream_; }
  [[nodiscard]] const PassPlan& plan() const { return plan_; }
  [[nodiscard]] std::int64_t wanted_passes() const { return options_.passes; }  ///< 0: as many as memory asks for
  /// In mapped host memory.
  [[nodiscard]] std::span<const std::uint32_t> host_neighbors() const { return neighbors_.host(); }
  View<const std::uint64_t> offsets() const { return offsets_.view(); }
  View<const std::uint32_t> neighbors() const { return neighbors_.view(); }

 private:
  struct Options {
    int warps_per_block = 4;
    bool co_processing = true;
    bool mirror_on_gpu = false;
    std::int64_t passes = 0;
    std::int64_t split = 0;
  };
  /// The vertices whose rows are longer than `split`, and into how many pieces the longest row is cut.
  struct LongRows {
    std::vector<std::uint32_t> vertices;
    std::int64_t max_pieces = 0;
  };
  static LongRows long_rows(const datasets::Csr& graph, std::int64_t split);

  /// Whether solve() leaves all counts on the device; else they are in counts_, finished by the CPU.
  [[nodiscard]] bool answers_on_device() const { return plan_.resident && (counts_all() || options_.mirror_on_gpu); }
  void run_passes(Phases& phases);
  void run_pass(Extent<std::int64_t> targets);
  void mirror_on_cpu(Phases& phases);
  void mirror_on_gpu(Phases& phases);

  Options options_;
  const datasets::Csr* graph_ = nullptr;
  LongRows long_rows_;
  Resident<std::uint64_t> offsets_;
  Resident<std::uint32_t> neighbors_;  ///< on the device where the plan is resident; else passes upload their lists
  PinnedBuffer<std::uint32_t> counts_;
  std::vector<std::uint32_t> mirror_;  ///< mirror_on_cpu()'s; kept for the next solve

  PassPlan plan_;         ///< upload()'s
  bool planned_ = false;  ///< upload() was called with these parameters
  Buffer<std::uint32_t> device_counts_;
  Buffer<std::uint32_t> device_long_rows_;
  Stream stream_;  ///< last, so that it waits for its copies before their host memory is freed
};

}  // namespace warpbench::common_neighbors
