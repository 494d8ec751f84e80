// hi: hash intersection (bellas2022 §6.2.1, after Pandey et al.): a block hashes the shorter set into buckets, the
// other sets' tokens look for themselves in theirs, one after the other. All pairs: a row's set is hashed for a part
// of the row's columns, so collections in ascending order of size have the shorter one hashed.
//
// The document does not say what becomes of full buckets and of sets that exceed all buckets: here a list takes what
// overflows, and a long set is hashed a piece at a time; a piece is looked for only by tokens of its range.
#include <algorithm>

#include "algorithms/sets/engine/set_solver.hpp"
#include "algorithms/sets/hi/buckets.cuh"
#include "device/block.cuh"
#include "solvers/solver.hpp"

namespace warpbench::sets {
namespace {

constexpr RowParts kParts{256};

/// How many tokens of `set` the buckets hold: a lane a lookup. A whole warp; in all lanes.
__device__ std::uint32_t count_by_warp(const Buckets& buckets, DeviceSet set) {
  std::uint32_t common = 0;
  for (std::int64_t i = warp::lane(); i < set.size; i += kWarpSize) common += buckets.holds(set.tokens[i]) ? 1 : 0;
  return warp::reduce_sum(common);
}

/// A warp a column; a column is the same warp's for every piece.
template <typename Probers>
__device__ void count_columns(const DeviceSets& sets, const PairTable& table, const Part& part, const Buckets& buckets,
                              Probers probers) {
  for (std::int64_t column = part.begin + threadIdx.y; column < part.end; column += blockDim.y) {
    const std::uint32_t common = count_by_warp(buckets, probers(sets.set(column)));
    if (threadIdx.x == 0) table.count(part.row, column) += common;
  }
}

__global__ void hi_pairs_kernel(DeviceSets sets, PairTable table, RowParts parts, BucketPool pool) {
  Buckets buckets(pool, dynamic_shared<std::uint32_t>());
  const std::int64_t parts_of_row = parts.count(table);
  const std::int64_t tasks = table.rows() * parts_of_row;
  for (std::int64_t task = blockIdx.x; task < tasks; task += gridDim.x) {
    const Part part = part_at(table, parts, task / parts_of_row, task % parts_of_row);
    if (part.begin >= part.end) continue;
    for_each_piece(buckets, sets.set(part.row),
                   [&](auto probers) { count_columns(sets, table, part, buckets, probers); });
  }
}

/// One block.
__global__ void hi_single_kernel(SingleTask task, BucketPool pool) {
  Buckets buckets(pool, dynamic_shared<std::uint32_t>());
  const Found found{task.found, {task.smaller.data(), task.smaller.size()}, 0};
  const std::uint32_t common = count_by_hash(buckets, found.set, {task.larger.data(), task.larger.size()}, found);
  atomicAdd(&task.common[0], static_cast<unsigned long long>(common));
}

class Hi final : public Technique {
 public:
  explicit Hi(const Parameters& parameters) { configure(parameters); }
  void configure(const Parameters& parameters) override {
    warps_ = static_cast<int>(parameters.integer("threads_per_block") / kWarpSize);
    buckets_ = parameters.integer("buckets");
  }
  void prepare(const datasets::SetCollection& host, Stream& stream) override {
    memory_ = {};
    const BucketLayout layout = BucketLayout::of(buckets_, host.max_size());
    const std::int64_t tasks = host.count() * ((host.count() + kParts.columns - 1) / kParts.columns);
    const std::int64_t resident = max_resident_blocks(hi_pairs_kernel, kWarpSize * warps_, layout.shared_bytes());
    memory_ = BucketMemory(layout, std::min(tasks, resident), stream);
  }
  void build(const DeviceSets& /*sets*/, Stream& /*stream*/, Phases& /*phases*/) override {}
  void count_pairs(const DeviceSets& sets, const PairTable& table, Stream& stream, Phases& /*phases*/) override {
    const std::int64_t blocks = std::min(memory_.blocks(), table.rows() * kParts.count(table));
    launch(hi_pairs_kernel, grid(blocks), stream, sets, table, kParts, memory_.pool());
  }
  void intersect(const SingleTask& task, Stream& stream, Phases& /*phases*/) override {
    launch(hi_single_kernel, grid(1), stream, task, memory_.pool());
  }
  [[nodiscard]] std::map<std::string, double> counters() const override {
    return {{"bucket_bytes", static_cast<double>(memory_.bytes())}};
  }

 private:
  [[nodiscard]] Grid grid(std::int64_t blocks) {
    return {blocks, {kWarpSize, warps_}, memory_.pool().layout.shared_bytes()};
  }

  int warps_ = 8;
  std::int64_t buckets_ = 1024;
  BucketMemory memory_;
};

// How much storage there is depends on both.
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
