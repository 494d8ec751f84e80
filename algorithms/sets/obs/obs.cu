// obs: optimised binary search (bellas2022 §6.2.1, after Hu et al.): the tokens of the smaller set are looked up in the
// larger one, a lane a lookup, and the top levels of the search tree lie in shared memory. All pairs: a block keeps
// the top of one set and its warps take the later sets in turn. As the document has it, one pair is one block's work;
// ip-obs spreads it over all.
#include "algorithms/sets/engine/lookup.cuh"
#include "algorithms/sets/engine/set_solver.hpp"
#include "algorithms/sets/obs/search_top.cuh"
#include "device/block.cuh"
#include "solvers/solver.hpp"

namespace warpbench::sets {
namespace {

__global__ void obs_pairs_kernel(DeviceSets sets, PairTile tile) {
  const RowPiece piece = WarpPerColumn{tile}.of_block();
  if (piece.columns.empty()) return;
  const SearchTop top(sets.set(piece.row), dynamic_shared<std::uint32_t>());
  count_columns(top, sets, tile, piece);
}

/// One block.
__global__ void obs_single_kernel(SingleTask task) {
  const SearchTop top(task.larger, dynamic_shared<std::uint32_t>());
  const std::uint32_t common =
      count_by_block(top, task.smaller, [flags = task.flags()](std::int64_t i) { flags.mark_at(i); });
  block::accumulate(task.common[0], common);
}

class Obs final : public Technique {
 public:
  explicit Obs(const Parameters& parameters) { configure(parameters); }
  void configure(const Parameters& parameters) override {
    threads_ = static_cast<int>(parameters.integer("threads_per_block"));
  }
  void prepare(const datasets::SetCollection& /*host*/, Stream& /*stream*/) override {}
  void build(const DeviceSets& /*sets*/, Stream& /*stream*/, Phases& /*phases*/) override {}
  void count_pairs(const DeviceSets& sets, const PairTile& tile, Stream& stream, Phases& /*phases*/) override {
    launch(obs_pairs_kernel, Grid{WarpPerColumn{tile}.blocks(), threads_, SearchTop::kBytes}, stream, sets, tile);
  }
  void intersect(const SingleTask& task, Stream& stream, Phases& /*phases*/) override {
    launch(obs_single_kernel, Grid{1, threads_, SearchTop::kBytes}, stream, task);
  }

 private:
  int threads_ = 256;
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
