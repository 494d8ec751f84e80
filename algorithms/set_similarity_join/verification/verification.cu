#include "algorithms/set_similarity_join/verification/verification.hpp"

#include <algorithm>

#include "algorithms/set_similarity_join/verification/block_overlap.cuh"
#include "algorithms/set_similarity_join/verification/pair_merge.cuh"
#include "algorithms/set_similarity_join/verification/verdicts.cuh"
#include "device/launch.hpp"
#include "device/primitives.hpp"
#include "device/ranges.cuh"

namespace warpbench::similarity {
namespace {

constexpr int kMaxVerificationThreads = 1024;

/// What every kernel reads.
struct VerificationTask {
  SetsView sets;
  CandidatesView candidates;
  Bounds bounds;

  /// The places in C of a probing set's candidates.
  [[nodiscard]] __device__ Extent<std::int64_t> places(std::int64_t entry) const {
    return {entry == 0 ? 0 : std::int64_t{candidates.probes[entry - 1].end},
            std::int64_t{candidates.probes[entry].end}};
  }
  [[nodiscard]] __device__ CandidatePair pair(std::int64_t entry, std::int64_t place) const {
    return {place, candidates.probes[entry].probe, candidates.sets[place]};
  }
  [[nodiscard]] __device__ std::uint32_t required(const CandidatePair& pair) const {
    return bounds.min_overlap(sets.size(pair.probe), sets.size(pair.set));
  }
  [[nodiscard]] __device__ PairMerge merge(const CandidatePair& pair, bool whole) const {
    return {sets.size(pair.probe), sets.size(pair.set), required(pair), whole};
  }
};

/// Alternative A.
template <typename Verdicts>
__global__ void __launch_bounds__(kMaxVerificationThreads)
    verify_by_threads_kernel(VerificationTask task, Verdicts verdicts) {
  Tally<Verdicts> tally;
  for (const std::int64_t entry : grid::strided(task.candidates.probes.size())) {
    const Extent<std::int64_t> places = task.places(entry);
    for (std::int64_t place = places.begin; place < places.end; ++place) {
      const CandidatePair pair = task.pair(entry, place);
      PairMerge merge = task.merge(pair, verdicts.wants_overlap());
      merge.go_on(task.sets.set(pair.probe).data(), 0, task.sets.size(pair.probe), task.sets.set(pair.set).data());
      tally.take(verdicts, task.sets, pair, merge.is_similar(), merge.overlap());
    }
  }
  tally.finish(verdicts);
}

/// Alternative B. A probing set of more than `room` tokens comes to shared memory in parts, anew for each round of
/// candidates, whose merges wait for the next part in registers.
template <typename Verdicts>
__global__ void __launch_bounds__(kMaxVerificationThreads)
    verify_by_blocks_kernel(VerificationTask task, Verdicts verdicts, std::uint32_t room) {
  Tally<Verdicts> tally;
  auto* const part = dynamic_shared<datasets::Token>();
  for (const std::int64_t entry : grid::per_block(task.candidates.probes.size())) {
    const Extent<std::int64_t> places = task.places(entry);
    if (places.empty()) continue;
    const View<const datasets::Token> probe = task.sets.set(task.candidates.probes[entry].probe);
    const auto size = static_cast<std::uint32_t>(probe.size());
    if (size <= room) stage(probe, 0, size, part);
    for (const auto [place, inside] : block::rounds(places)) {
      const CandidatePair pair = inside ? task.pair(entry, place) : CandidatePair{};
      PairMerge merge = inside ? task.merge(pair, verdicts.wants_overlap()) : PairMerge{};
      for (std::uint32_t begin = 0; begin < size; begin += room) {
        const std::uint32_t end = size - begin < room ? size : begin + room;
        if (size > room) stage(probe, begin, end, part);
        if (merge.is_open()) merge.go_on(part, begin, end, task.sets.set(pair.set).data());
      }
      if (inside) tally.take(verdicts, task.sets, pair, merge.is_similar(), merge.overlap());
    }
  }
  tally.finish(verdicts);
}

/// Alternative C.
template <typename Verdicts>
__global__ void __launch_bounds__(kMaxVerificationThreads)
    verify_together_kernel(VerificationTask task, Verdicts verdicts, std::uint32_t room) {
  Tally<Verdicts> tally;
  for (const std::int64_t entry : grid::per_block(task.candidates.probes.size())) {
    const Extent<std::int64_t> places = task.places(entry);
    if (places.empty()) continue;
    BlockOverlap overlaps(task.sets.set(task.candidates.probes[entry].probe), room);
    for (std::int64_t place = places.begin; place < places.end; ++place) {
      const CandidatePair pair = task.pair(entry, place);
      const std::uint32_t required = task.required(pair);
      const std::uint32_t overlap = overlaps.with(task.sets.set(pair.set), required, verdicts.wants_overlap());
      if (block::rank() == 0) tally.take(verdicts, task.sets, pair, overlap >= required, overlap);
    }
  }
  tally.finish(verdicts);
}

/// Tokens in a block's shared memory: as many as leave a multiprocessor full of threads, at least 1536, which 32 small
/// blocks have room for.
std::uint32_t shared_tokens(const Verification& how) {
  constexpr std::uint32_t kLeast = 1536;
  constexpr std::uint32_t kOfThread = 24;
  return std::max(kLeast, kOfThread * static_cast<std::uint32_t>(how.threads));
}

template <typename Verdicts>
void verify(const Verification& how, const VerificationTask& task, const Verdicts& verdicts, Stream& stream) {
  Grid grid{verification_blocks(how, task.candidates.probes.size()), how.threads};
  if (how.alternative == Alternative::a)
    return launch(verify_by_threads_kernel<Verdicts>, grid, stream, task, verdicts);
  if (how.alternative == Alternative::b) {
    const std::uint32_t room = std::min(shared_tokens(how), how.max_size);
    grid.shared_bytes = room * sizeof(datasets::Token);
    return launch(verify_by_blocks_kernel<Verdicts>, grid, stream, task, verdicts, room);
  }
  const std::uint32_t room = std::min(shared_tokens(how) / 2, how.max_size);
  grid.shared_bytes = BlockOverlap::shared_bytes(room, how.threads);
  launch(verify_together_kernel<Verdicts>, grid, stream, task, verdicts, room);
}

}  // namespace

std::int64_t verification_blocks(const Verification& how, std::int64_t probes) {
  return how.alternative == Alternative::a ? ceil_div(probes, how.threads) : probes;
}

void count_similar(const Verification& how, const SetsView& sets, const CandidatesView& candidates,
                   View<std::uint64_t> block_counts, View<std::uint64_t> total, Stream& stream) {
  const View<std::uint64_t> counts = block_counts.first(verification_blocks(how, candidates.probes.size()));
  verify(how, {sets, candidates, how.bounds}, CountVerdicts{counts}, stream);
  reduce_sum(counts, total, stream);
}

void flag_similar(const Verification& how, const SetsView& sets, const CandidatesView& candidates,
                  View<std::uint8_t> flags, Stream& stream) {
  verify(how, {sets, candidates, how.bounds}, FlagVerdicts{flags}, stream);
}

void take_similar(const Verification& how, const SetsView& sets, const CandidatesView& candidates,
                  const PairSinkView& sink, Stream& stream) {
  verify(how, {sets, candidates, how.bounds}, sink, stream);
}

std::vector<ParameterSpec> verification_parameters() {
  return {parameter("verification", "b")
              .one_of({"a", "b", "c"})
              .means("who verifies a probing set's candidates: a thread all, "
                     "the threads of a block some each, or all "
                     "threads of a block one after the other"),
          parameter("threads_per_block", 32)
              .range(32, kMaxVerificationThreads)
              .power_of_two()
              .means("threads of a block that verifies")};
}

Verification verification_of(const Parameters& parameters, const OrderedSets& sets, const Bounds& bounds) {
  const std::string& name = parameters.text("verification");
  return {name == "a"   ? Alternative::a
          : name == "b" ? Alternative::b
                        : Alternative::c,
          static_cast<int>(parameters.integer("threads_per_block")), bounds,
          sets.count() == 0 ? 0 : static_cast<std::uint32_t>(sets.sets.size(sets.count() - 1))};
}

}  // namespace warpbench::similarity
