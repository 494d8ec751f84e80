// bi-naive: bitmap intersection with a bitmap of every set (bellas2022 §6.2.1): words are combined by AND and their
// bits counted. Only where all bitmaps fit into device memory: universe / 8 bytes a set, whatever its size.
#include "algorithms/sets/bi/bitmaps.cuh"
#include "algorithms/sets/engine/set_solver.hpp"
#include "device/block.cuh"
#include "device/device.hpp"
#include "solvers/solver.hpp"

namespace warpbench::sets {
namespace {

constexpr RowParts kParts{256};

/// Block i makes the bitmap of set i.
__global__ void build_kernel(DeviceSets sets, View<std::uint32_t> bitmaps, std::int64_t words) {
  const std::int64_t set = blockIdx.x;
  set_bits_by_block(bitmaps.subview(set * words, words).data(), sets.set(set), static_cast<int>(threadIdx.x),
                    static_cast<int>(blockDim.x));
}

/// A warp a pair, a lane a word.
__global__ void pairs_kernel(View<const std::uint32_t> bitmaps, std::int64_t words, PairTable table) {
  const Part part = part_of_block(table, kParts);
  if (part.begin >= part.end) return;
  const std::uint32_t* const own = bitmaps.subview(part.row * words, words).data();
  for (std::int64_t column = part.begin + threadIdx.y; column < part.end; column += blockDim.y) {
    const std::uint32_t* const other = bitmaps.subview(column * words, words).data();
    std::uint32_t common = 0;
    for (std::int64_t w = threadIdx.x; w < words; w += kWarpSize) {
      common += static_cast<std::uint32_t>(__popc(own[w] & other[w]));
    }
    common = warp::reduce_sum(common);
    if (threadIdx.x == 0) table.count(part.row, column) = common;
  }
}

__global__ void single_kernel(View<const std::uint32_t> a, View<const std::uint32_t> b,
                              View<unsigned long long> total) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  unsigned long long common = 0;
  for (std::int64_t w = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; w < a.size(); w += stride) {
    common += static_cast<unsigned long long>(__popc(a[w] & b[w]));
  }
  common = block::reduce_sum(common);
  if (threadIdx.x == 0) atomicAdd(&total[0], common);
}
__global__ void found_kernel(View<const std::uint32_t> tokens, View<const std::uint32_t> bitmap,
                             View<std::uint8_t> found) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < tokens.size()) found[i] = has_bit(bitmap.data(), tokens[i]) ? 1 : 0;
}

class BiNaive final : public Technique {
 public:
  explicit BiNaive(const Parameters& parameters) { configure(parameters); }
  void configure(const Parameters& parameters) override {
    threads_ = static_cast<int>(parameters.integer("threads_per_block"));
  }

  void prepare(const datasets::SetCollection& host, Stream& stream) override {
    words_ = bitmap_words(host.universe());
    const std::int64_t bytes = words_ * host.count() * 4;
    if (bytes > free_memory() / 4 * 3) {
      throw Unsupported("the bitmaps of all sets take " + std::to_string(bytes) + " bytes, and " +
                        std::to_string(free_memory()) + " are free; bi-dynamic makes them one at a time");
    }
    bitmaps_ = Buffer<std::uint32_t>(words_ * host.count(), stream);
  }

  void build(const DeviceSets& sets, Stream& stream, Phases& /*phases*/) override {
    bitmaps_.fill(0, stream);
    if (sets.count > 0) launch(build_kernel, Grid{sets.count, threads_}, stream, sets, bitmaps_.view(), words_);
  }

  void count_pairs(const DeviceSets& /*sets*/, const PairTable& table, Stream& stream, Phases& /*phases*/) override {
    launch(pairs_kernel, Grid{{table.rows(), kParts.count(table)}, {kWarpSize, threads_ / kWarpSize}}, stream,
           std::as_const(bitmaps_).view(), words_, table);
  }

  void intersect(const SingleTask& task, Stream& stream, Phases& /*phases*/) override {
    bitmaps_.fill(0, stream);
    const View<std::uint32_t> a = bitmaps_.view().first(words_);
    const View<std::uint32_t> b = bitmaps_.view().subview(words_, words_);
    make_bitmap(task.smaller, a, threads_, stream);
    make_bitmap(task.larger, b, threads_, stream);
    launch(single_kernel, Grid{blocks_for(words_, threads_), threads_}, stream, View<const std::uint32_t>(a),
           View<const std::uint32_t>(b), task.common);
    if (task.found.empty()) return;
    launch(found_kernel, Grid{(task.smaller.size() + threads_ - 1) / threads_, threads_}, stream, task.smaller,
           View<const std::uint32_t>(b), task.found);
  }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    return {{"bitmap_bytes", static_cast<double>(bitmaps_.bytes())}};
  }

 private:
  int threads_ = 256;
  std::int64_t words_ = 0;
  Buffer<std::uint32_t> bitmaps_;
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
