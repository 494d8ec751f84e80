// bi-dynamic: bitmap intersection with bitmaps made on the fly (bellas2022 §6.2.1, after Bisson et al.): a block makes
// the bitmap of one set and tests the tokens of every later set in it. Bitmaps lie in global memory, one for each
// block that can be resident; `bitmap: shared` (ours) keeps them in shared memory where the universe is small enough.
// Where memory holds fewer bitmaps than that, or with `bitmap: common` (ours), blocks work on the bitmaps of as many
// rows together: all make them, all test later sets in them, all clear them. Of these two `bitmap: auto` takes shared
// memory where it is large enough.
// One pair, also as all pairs of two sets: all blocks make the larger set's bitmap, then share the smaller one's
// tokens.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "algorithms/sets/bi/bitmaps.cuh"
#include "algorithms/sets/engine/lookup.cuh"
#include "algorithms/sets/engine/set_solver.hpp"
#include "device/block.cuh"
#include "device/device.hpp"
#include "solvers/solver.hpp"

namespace warpbench::sets {
namespace {

/// This block's bitmap: its own of a pool of zeros, or, where there is no pool, one in shared memory, made empty.
__device__ Bitmap bitmap_of_block(View<std::uint32_t> pool, std::int64_t words) {
  if (!pool.empty()) return {pool.subview(block::index() * words, words)};
  const Bitmap bitmap{{dynamic_shared<std::uint32_t>(), words}};
  for (const std::int64_t w : block::strided(words)) bitmap.words[w] = 0;
  return bitmap;
}

/// Blocks take the pieces of rows in turn.
__global__ void pairs_kernel(DeviceSets sets, PairTile tile, View<std::uint32_t> pool, std::int64_t words) {
  const Bitmap bitmap = bitmap_of_block(pool, words);
  const WarpPerColumn pieces{tile};
  for (const std::int64_t number : grid::per_block(pieces.count())) {
    const RowPiece piece = pieces.piece(number);
    if (piece.columns.empty()) continue;
    __syncthreads();  // the bitmap is clear
    bitmap.insert_by_block(sets.set(piece.row));
    __syncthreads();
    count_columns(bitmap, sets, tile, piece);
    __syncthreads();
    bitmap.erase_by_block(sets.set(piece.row));
  }
}

struct CommonTuning {
  static constexpr std::int64_t kColumns = 16;  ///< of a row, for a block
};
using CommonPieces = RowPieces<CommonTuning::kColumns>;

/// Bitmap i is that of the tile's row i. Row by row, so that the blocks that run at once test few bitmaps, and near the
/// same place: tokens ascend.
__global__ void common_pairs_kernel(DeviceSets sets, PairTile tile, Bitmaps bitmaps) {
  const RowPiece piece = CommonPieces{tile}.piece(block::index());
  if (piece.columns.empty()) return;
  count_columns(bitmaps[piece.row - tile.first_row], sets, tile, piece);
}

__global__ void single_kernel(SingleTask task, Bitmap bitmap) {
  DigestWord common = 0;
  for (const std::int64_t i : grid::strided(task.smaller.size())) {
    if (!bitmap.holds(task.smaller[i])) continue;
    ++common;
    task.flags().mark_at(i);
  }
  block::accumulate(task.common[0], common);
}

/// The same for the only pair of a tile.
__global__ void only_pair_kernel(DeviceSet smaller, Bitmap bitmap, View<std::uint32_t> counts) {
  std::uint32_t common = 0;
  for (const std::int64_t i : grid::strided(smaller.size())) common += bitmap.holds(smaller[i]) ? 1 : 0;
  block::accumulate(counts[0], common);
}

class BiDynamic final : public Technique {
 public:
  explicit BiDynamic(const Parameters& parameters) { configure(parameters); }
  void configure(const Parameters& parameters) override {
    threads_ = static_cast<int>(parameters.integer("threads_per_block"));
    bitmap_ = parameters.text("bitmap");
  }

  void prepare(const datasets::SetCollection& host, Stream& stream) override {
    words_ = words_for(host.universe());
    if (host.count() == 2) sizes_ = {host.size(0), host.size(1)};
    const std::size_t bytes = static_cast<std::size_t>(words_) * 4;
    const auto max_bytes = static_cast<std::size_t>(current_device().shared_bytes_per_block);
    shared_ = bitmap_ == "shared" || (bitmap_ == "auto" && bytes <= max_bytes);
    if (shared_ && host.count() != 2) {
      if (bytes > max_bytes) {
        throw Unsupported("a bitmap takes " + std::to_string(bytes) + " bytes, and a block has " +
                          std::to_string(max_bytes) + " of shared memory; say bitmap: auto");
      }
      return;
    }
    const std::int64_t fit = free_memory() / 2 / std::max<std::int64_t>(words_ * 4, 1);
    if (fit < 1) {
      throw Unsupported("a bitmap takes " + std::to_string(bytes) + " bytes, more than half of the free device memory");
    }
    const std::int64_t resident = max_resident_blocks(pairs_kernel, threads_);
    const std::int64_t pieces = host.count() * ceil_div(host.count(), WarpPerColumnTuning::kColumns);
    blocks_make_their_own_ = bitmap_ == "global" && fit >= std::min(resident, pieces);
    bitmaps_ = std::min(resident, blocks_make_their_own_ ? pieces : std::min(fit, host.count()));
    if (host.count() == 2) bitmaps_ = 1;
    max_size_ = host.max_size();
    pool_ = Buffer<std::uint32_t>(bitmaps_ * words_, stream);
  }

  void build(const DeviceSets& sets, Stream& stream, Phases& /*phases*/) override {
    if (sets.count != 2) pool_.fill(0, stream);  // else each pair clears it
  }

  void count_pairs(const DeviceSets& sets, const PairTile& tile, Stream& stream, Phases& /*phases*/) override {
    if (sets.count == 2) return count_only_pair(sets, tile, stream);
    if (!shared_ && !blocks_make_their_own_) return count_in_common(sets, tile, stream);
    const std::size_t bytes = shared_ ? static_cast<std::size_t>(words_) * 4 : 0;
    const std::int64_t resident = shared_ ? max_resident_blocks(pairs_kernel, threads_, bytes) : bitmaps_;
    launch(pairs_kernel, Grid{std::min(resident, WarpPerColumn{tile}.count()), threads_, bytes}, stream, sets, tile,
           pool_.view(), words_);
  }

  void intersect(const SingleTask& task, Stream& stream, Phases& /*phases*/) override {
    launch(single_kernel, grid_of_pair(task.smaller), stream, task, bitmap_of(task.larger, stream));
  }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    std::map<std::string, double> counters{{"bitmaps", static_cast<double>(bitmaps_)},
                                           {"bitmap_bytes", static_cast<double>(words_ * 4)},
                                           {"bitmaps_in_common", !shared_ && !blocks_make_their_own_ ? 1 : 0}};
    if (pair_blocks_ != 0) counters["blocks"] = static_cast<double>(pair_blocks_);
    return counters;
  }

 private:
  /// The bitmaps of as many rows at a time as there are.
  void count_in_common(const DeviceSets& sets, const PairTile& tile, Stream& stream) {
    const Bitmaps bitmaps{pool_.view(), words_};
    const std::int64_t blocks = ceil_div(blocks_for(max_size_, threads_), bitmaps_);
    for (std::int64_t row = tile.first_row; row < tile.last_row; row += bitmaps_) {
      const PairTile rows = tile.part(row, std::min(row + bitmaps_, tile.last_row));
      make_bitmaps(sets, row, rows.last_row, bitmaps, blocks, threads_, stream);
      launch(common_pairs_kernel, Grid{CommonPieces{rows}.count(), threads_}, stream, sets, rows, bitmaps);
      clear_bitmaps(sets, row, rows.last_row, bitmaps, blocks, threads_, stream);
    }
  }
  /// One bitmap that all blocks make, as all of them test it.
  Bitmap bitmap_of(DeviceSet set, Stream& stream) {
    const Bitmap bitmap{pool_.view().first(words_)};
    pool_.fill(0, stream);
    make_bitmap(set, bitmap, threads_, stream);
    return bitmap;
  }
  Grid grid_of_pair(DeviceSet smaller) {
    pair_blocks_ = blocks_for(smaller.size(), threads_);
    return {pair_blocks_, threads_};
  }
  void count_only_pair(const DeviceSets& sets, const PairTile& tile, Stream& stream) {
    DeviceSet smaller = sets.tokens.first(sizes_[0]);
    DeviceSet larger = sets.tokens.subview(sizes_[0], sizes_[1]);
    if (smaller.size() > larger.size()) std::swap(smaller, larger);
    launch(only_pair_kernel, grid_of_pair(smaller), stream, smaller, bitmap_of(larger, stream), tile.counts);
  }

  int threads_ = 256;
  std::string bitmap_;
  bool shared_ = false;
  bool blocks_make_their_own_ = true;  ///< bitmaps, where these are in global memory
  std::int64_t words_ = 0;
  std::int64_t bitmaps_ = 0;
  std::int64_t max_size_ = 0;
  std::int64_t pair_blocks_ = 0;                ///< of the last kernel that intersected one pair
  std::array<std::int64_t, 2> sizes_ = {0, 0};  ///< where there are two sets
  Buffer<std::uint32_t> pool_;
};

std::vector<ParameterSpec> parameters() {
  return {
      threads_per_block(),
      parameter("bitmap", "global")
          .one_of({"global", "shared", "common", "auto"})
          .document({"global"})
          .at(Stage::prepare)
          .means("where a block's bitmap lies; shared: in shared memory (ours), for universes of a million tokens; "
                 "common: in global memory, and blocks make and test some sets' bitmaps together (ours), as with "
                 "global where memory holds fewer than blocks run at once; auto: shared where it fits, else common. Of "
                 "one pair there is one bitmap, always global")};
}

[[maybe_unused]] const bool registered =
    register_for_both<BiDynamic>({.id = "bi-dynamic",
                                  .title = "a bitmap of one set, the tokens of the others tested in it",
                                  .source = "bellas2022 §6.2.1",
                                  .role = Role::gpu_baseline,
                                  .device = Target::gpu,
                                  .parameters = parameters(),
                                  .smoke = {{"threads_per_block", 64}},
                                  .best = {{"bitmap", "auto"}}});

}  // namespace

}  // namespace warpbench::sets
