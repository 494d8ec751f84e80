// sliding-window: select by blocks of one dimension, a tuple of R a thread, that walk S in chunks of p tuples in shared
// memory (bellas2022 §3.4.2, Alg. 3.4, Fig. 3.10, §3.4.3). Three ways to write the rows:
//
//   atomic      the warps of a block get their places within a chunk's rows from a counter in shared memory, the block
//               its own from one in global memory: one addition a block and chunk. A warp writes its rows for a tuple
//               of S side by side.
//   two_pass    rows are counted for each tuple of R, the counts are scanned, and a second pass writes
//   compressed  each pair has a cell; cells that match are moved together afterwards
//
// The document wants p to divide |S'| and does without where it does not: here the last chunk is shorter.
#include <memory>
#include <string>
#include <type_traits>

#include "algorithms/theta_join/select/compaction.hpp"
#include "algorithms/theta_join/select/matrix_maker.hpp"
#include "algorithms/theta_join/select/select_solver.hpp"
#include "algorithms/theta_join/select/windows.cuh"
#include "device/block.cuh"
#include "device/growing.hpp"
#include "device/primitives.hpp"
#include "solvers/theta_join/query_solver.hpp"

namespace warpbench::theta {
namespace {

/// Of the document: a block has up to 1024 threads.
constexpr int kMaxThreads = 1024;
/// Conditions that a thread has on their way at a time.
constexpr int kUnroll = 5;

template <typename Theta>
__global__ void __launch_bounds__(kMaxThreads)
    atomic_kernel(JoinView join, JoinPart part, Theta theta, int chunk, View<Row> rows, View<DigestWord> count) {
  __shared__ int chunk_rows;
  __shared__ DigestWord chunk_place;
  const OwnTuple own(join, part);
  if (block::rank() == 0) chunk_rows = 0;
  for_each_window(join, part, chunk, [&](const StagedTuple* window, int size) {
    int matches = 0;
#pragma unroll kUnroll
    for (int j = 0; j < size; ++j) matches += theta(own.keys, window[j].keys) ? 1 : 0;
    const int warp_rows = warp::reduce_sum(own.exists ? matches : 0);
    int place = 0;
    if (warp::lane() == 0 && warp_rows > 0) place = atomicAdd(&chunk_rows, warp_rows);
    __syncthreads();
    if (block::rank() == 0) {
      chunk_place = atomicAdd(&count[0], static_cast<DigestWord>(chunk_rows));
      chunk_rows = 0;
    }
    __syncthreads();
    if (warp_rows == 0) return;
    const View<Row> own_rows =
        rows.subview(static_cast<std::int64_t>(chunk_place) + __shfl_sync(kFullMask, place, 0), warp_rows);
    int written = 0;
#pragma unroll kUnroll
    for (int j = 0; j < size; ++j) {
      const StagedTuple tuple = window[j];
      const bool match = own.exists && theta(own.keys, tuple.keys);
      const warp::Slot slot = warp::compact(match);
      if (match) own_rows[written + slot.index] = {own.a, tuple.a, tuple.x};
      written += slot.count;
    }
  });
}

/// Counts the rows of each tuple of R. The last count, of no tuple, is 0, so that the scan ends with the total.
struct CountRows {
  View<std::int32_t> counts;
  std::int32_t found = 0;

  __device__ __forceinline__ void begin(std::int64_t /*r*/) {}
  __device__ __forceinline__ void pair(std::int64_t /*s*/, bool match, const Row& /*row*/) { found += match ? 1 : 0; }
  __device__ __forceinline__ void end(std::int64_t r) const {
    counts[r] = found;
    if (r == 0) counts[counts.size() - 1] = 0;
  }
};

/// Writes the rows of each tuple of R from its place on.
struct WriteRows {
  View<const std::int64_t> places;
  View<Row> rows;
  View<DigestWord> count;
  std::int64_t place = 0;

  __device__ __forceinline__ void begin(std::int64_t r) { place = places[r]; }
  __device__ __forceinline__ void pair(std::int64_t /*s*/, bool match, const Row& row) {
    if (match) rows[place++] = row;
  }
  __device__ __forceinline__ void end(std::int64_t r) const {
    if (r == 0) count[0] = static_cast<DigestWord>(places[places.size() - 1]);
  }
};

/// Writes each pair's cell; those of neighbouring tuples of R are neighbours.
struct FillCells {
  Cells cells;
  std::int64_t r_count;
  std::int64_t own = 0;

  __device__ __forceinline__ void begin(std::int64_t r) { own = r; }
  __device__ __forceinline__ void pair(std::int64_t s, bool match, const Row& row) const {
    const std::int64_t cell = s * r_count + own;
    cells.matches[cell] = match ? 1 : 0;
    if (match) cells.rows[cell] = row;
  }
  __device__ __forceinline__ void end(std::int64_t /*r*/) const {}
};

/// Tells `sink` of all pairs of the thread's tuple of R, with numbers within the part.
template <typename Theta, typename Sink>
__global__ void __launch_bounds__(kMaxThreads)
    pairs_kernel(JoinView join, JoinPart part, Theta theta, int chunk, Sink sink) {
  const OwnTuple own(join, part);
  const std::int64_t r = grid::index();
  if (own.exists) sink.begin(r);
  std::int64_t first = 0;
  for_each_window(join, part, chunk, [&](const StagedTuple* window, int size) {
    if (own.exists) {
#pragma unroll kUnroll
      for (int j = 0; j < size; ++j) {
        const StagedTuple tuple = window[j];
        sink.pair(first + j, theta(own.keys, tuple.keys), {own.a, tuple.a, tuple.x});
      }
    }
    first += size;
  });
  if (own.exists) sink.end(r);
}

class WindowMaker final : public MatrixMaker {
 public:
  explicit WindowMaker(const Parameters& parameters) : MatrixMaker(layout_of(parameters)) { configure(parameters); }

  void configure(const Parameters& parameters) override {
    output_ = parameters.text("output");
    threads_ = parameters.integer("threads_per_block");
    chunk_ = parameters.integer("chunk");
    // Another way to write needs the memory.
    if (output_ != "compressed") compaction_ = {};
    if (output_ != "two_pass") {
      counts_.reset();
      places_.reset();
    }
  }

 private:
  [[nodiscard]] Extra extra() const override {
    if (output_ == "compressed") return {.pair_bytes = Compaction::kCellBytes};
    if (output_ == "two_pass") return {.tuple_bytes = sizeof(std::int32_t) + sizeof(std::int64_t)};
    return {};
  }

  void make_rows(const JoinPart& part, View<Row> rows, View<DigestWord> count, Stream& stream,
                 Phases& phases) override {
    if (output_ == "two_pass") return make_in_two_passes(part, rows, count, stream, phases);
    if (output_ == "compressed") return make_compressed(part, rows, count, stream, phases);
    const auto scope = phases.gpu("kernel", stream);
    with_functor(predicate(), [&](const auto& theta) {
      launch(atomic_kernel<std::remove_cvref_t<decltype(theta)>>, window_grid(part, threads_, chunk_), stream, join(),
             part, theta, chunk_, rows, count);
    });
  }

  void make_in_two_passes(const JoinPart& part, View<Row> rows, View<DigestWord> count, Stream& stream,
                          Phases& phases) {
    const std::int64_t counts = part.r_count() + 1;
    grow(counts_, counts, stream);
    grow(places_, counts, stream);
    const View<std::int32_t> part_counts = counts_.view().first(counts);
    const View<std::int64_t> part_places = places_.view().first(counts);
    {
      const auto scope = phases.gpu("kernel", stream);
      visit_pairs(part, CountRows{part_counts}, stream);
    }
    {
      const auto scope = phases.gpu("scan", stream);
      exclusive_scan(part_counts, part_places, stream);
    }
    const auto scope = phases.gpu("kernel", stream);
    visit_pairs(part, WriteRows{part_places, rows, count}, stream);
  }

  void make_compressed(const JoinPart& part, View<Row> rows, View<DigestWord> count, Stream& stream, Phases& phases) {
    {
      const auto scope = phases.gpu("kernel", stream);
      visit_pairs(part, FillCells{compaction_.cells(part.pairs(), stream), part.r_count()}, stream);
    }
    const auto scope = phases.gpu("compression", stream);
    compaction_.compact(rows, count, stream);
  }

  template <typename Sink>
  void visit_pairs(const JoinPart& part, const Sink& sink, Stream& stream) const {
    with_functor(predicate(), [&](const auto& theta) {
      launch(pairs_kernel<std::remove_cvref_t<decltype(theta)>, Sink>, window_grid(part, threads_, chunk_), stream,
             join(), part, theta, chunk_, sink);
    });
  }

  std::string output_;
  std::int64_t threads_ = 0;
  std::int64_t chunk_ = 0;
  Buffer<std::int32_t> counts_;
  Buffer<std::int64_t> places_;
  Compaction compaction_;
};

std::unique_ptr<Solver<ThetaJoin>> make_window_select(const Parameters& parameters) {
  return std::make_unique<SelectSolver>(std::make_unique<WindowMaker>(parameters));
}

class SlidingWindow final : public QuerySolver {
 public:
  explicit SlidingWindow(const Parameters& parameters) : QuerySolver(nullptr, make_window_select, parameters) {}
};

void require_small_chunk(const Parameters& parameters) {
  if (parameters.integer("chunk") <= parameters.integer("threads_per_block")) return;
  throw ParameterError("chunk",
                       "expected chunk to be at most threads_per_block, since a thread loads at most one tuple of S, "
                       "found chunk " +
                           std::to_string(parameters.integer("chunk")) + " and threads_per_block " +
                           std::to_string(parameters.integer("threads_per_block")));
}

WARPBENCH_SOLVER(ThetaJoin, SlidingWindow,
                 {.id = "sliding-window",
                  .title = "Select on a GPU: a tuple of R a thread, S in chunks through shared memory",
                  .source = "bellas2022, §3.4.2, Alg. 3.4",
                  .role = Role::proposed,
                  .device = Target::gpu,
                  .parameters = {parameter("threads_per_block", 256)
                                     .range(32, kMaxThreads)
                                     .multiple_of(32)
                                     .means("B: tuples of R that a block has"),
                                 parameter("chunk", 25)
                                     .range(1, kMaxThreads)
                                     .means("p: tuples of S in shared memory at a time, at most threads_per_block"),
                                 parameter("output", "atomic")
                                     .one_of({"atomic", "two_pass", "compressed"})
                                     .means("where a row goes: the next place of a counter; a place known from a "
                                            "first pass that counts; its pair's cell, compacted afterwards"),
                                 layout_parameter("aos_padded")},
                  .exact = true,
                  .validate = require_small_chunk})

}  // namespace
}  // namespace warpbench::theta
