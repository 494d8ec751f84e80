// The select query of `naive`: a thread a pair, in blocks of 32 × 32 threads (bellas2022 §3.4.1). A match takes its
// place from one counter in global memory or, of Table 3.7, has a cell of its own that is compacted afterwards.
#include "algorithms/theta_join/naive/select.hpp"

#include <algorithm>
#include <string>
#include <type_traits>

#include "algorithms/theta_join/aggregate/block_shape.hpp"
#include "algorithms/theta_join/select/compaction.hpp"
#include "algorithms/theta_join/select/matrix_maker.hpp"
#include "algorithms/theta_join/select/select_solver.hpp"
#include "device/ranges.cuh"

namespace warpbench::theta {
namespace {

/// Blocks of a grid's second dimension.
constexpr std::int64_t kMaxBlocksY = 65535;

struct AtomicPlaces {
  View<Row> rows;
  View<DigestWord> count;

  __device__ __forceinline__ void pair(std::int64_t /*cell*/, bool match, const Row& row) const {
    if (match) rows[static_cast<std::int64_t>(atomicAdd(&count[0], DigestWord{1}))] = row;
  }
};

struct OwnCells {
  Cells cells;

  __device__ __forceinline__ void pair(std::int64_t cell, bool match, const Row& row) const {
    cells.matches[cell] = match ? 1 : 0;
    if (match) cells.rows[cell] = row;
  }
};

/// x goes along R and y along S, so that a warp shares a tuple of S. A thread has several pairs only where S has more
/// tuples than a grid has rows of threads.
template <typename Theta, typename Sink>
__global__ void __launch_bounds__(BlockShape::kMaxThreads)
    pair_kernel(JoinView join, JoinPart part, Theta theta, Sink sink) {
  const std::int64_t r = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t step = std::int64_t{gridDim.y} * blockDim.y;
  if (r >= part.r_count()) return;
  for (std::int64_t s = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y; s < part.s_count(); s += step) {
    const std::int64_t r_at = part.r_begin + r;
    const std::int64_t s_at = part.s_begin + s;
    const bool match = theta(join.r_keys(r_at), join.s_keys(s_at));
    sink.pair(s * part.r_count() + r, match, {join.r.a(r_at), join.s.a(s_at), join.s.x(s_at)});
  }
}

class NaiveMaker final : public MatrixMaker {
 public:
  explicit NaiveMaker(const Parameters& parameters) : MatrixMaker(layout_of(parameters)) { configure(parameters); }

  void configure(const Parameters& parameters) override {
    is_compressed_ = parameters.text("output") == "compressed";
    block_ = block_shape_of(parameters);
    if (!is_compressed_) compaction_ = {};
  }

 private:
  [[nodiscard]] Extra extra() const override { return {.pair_bytes = is_compressed_ ? Compaction::kCellBytes : 0}; }

  void make_rows(const JoinPart& part, View<Row> rows, View<DigestWord> count, Stream& stream,
                 Phases& phases) override {
    if (!is_compressed_) {
      const auto scope = phases.gpu("kernel", stream);
      visit_pairs(part, AtomicPlaces{rows, count}, stream);
      return;
    }
    {
      const auto scope = phases.gpu("kernel", stream);
      visit_pairs(part, OwnCells{compaction_.cells(part.pairs(), stream)}, stream);
    }
    const auto scope = phases.gpu("compression", stream);
    compaction_.compact(rows, count, stream);
  }

  template <typename Sink>
  void visit_pairs(const JoinPart& part, const Sink& sink, Stream& stream) const {
    const Dim3 threads = block_.threads();
    const Dim3 blocks(ceil_div(part.r_count(), threads.x), std::min(ceil_div(part.s_count(), threads.y), kMaxBlocksY));
    with_functor(predicate(), [&](const auto& theta) {
      launch(pair_kernel<std::remove_cvref_t<decltype(theta)>, Sink>, Grid{blocks, threads}, stream, join(), part,
             theta, sink);
    });
  }

  bool is_compressed_ = false;
  BlockShape block_;
  Compaction compaction_;
};

}  // namespace

std::unique_ptr<Solver<ThetaJoin>> make_naive_select(const Parameters& parameters) {
  return std::make_unique<SelectSolver>(std::make_unique<NaiveMaker>(parameters));
}

}  // namespace warpbench::theta
