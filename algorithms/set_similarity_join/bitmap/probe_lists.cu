#include "algorithms/set_similarity_join/bitmap/probe_lists.hpp"

#include "device/kernel.hpp"
#include "device/primitives.hpp"
#include "device/ranges.cuh"

namespace warpbench::similarity {
namespace {

constexpr int kGroupThreads = 256;
constexpr std::int64_t kMaxGroupBlocks = 4096;

__global__ void __launch_bounds__(kGroupThreads)
    write_entries_kernel(SetRange probes, View<const std::uint32_t> ends, View<ProbeEntry> entries) {
  for (const std::int64_t row : grid::strided<kGroupThreads>(ends.size())) {
    entries[row] = {static_cast<std::uint32_t>(probes.begin + row), ends[row]};
  }
}

/// A warp takes a row of flags.
__global__ void __launch_bounds__(kGroupThreads)
    compact_flags_kernel(View<const std::uint8_t> flags, SetRange sets, View<const std::uint32_t> counts,
                         View<const ProbeEntry> entries, View<std::uint32_t> found) {
  for (const std::int64_t row : grid::per_warp(counts.size())) {
    if (counts[row] == 0) continue;
    std::int64_t next = std::int64_t{entries[row].end} - counts[row];
    for (const auto [column, inside] : warp::rounds(sets.count())) {
      const bool is_candidate = inside && flags[row * sets.count() + column] != 0;
      const warp::Slot slot = warp::compact(is_candidate);
      if (is_candidate) found[next + slot.index] = static_cast<std::uint32_t>(sets.begin + column);
      next += slot.count;
    }
  }
}

__global__ void __launch_bounds__(kGroupThreads)
    count_pairs_kernel(PairListView list, std::int64_t first_probe, View<std::uint32_t> counts) {
  for (const std::int64_t at : grid::strided<kGroupThreads>(static_cast<std::int64_t>(list.count[0]))) {
    atomicAdd(&counts[list.pairs[at].probe - first_probe], 1U);
  }
}

/// Fills each list from its end; the counts go down to 0.
__global__ void __launch_bounds__(kGroupThreads)
    scatter_pairs_kernel(PairListView list, std::int64_t first_probe, View<std::uint32_t> counts,
                         View<const ProbeEntry> entries, View<std::uint32_t> found) {
  for (const std::int64_t at : grid::strided<kGroupThreads>(static_cast<std::int64_t>(list.count[0]))) {
    const auto [set, probe] = list.pairs[at];
    const std::int64_t row = probe - first_probe;
    const std::uint32_t left = atomicSub(&counts[row], 1U);
    found[std::int64_t{entries[row].end} - left] = set;
  }
}

}  // namespace

void ProbeLists::prepare(std::int64_t probes, std::int64_t candidates, Stream& stream) {
  counts_ = Buffer<std::uint32_t>(probes, stream);
  ends_ = Buffer<std::uint32_t>(probes, stream);
  entries_ = Buffer<ProbeEntry>(probes, stream);
  sets_ = Buffer<std::uint32_t>(candidates, stream);
}

void ProbeLists::clear(const SetRange& probes, Stream& stream) {
  probes_ = probes;
  counts_.fill(0, stream);
}

void ProbeLists::make_entries(Stream& stream) {
  const View<std::uint32_t> ends = ends_.view().first(probes_.count());
  inclusive_scan(counts(), ends, stream);
  launch(write_entries_kernel, grid_for(probes_.count(), kGroupThreads, kMaxGroupBlocks), stream, probes_, ends,
         entries_.view());
}

void ProbeLists::make(View<const std::uint8_t> flags, const SetRange& sets, Stream& stream) {
  make_entries(stream);
  launch(compact_flags_kernel, warp_grid_for(probes_.count(), kGroupThreads, kMaxGroupBlocks), stream, flags, sets,
         counts(), entries_.view(), sets_.view());
}

void ProbeLists::make(const PairListView& list, Stream& stream) {
  const Grid grid = grid_for(list.pairs.size(), kGroupThreads, kMaxGroupBlocks);
  launch(count_pairs_kernel, grid, stream, list, probes_.begin, counts());
  make_entries(stream);
  launch(scatter_pairs_kernel, grid, stream, list, probes_.begin, counts(), entries_.view(), sets_.view());
}

}  // namespace warpbench::similarity
