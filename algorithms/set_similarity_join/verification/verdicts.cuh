// Where a kernel's verdicts go: the number of similar pairs, a flag for each candidate, or pairs that stay on the
// device. Each has a tally, a thread's share:
//
//   Tally<CountVerdicts> tally;
//   … tally.take(verdicts, sets, {place, probe, candidate}, is_similar, overlap);
//   tally.finish(verdicts);                          all threads of the block, once
#pragma once

#include <cstdint>

#include "algorithms/set_similarity_join/engine/device_pair_sink.cuh"
#include "algorithms/set_similarity_join/engine/device_sets.hpp"
#include "device/block.cuh"
#include "device/kernel.hpp"

namespace warpbench::similarity {

/// A candidate: its place in C, its probing set, and itself.
struct CandidatePair {
  std::int64_t place;
  std::uint32_t probe;
  std::uint32_t set;
};

/// Output count: a thread counts in a register, a block writes its sum once.
struct CountVerdicts {
  View<std::uint64_t> block_counts;

  [[nodiscard]] __device__ bool wants_overlap() const { return false; }
};

/// Output select: OUT.
struct FlagVerdicts {
  View<std::uint8_t> flags;

  [[nodiscard]] __device__ bool wants_overlap() const { return false; }
};

template <typename Verdicts>
struct Tally;

template <>
struct Tally<CountVerdicts> {
  std::uint64_t count = 0;

  __device__ void take(const CountVerdicts& /*verdicts*/, const SetsView& /*sets*/, const CandidatePair& /*pair*/,
                       bool is_similar, std::uint32_t /*overlap*/) {
    count += is_similar ? 1 : 0;
  }
  __device__ void finish(const CountVerdicts& verdicts) const {
    const std::uint64_t of_block = block::reduce_sum(count);
    if (block::rank() == 0) verdicts.block_counts[block::index()] = of_block;
  }
};

template <>
struct Tally<FlagVerdicts> {
  __device__ void take(const FlagVerdicts& verdicts, const SetsView& /*sets*/, const CandidatePair& pair,
                       bool is_similar, std::uint32_t /*overlap*/) {
    verdicts.flags[pair.place] = is_similar ? 1 : 0;
  }
  __device__ void finish(const FlagVerdicts& /*verdicts*/) const {}
};

template <>
struct Tally<PairSinkView> {
  PairTally pairs;

  __device__ void take(const PairSinkView& sink, const SetsView& sets, const CandidatePair& pair, bool is_similar,
                       std::uint32_t overlap) {
    if (is_similar) pairs.take(sink, sets, pair.probe, pair.set, overlap);
  }
  __device__ void finish(const PairSinkView& sink) const { pairs.finish(sink); }
};

}  // namespace warpbench::similarity
