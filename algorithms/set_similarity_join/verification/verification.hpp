// Verification on the device (bellas2022 §4.2.2, §4.3.2): which candidates are similar to their probing sets. The
// document has three ways to share the work among threads. Candidates lie in memory as in Figure 4.9.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/set_similarity_join/engine/device_pair_sink.hpp"
#include "algorithms/set_similarity_join/engine/device_sets.hpp"
#include "device/stream.hpp"
#include "device/view.hpp"
#include "problems/parameters.hpp"
#include "solvers/set_similarity_join/bounds.hpp"
#include "solvers/set_similarity_join/ordered_sets.hpp"

namespace warpbench::similarity {

/// Who verifies the candidates of a probing set.
enum class Alternative : std::uint8_t {
  a,  ///< a thread all of them
  b,  ///< a block: the probing set in shared memory, some candidates a thread
  c   ///< a block: candidate by candidate, both sets in shared memory, all
      ///< threads by Intersect Path
};

/// An entry of C_off: a probing set, and the place in C after its candidates. They begin where those of the entry
/// before end, and may be none.
struct ProbeEntry {
  std::uint32_t probe;
  std::uint32_t end;
};

/// The number of sets, and all their tokens, fit 32 bits each; so does that of the candidates.
struct CandidatesView {
  View<const std::uint32_t> sets;  ///< C: numbers of sets; may be longer than the last entry says
  View<const ProbeEntry> probes;   ///< C_off
};

struct Verification {
  Alternative alternative = Alternative::b;
  int threads = 32;  ///< B: threads of a block, a power of two, 32 to 1024
  Bounds bounds = {};
  std::uint32_t max_size = 0;  ///< tokens of the largest set
};

/// Blocks that verify the candidates of so many probing sets.
[[nodiscard]] std::int64_t verification_blocks(const Verification& how, std::int64_t probes);

/// Enqueue the verification.
///
/// The number of similar pairs in total[0]. `block_counts`: memory for verification_blocks() numbers.
void count_similar(const Verification& how, const SetsView& sets, const CandidatesView& candidates,
                   View<std::uint64_t> block_counts, View<std::uint64_t> total, Stream& stream);
/// OUT: for each candidate 1 if it is similar to its probing set, else 0.
void flag_similar(const Verification& how, const SetsView& sets, const CandidatesView& candidates,
                  View<std::uint8_t> flags, Stream& stream);
/// Adds the similar pairs to `sink`.
void take_similar(const Verification& how, const SetsView& sets, const CandidatesView& candidates,
                  const PairSinkView& sink, Stream& stream);

/// The parameters `verification` and `threads_per_block`, and what they say.
[[nodiscard]] std::vector<ParameterSpec> verification_parameters();
[[nodiscard]] Verification verification_of(const Parameters& parameters, const OrderedSets& sets, const Bounds& bounds);

}  // namespace warpbench::similarity
