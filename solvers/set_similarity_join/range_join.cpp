#include "solvers/set_similarity_join/range_join.hpp"

namespace warpbench::similarity {

void RangeJoin::join(const PrefixIndex& index, SetRange probes, PairSink& sink) {
  const auto add = [&](std::int64_t probe) {
    const std::size_t candidates = prober_.add(index, probe);
    if (candidates > 0) batch_.push_back({probe, candidates});
  };
  join_in_batches(probes, prober_, work_, add, [&] { verify(sink); });
}

void RangeJoin::verify(PairSink& sink) {
  const std::span<const Candidate> all = prober_.all();
  std::size_t at = 0;
  for (const Probe& probe : batch_) {
    for (const std::size_t end = at + probe.candidates; at < end; ++at) {
      verifier_.prefetch(all.subspan(at));
      verifier_.verify(probe.set, all[at], sink);
    }
  }
  batch_.clear();
}

}  // namespace warpbench::similarity
