// bi-dynamic: bitmap intersection with bitmaps made on the fly (bellas2022 §6.2.1, after Bisson et al.): a block makes
// the bitmap of one set and tests the tokens of every later set in it. Bitmaps lie in global memory, one for each
// block that can be resident; `bitmap: shared` (ours) keeps them in shared memory where the universe is small enough.
// One pair: all blocks make the larger set's bitmap, then share the smaller one's tokens.
#include <algorithm>

#include "algorithms/sets/bi/bitmaps.cuh"
#include "algorithms/sets/engine/set_solver.hpp"
#include "device/block.cuh"
#include "device/device.hpp"
#include "solvers/solver.hpp"

namespace warpbench::sets {
namespace {

constexpr RowParts kParts{256};

/// How many of the set's tokens have their bit set. A warp, in all lanes.
__device__ std::uint32_t count_bits_by_warp(const std::uint32_t* bitmap, DeviceSet set) {
  std::uint32_t common = 0;
  for (std::int64_t i = threadIdx.x; i < set.size; i += kWarpSize) common += has_bit(bitmap, set.tokens[i]) ? 1 : 0;
  return warp::reduce_sum(common);
}

/// Blocks take (row, part of its columns) in turn. `pool`: a bitmap of zeros a block, or empty: in shared memory.
__global__ void pairs_kernel(DeviceSets sets, PairTable table, std::int64_t parts, View<std::uint32_t> pool,
                             std::int64_t words) {
  std::uint32_t* const bitmap =
      pool.empty() ? dynamic_shared<std::uint32_t>() : pool.subview(std::int64_t{blockIdx.x} * words, words).data();
  const int tid = warp::thread_rank();
  const int threads = static_cast<int>(blockDim.y * kWarpSize);
  if (pool.empty()) {
    for (std::int64_t w = tid; w < words; w += threads) bitmap[w] = 0;
  }
  const std::int64_t tasks = (table.last_row - table.first_row) * parts;
  for (std::int64_t task = blockIdx.x; task < tasks; task += gridDim.x) {
    const std::int64_t row = table.first_row + task / parts;
    const std::int64_t begin = row + 1 + task % parts * kParts.columns;
    const std::int64_t end = begin + kParts.columns < table.sets ? begin + kParts.columns : table.sets;
    if (begin >= end) continue;
    __syncthreads();  // the bitmap is clear
    set_bits_by_block(bitmap, sets.set(row), tid, threads);
    __syncthreads();
    for (std::int64_t column = begin + threadIdx.y; column < end; column += blockDim.y) {
      const std::uint32_t common = count_bits_by_warp(bitmap, sets.set(column));
      if (threadIdx.x == 0) table.count(row, column) = common;
    }
    __syncthreads();
    clear_bits_by_block(bitmap, sets.set(row), tid, threads);
  }
}

__global__ void single_kernel(SingleTask task, View<const std::uint32_t> bitmap) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  unsigned long long common = 0;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < task.smaller.size(); i += stride) {
    const bool hit = has_bit(bitmap.data(), task.smaller[i]);
    common += hit ? 1 : 0;
    if (hit && !task.found.empty()) task.found[i] = 1;
  }
  common = block::reduce_sum(common);
  if (threadIdx.x == 0) atomicAdd(&task.common[0], common);
}

class BiDynamic final : public Technique {
 public:
  explicit BiDynamic(const Parameters& parameters) { configure(parameters); }
  void configure(const Parameters& parameters) override {
    threads_ = static_cast<int>(parameters.integer("threads_per_block"));
    shared_ = parameters.text("bitmap") == "shared";
  }

  void prepare(const datasets::SetCollection& host, Stream& stream) override {
    words_ = bitmap_words(host.universe());
    const std::size_t bytes = static_cast<std::size_t>(words_) * 4;
    if (shared_) {
      const auto most = static_cast<std::size_t>(current_device().shared_bytes_per_block);
      if (bytes > most) {
        throw Unsupported("a bitmap takes " + std::to_string(bytes) + " bytes, and a block has " +
                          std::to_string(most) + " of shared memory; say bitmap: global");
      }
      return;
    }
    const std::int64_t fit = free_memory() / 2 / std::max<std::int64_t>(words_ * 4, 1);
    if (fit < 1) {
      throw Unsupported("a bitmap takes " + std::to_string(bytes) + " bytes, more than half of the free device memory");
    }
    // More blocks than bitmaps fit would have nothing to work on.
    blocks_ = host.count() == 2 ? 1 : std::min(fit, max_resident_blocks(pairs_kernel, threads_));
    pool_ = Buffer<std::uint32_t>(blocks_ * words_, stream);
  }

  void build(const DeviceSets& /*sets*/, Stream& stream, Phases& /*phases*/) override { pool_.fill(0, stream); }

  void count_pairs(const DeviceSets& sets, const PairTable& table, Stream& stream, Phases& /*phases*/) override {
    const std::int64_t parts = kParts.count(table);
    const std::size_t bytes = shared_ ? static_cast<std::size_t>(words_) * 4 : 0;
    const std::int64_t resident = shared_ ? max_resident_blocks(pairs_kernel, threads_, bytes) : blocks_;
    launch(pairs_kernel, Grid{std::min(resident, table.rows() * parts), {kWarpSize, threads_ / kWarpSize}, bytes},
           stream, sets, table, parts, pool_.view(), words_);
  }

  void intersect(const SingleTask& task, Stream& stream, Phases& /*phases*/) override {
    if (pool_.empty()) pool_ = Buffer<std::uint32_t>(words_, stream);
    const View<std::uint32_t> bitmap = pool_.view().first(words_);
    pool_.fill(0, stream);
    make_bitmap(task.larger, bitmap, threads_, stream);
    launch(single_kernel, Grid{blocks_for(task.smaller.size(), threads_), threads_}, stream, task,
           View<const std::uint32_t>(bitmap));
  }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    return {{"bitmaps", static_cast<double>(blocks_)}, {"bitmap_bytes", static_cast<double>(words_ * 4)}};
  }

 private:
  int threads_ = 256;
  bool shared_ = false;
  std::int64_t words_ = 0;
  std::int64_t blocks_ = 0;
  Buffer<std::uint32_t> pool_;
};

std::vector<ParameterSpec> parameters() {
  return {
      threads_per_block(),
      parameter("bitmap", "global")
          .one_of({"global", "shared"})
          .document({"global"})
          .at(Stage::prepare)
          .means("where a block's bitmap lies; shared: in shared memory (ours), for universes of a million tokens")};
}

[[maybe_unused]] const bool registered =
    register_for_both<BiDynamic>({.id = "bi-dynamic",
                                  .title = "a bitmap of one set, the tokens of the others tested in it",
                                  .source = "bellas2022 §6.2.1",
                                  .role = Role::gpu_baseline,
                                  .device = Target::gpu,
                                  .parameters = parameters(),
                                  .smoke = {{"threads_per_block", 64}},
                                  .best = {{"bitmap", "shared"}}});

}  // namespace

}  // namespace warpbench::sets
