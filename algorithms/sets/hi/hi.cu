// hi: hash intersection (bellas2022 §6.2.1, after Pandey et al.): a block hashes the shorter set into buckets, the
// other sets' tokens look for themselves in theirs, one after the other. All pairs: a row's set is hashed for a part
// of the row's columns, so collections in ascending order of size have the shorter one hashed.
//
// The document does not say how full buckets are handled, nor sets larger than all buckets. Here a list takes the
// tokens that overflow, and a long set is hashed a piece at a time; only tokens in a piece's range are looked up in it.
#include <algorithm>

#include "algorithms/sets/engine/set_solver.hpp"
#include "algorithms/sets/hi/buckets.cuh"
#include "device/block.cuh"
#include "solvers/solver.hpp"

namespace warpbench::sets {
namespace {

/// Adds a piece of the row's set to the counts, a warp a column; a column is the same warp's for every piece.
template <typename Probers>
__device__ void add_to_columns(const Buckets& buckets, const DeviceSets& sets, const PairTile& tile,
                               const RowPiece& piece, Probers probers) {
  for (const std::int64_t column : block::per_warp(piece.columns)) {
    const std::uint32_t common = count_by_warp(buckets, probers(sets.set(column)));
    if (warp::lane() == 0) tile.count(piece.row, column) += common;
  }
}

__global__ void hi_pairs_kernel(DeviceSets sets, PairTile tile, BucketPool pool) {
  Buckets buckets(pool, dynamic_shared<std::uint32_t>());
  const WarpPerColumn pieces{tile};
  for (const std::int64_t number : grid::per_block(pieces.count())) {
    const RowPiece piece = pieces.piece(number);
    if (piece.columns.empty()) continue;
    for_each_piece(buckets, sets.set(piece.row),
                   [&](auto probers) { add_to_columns(buckets, sets, tile, piece, probers); });
  }
}

/// One block.
__global__ void hi_single_kernel(SingleTask task, BucketPool pool) {
  Buckets buckets(pool, dynamic_shared<std::uint32_t>());
  block::accumulate(task.common[0], count_by_hash(buckets, task.smaller, task.larger, task.flags()));
}

class Hi final : public Technique {
 public:
  explicit Hi(const Parameters& parameters) { configure(parameters); }
  void configure(const Parameters& parameters) override {
    threads_ = static_cast<int>(parameters.integer("threads_per_block"));
    buckets_ = parameters.integer("buckets");
  }
  void prepare(const datasets::SetCollection& host, Stream& stream) override {
    memory_ = {};
    const BucketLayout layout = BucketLayout::of(buckets_, host.max_size());
    const std::int64_t tasks = host.count() * ceil_div(host.count(), WarpPerColumnTuning::kColumns);
    const std::int64_t resident = max_resident_blocks(hi_pairs_kernel, threads_, layout.shared_bytes());
    memory_ = BucketMemory(layout, std::min(tasks, resident), stream);
  }
  void build(const DeviceSets& /*sets*/, Stream& /*stream*/, Phases& /*phases*/) override {}
  void count_pairs(const DeviceSets& sets, const PairTile& tile, Stream& stream, Phases& /*phases*/) override {
    const std::int64_t blocks = std::min(memory_.blocks(), WarpPerColumn{tile}.count());
    launch(hi_pairs_kernel, grid(blocks), stream, sets, tile, memory_.pool());
  }
  void intersect(const SingleTask& task, Stream& stream, Phases& /*phases*/) override {
    launch(hi_single_kernel, grid(1), stream, task, memory_.pool());
  }
  [[nodiscard]] std::map<std::string, double> counters() const override {
    return {{"bucket_bytes", static_cast<double>(memory_.bytes())}};
  }

 private:
  [[nodiscard]] Grid grid(std::int64_t blocks) { return {blocks, threads_, memory_.pool().layout.shared_bytes()}; }

  int threads_ = 256;
  std::int64_t buckets_ = 1024;
  BucketMemory memory_;
};

// Both decide how much storage is prepared.
const std::vector<ParameterSpec> kParameters{buckets(), threads_per_block().at(Stage::prepare)};

[[maybe_unused]] const bool registered = register_for_both<Hi>({.id = "hi",
                                                                .title = "hashing of the shorter set into buckets",
                                                                .source = "bellas2022 §6.2.1",
                                                                .role = Role::gpu_baseline,
                                                                .device = Target::gpu,
                                                                .parameters = kParameters,
                                                                .smoke = {{"buckets", 16}, {"threads_per_block", 64}}});

}  // namespace

}  // namespace warpbench::sets
