// bi-naive: bitmap intersection with a bitmap of every set (bellas2022 §6.2.1): words are combined by AND and their
// bits counted. Only where all bitmaps fit into device memory: universe / 8 bytes a set, whatever its size.
#include "algorithms/sets/bi/bitmaps.cuh"
#include "algorithms/sets/engine/lookup.cuh"
#include "algorithms/sets/engine/set_solver.hpp"
#include "device/block.cuh"
#include "device/device.hpp"
#include "solvers/solver.hpp"

namespace warpbench::sets {
namespace {

/// A warp a pair, a lane a word.
__global__ void pairs_kernel(Bitmaps bitmaps, PairTile tile) {
  const RowPiece piece = WarpPerColumn{tile}.of_block();
  const Bitmap own = bitmaps[piece.row];
  for (const std::int64_t column : block::per_warp(piece.columns)) {
    const Bitmap other = bitmaps[column];
    std::uint32_t common = 0;
    for (const std::int64_t w : warp::strided(bitmaps.words_each)) common += __popc(own.words[w] & other.words[w]);
    common = warp::reduce_sum(common);
    if (warp::lane() == 0) tile.count(piece.row, column) = common;
  }
}

__global__ void single_kernel(Bitmap a, Bitmap b, View<DigestWord> total) {
  DigestWord common = 0;
  for (const std::int64_t w : grid::strided(a.words.size())) common += __popc(a.words[w] & b.words[w]);
  block::accumulate(total[0], common);
}
__global__ void found_kernel(DeviceSet set, Bitmap bitmap, View<std::uint8_t> found) {
  for (const std::int64_t i : grid::strided(set.size())) found[i] = bitmap.holds(set[i]) ? 1 : 0;
}

class BiNaive final : public Technique {
 public:
  explicit BiNaive(const Parameters& parameters) { configure(parameters); }
  void configure(const Parameters& parameters) override {
    threads_ = static_cast<int>(parameters.integer("threads_per_block"));
  }

  void prepare(const datasets::SetCollection& host, Stream& stream) override {
    words_each_ = words_for(host.universe());
    const std::int64_t bytes = words_each_ * host.count() * 4;
    if (bytes > free_memory() / 4 * 3) {
      throw Unsupported("the bitmaps of all sets take " + std::to_string(bytes) + " bytes, and " +
                        std::to_string(free_memory()) + " are free; bi-dynamic makes them one at a time");
    }
    words_ = Buffer<std::uint32_t>(words_each_ * host.count(), stream);
  }

  void build(const DeviceSets& sets, Stream& stream, Phases& /*phases*/) override {
    words_.fill(0, stream);
    make_bitmaps(sets, 0, sets.count, bitmaps(), 1, threads_, stream);
  }

  void count_pairs(const DeviceSets& /*sets*/, const PairTile& tile, Stream& stream, Phases& /*phases*/) override {
    launch(pairs_kernel, Grid{WarpPerColumn{tile}.blocks(), threads_}, stream, bitmaps(), tile);
  }

  void intersect(const SingleTask& task, Stream& stream, Phases& /*phases*/) override {
    words_.fill(0, stream);
    const Bitmap a = bitmaps()[0];
    const Bitmap b = bitmaps()[1];
    make_bitmap(task.smaller, a, threads_, stream);
    make_bitmap(task.larger, b, threads_, stream);
    launch(single_kernel, Grid{blocks_for(a.words.size(), threads_), threads_}, stream, a, b, task.common);
    if (task.found.empty()) return;
    launch(found_kernel, grid_for(task.smaller.size(), threads_), stream, task.smaller, b, task.found);
  }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    return {{"bitmap_bytes", static_cast<double>(words_.bytes())}};
  }

 private:
  [[nodiscard]] Bitmaps bitmaps() { return {words_.view(), words_each_}; }

  int threads_ = 256;
  std::int64_t words_each_ = 0;
  Buffer<std::uint32_t> words_;
};

using BiNaiveIntersection = IntersectionBy<BiNaive>;

}  // namespace

WARPBENCH_SOLVER(SetIntersection, BiNaiveIntersection,
                 {.id = "bi-naive",
                  .title = "bitmaps of all sets, combined by AND",
                  .source = "bellas2022 §6.2.1",
                  .role = Role::gpu_baseline,
                  .device = Target::gpu,
                  .parameters = {threads_per_block()},
                  .smoke = {{"threads_per_block", 64}}})

}  // namespace warpbench::sets
