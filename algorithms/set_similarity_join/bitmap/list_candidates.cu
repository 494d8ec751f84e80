// All pairs of a tile of 128 sets and 128 probing sets, as a matrix product is tiled: signatures pass through shared
// memory, and a thread adds up the differences of 8 × 8 pairs in registers.
#include "algorithms/set_similarity_join/bitmap/candidate_filters.cuh"
#include "device/kernel.hpp"
#include "device/ranges.cuh"

namespace warpbench::similarity {
namespace {

constexpr int kSide = 8;                          ///< of a thread's square of pairs
constexpr int kThreadsASide = kTileSets / kSide;  ///< a thread's sets lie so far apart, for shared memory's banks
constexpr int kTileThreads = kThreadsASide * kThreadsASide;
constexpr int kMaxWords = 4;  ///< of a signature, in shared memory at a time

struct Tile {
  SetRange sets;
  SetRange probes;

  __device__ Tile(const Strip& strip, std::int64_t index) {
    const std::int64_t columns = ceil_div(strip.sets.count(), kTileSets);
    sets = part(strip.sets, index % columns);
    probes = part(strip.probes, index / columns);
  }

  /// Whether some pair passes the length filter.
  [[nodiscard]] __device__ bool is_long_enough(const SignatureFilter& filter) const {
    return sets.begin < probes.end && filter.is_long_enough(sets.end - 1, probes.begin);
  }
  /// No candidates of the tile differ in more bits.
  [[nodiscard]] __device__ std::int64_t most_different(const SignatureFilter& filter) const {
    const auto size = [&](std::int64_t set) { return filter.sets.size(set); };
    const std::int64_t largest = std::int64_t{size(sets.end - 1)} + size(probes.end - 1);
    return largest - 2 * std::int64_t{filter.bounds.min_overlap(size(sets.begin), size(probes.begin))};
  }

 private:
  __device__ static SetRange part(const SetRange& range, std::int64_t i) {
    const std::int64_t begin = range.begin + i * kTileSets;
    const std::int64_t end = begin + kTileSets;
    return {begin, end < range.end ? end : range.end};
  }
};

/// Some words of the signatures of a tile's side.
template <int kWords>
using SideWords = std::uint32_t[kWords][kTileSets];

/// Words from `first` on; 0 beyond the range's end. By all threads of a block.
template <int kWords>
__device__ void load_side(const SignaturesView& signatures, const SetRange& range, int first,
                          SideWords<kWords>& words) {
  for (const int i : block::strided<kTileThreads>(kWords * kTileSets)) {
    const int k = i / kTileSets;
    const std::int64_t set = range.begin + i % kTileSets;
    words[k][i % kTileSets] = set < range.end ? signatures.word(set, first + k) : 0;
  }
}

/// How many bits differ in the pairs of a thread: of sets column, column + 16, … of the tile with probing sets row,
/// row + 16, …
struct SquareOfPairs {
  int different[kSide][kSide] = {};

  __device__ static int row() { return static_cast<int>(threadIdx.x) / kThreadsASide; }
  __device__ static int column() { return static_cast<int>(threadIdx.x) % kThreadsASide; }

  template <int kWords>
  __device__ void add(const SideWords<kWords>& sets, const SideWords<kWords>& probes) {
#pragma unroll
    for (int k = 0; k < kWords; ++k) {
      std::uint32_t of_sets[kSide];
      std::uint32_t of_probes[kSide];
#pragma unroll
      for (int i = 0; i < kSide; ++i) {
        of_sets[i] = sets[k][column() + i * kThreadsASide];
        of_probes[i] = probes[k][row() + i * kThreadsASide];
      }
#pragma unroll
      for (int i = 0; i < kSide; ++i) {
#pragma unroll
        for (int j = 0; j < kSide; ++j) different[i][j] += __popc(of_probes[i] ^ of_sets[j]);
      }
    }
  }

  /// The pairs (i, j) that differ in at most `most` bits, as bits i * kSide + j.
  [[nodiscard]] __device__ std::uint64_t close_pairs(int most) const {
    std::uint64_t close = 0;
#pragma unroll
    for (int i = 0; i < kSide; ++i) {
      std::uint32_t of_row = 0;
#pragma unroll
      for (int j = 0; j < kSide; ++j) of_row |= different[i][j] <= most ? 1U << static_cast<unsigned>(j) : 0U;
      close |= std::uint64_t{of_row} << static_cast<unsigned>(i * kSide);
    }
    return close;
  }

  /// The sets of pair (i, j), by its bit.
  [[nodiscard]] __device__ static ListedPair sets_of(const Tile& tile, int bit) {
    return {static_cast<std::uint32_t>(tile.sets.begin + column() + bit % kSide * kThreadsASide),
            static_cast<std::uint32_t>(tile.probes.begin + row() + bit / kSide * kThreadsASide)};
  }
};

/// Whether a pair that passed its tile's bound passes its own, and is a pair at all.
__device__ bool is_candidate(const SignatureFilter& filter, const Tile& tile, const ListedPair& pair) {
  return pair.set < tile.sets.end && pair.probe < tile.probes.end && pair.set < pair.probe &&
         filter.sets.joins(pair.set, pair.probe) && filter.is_long_enough(pair.set, pair.probe) &&
         filter.may_overlap(pair.set, pair.probe);
}

/// Calls visit(bit) for each bit of `bits`.
template <typename Visit>
__device__ void for_each_bit(std::uint64_t bits, const Visit& visit) {
  for (; bits != 0; bits &= bits - 1) visit(__ffsll(static_cast<long long>(bits)) - 1);
}

/// Appends a warp's candidates by one atomic operation.
__device__ void append(const SignatureFilter& filter, const Tile& tile, std::uint64_t close, const PairListView& list,
                       const FilterCounters& counters) {
  if (__any_sync(kFullMask, close != 0 ? 1 : 0) == 0) return;
  std::uint64_t candidates = 0;
  for_each_bit(close, [&](int bit) {
    if (is_candidate(filter, tile, SquareOfPairs::sets_of(tile, bit)))
      candidates |= std::uint64_t{1} << static_cast<unsigned>(bit);
  });
  int of_warp = 0;
  const int before = warp::exclusive_scan(__popcll(candidates), of_warp);
  if (of_warp == 0) return;
  Total begin = 0;
  if (warp::lane() == 0) {
    begin = atomicAdd(&list.count[0], static_cast<Total>(of_warp));
    if (counters.counts) atomicAdd(&counters.totals[0], static_cast<Total>(of_warp));
  }
  std::int64_t place = static_cast<std::int64_t>(__shfl_sync(kFullMask, begin, 0)) + before;
  for_each_bit(candidates, [&](int bit) { list.pairs[place++] = SquareOfPairs::sets_of(tile, bit); });
}

/// A block a tile. Stops as soon as the words seen so far leave no pair of it.
template <int kWords>
__global__ void __launch_bounds__(kTileThreads, 2)
    list_kernel(SignatureFilter filter, Strip strip, PairListView list, FilterCounters counters) {
  __shared__ SideWords<kWords> of_sets;
  __shared__ SideWords<kWords> of_probes;
  const Tile tile(strip, block::index());
  if (!tile.is_long_enough(filter)) return;
  const std::int64_t most_of_tile = tile.most_different(filter);
  if (most_of_tile < 0) return;
  if (counters.counts && threadIdx.x == 0) {
    atomicAdd(&counters.totals[1], static_cast<Total>(tile.sets.count() * tile.probes.count()));
  }

  const SignaturesView& signatures = filter.signatures;
  const int most = most_of_tile < signatures.bits() ? static_cast<int>(most_of_tile) : signatures.bits();
  SquareOfPairs square;
  std::uint64_t close = square.close_pairs(most);
  for (int first = 0; first < signatures.words_per_set && most < signatures.bits(); first += kWords) {
    load_side<kWords>(signatures, tile.sets, first, of_sets);
    load_side<kWords>(signatures, tile.probes, first, of_probes);
    __syncthreads();
    square.add<kWords>(of_sets, of_probes);
    close = square.close_pairs(most);
    if (__syncthreads_or(close != 0 ? 1 : 0) == 0) return;
  }
  append(filter, tile, close, list, counters);
}

}  // namespace

void list_candidates(const SignatureFilter& filter, const Strip& strip, const PairListView& list,
                     const FilterCounters& counters, Stream& stream) {
  const std::int64_t tiles = ceil_div(strip.sets.count(), kTileSets) * ceil_div(strip.probes.count(), kTileSets);
  const auto launch_by = [&](auto kernel) {
    launch(kernel, Grid{tiles, kTileThreads}, stream, filter, strip, list, counters);
  };
  const int words = filter.signatures.words_per_set;
  if (words == 1) return launch_by(list_kernel<1>);
  if (words == 2) return launch_by(list_kernel<2>);
  launch_by(list_kernel<kMaxWords>);
}

}  // namespace warpbench::similarity
