// obs: optimised binary search (bellas2022 §6.2.1, after Hu et al.): the tokens of the smaller set are looked up in the
// larger one, a lane a lookup, and the top levels of the search tree lie in shared memory. All pairs: a block keeps
// the top of one set and its warps take the later sets in turn. As the document has it, one pair is one block's work;
// ip-obs spreads it over all.
#include "algorithms/sets/engine/set_solver.hpp"
#include "algorithms/sets/obs/lookup.cuh"
#include "solvers/solver.hpp"

namespace warpbench::sets {
namespace {

constexpr RowParts kParts{256};

__global__ void obs_pairs_kernel(DeviceSets sets, PairTable table) {
  const Part part = part_of_block(table, kParts);
  if (part.begin >= part.end) return;
  const SearchTop top(sets.set(part.row), dynamic_shared<std::uint32_t>());
  for (std::int64_t column = part.begin + threadIdx.y; column < part.end; column += blockDim.y) {
    const std::uint32_t common = count_by_warp(top, sets.set(column));
    if (threadIdx.x == 0) table.count(part.row, column) = common;
  }
}

/// One block.
__global__ void obs_single_kernel(SingleTask task) {
  const SearchTop top({task.larger.data(), task.larger.size()}, dynamic_shared<std::uint32_t>());
  std::uint32_t common = 0;
  const int tid = warp::thread_rank();
  for (std::int64_t i = tid; i < task.smaller.size(); i += std::int64_t{blockDim.y} * kWarpSize) {
    if (!top.holds(task.smaller[i])) continue;
    ++common;
    if (!task.found.empty()) task.found[i] = 1;
  }
  atomicAdd(&task.common[0], static_cast<unsigned long long>(common));
}

class Obs final : public Technique {
 public:
  explicit Obs(const Parameters& parameters) { configure(parameters); }
  void configure(const Parameters& parameters) override {
    warps_ = static_cast<int>(parameters.integer("threads_per_block") / kWarpSize);
  }
  void prepare(const datasets::SetCollection& /*host*/, Stream& /*stream*/) override {}
  void build(const DeviceSets& /*sets*/, Stream& /*stream*/, Phases& /*phases*/) override {}
  void count_pairs(const DeviceSets& sets, const PairTable& table, Stream& stream, Phases& /*phases*/) override {
    launch(obs_pairs_kernel, Grid{{table.rows(), kParts.count(table)}, {kWarpSize, warps_}, SearchTop::kBytes}, stream,
           sets, table);
  }
  void intersect(const SingleTask& task, Stream& stream, Phases& /*phases*/) override {
    launch(obs_single_kernel, Grid{1, {kWarpSize, warps_}, SearchTop::kBytes}, stream, task);
  }

 private:
  int warps_ = 8;
};

const std::vector<ParameterSpec> kParameters{threads_per_block()};

[[maybe_unused]] const bool registered =
    register_for_both<Obs>({.id = "obs",
                            .title = "binary search with the top of the tree in shared memory",
                            .source = "bellas2022 §6.2.1",
                            .role = Role::gpu_baseline,
                            .device = Target::gpu,
                            .parameters = kParameters,
                            .smoke = {{"threads_per_block", 64}}});

}  // namespace

}  // namespace warpbench::sets
