// mps-gpu: MPS on a GPU (che2019, "MPS CUDA Kernels"): similar degrees are merged block-wise in shared memory, a warp
// an edge (MKernel); very different ones are skipped through, a thread an edge (PSKernel). Differs from the document:
// PSKernel's skip condition is corrected (mps_kernels.cuh), edges are split by (degree, id) instead of by sorted ids,
// rows longer than `split` take several blocks, and `pivot_skip: warp` gives a skewed edge to a warp.
#include "algorithms/common_neighbors/counter/gpu_counter.hpp"
#include "algorithms/common_neighbors/counter/pass_graph.cuh"
#include "algorithms/common_neighbors/mps_gpu/mps_kernels.cuh"
#include "solvers/solver.hpp"

namespace warpbench::common_neighbors {
namespace {

class MpsGpu final : public GpuCounter {
 public:
  explicit MpsGpu(const Parameters& parameters) : GpuCounter(parameters) { MpsGpu::configure(parameters); }

  void configure(const Parameters& parameters) override {
    GpuCounter::configure(parameters);
    threshold_ = parameters.integer("skew_threshold");
    skip_by_warp_ = parameters.text("pivot_skip") == "warp";
  }

 protected:
  std::int64_t workspace_bytes(std::int64_t /*free_bytes*/) override { return 0; }
  void allocate_workspace() override {}

  void count(const PassGraph& graph, View<std::uint32_t> counts) override {
    const int threads = kWarpSize * warps_per_block();
    const std::size_t tile_bytes = static_cast<std::size_t>(threads) * 2 * sizeof(std::uint32_t);
    row_launches().for_each([&](const RowCut& cut, const Dim3& blocks) {
      launch(merge_kernel, Grid{blocks, threads, tile_bytes}, stream(), graph, cut, counts, threshold_);
      if (threshold_ == 0) return;
      launch(skip_by_warp_ ? warp_skip_kernel : pivot_skip_kernel, Grid{blocks, threads}, stream(), graph, cut, counts,
             threshold_);
    });
  }

 private:
  std::int64_t threshold_ = 0;
  bool skip_by_warp_ = false;
};

std::vector<ParameterSpec> mps_parameters() {
  std::vector<ParameterSpec> parameters = gpu_parameters();
  parameters.push_back(parameter("skew_threshold", 50)
                           .range(0, 1 << 30)
                           .alias("off", 0)
                           .means("degree ratio above which a pair is skipped through, not merged (0: merge all)"));
  parameters.push_back(parameter("pivot_skip", "thread")
                           .one_of({"thread", "warp"})
                           .document({"thread"})
                           .means("who handles a skewed edge"));
  return parameters;
}

}  // namespace

WARPBENCH_SOLVER(CommonNeighbors, MpsGpu,
                 {.id = "mps-gpu",
                  .title = "MPS on a GPU: block-wise merge and pivot skip",
                  .source = "che2019, MPS CUDA Kernels",
                  .role = Role::proposed,
                  .device = Target::hybrid,
                  .parameters = mps_parameters(),
                  .best = {{"mirror", "gpu"}, {"pivot_skip", "warp"}, {"split", 8192}}})

}  // namespace warpbench::common_neighbors
