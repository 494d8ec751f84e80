#include "solvers/set_similarity_join/range_join.hpp"

#include <chrono>

namespace warpbench::similarity {
namespace {

/// Candidates that are filtered before they are verified, if not of a single probe: so many that reading the clock
/// costs nothing, so few that they stay in a cache.
constexpr std::size_t kBatch = 2048;
/// Candidates ahead of the present one whose memory is asked for.
constexpr std::size_t kAhead = 8;

}  // namespace

JoinWork& JoinWork::operator+=(const JoinWork& other) {
  candidates += other.candidates;
  expanded += other.expanded;
  filter_seconds += other.filter_seconds;
  verify_seconds += other.verify_seconds;
  return *this;
}

void RangeJoin::join(const PrefixIndex& index, SetRange probes, PairSink& sink) {
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;
  auto begin = Clock::now();
  for (std::int64_t probe = probes.begin; probe < probes.end;) {
    prober_.clear();
    batch_.clear();
    for (; probe < probes.end && prober_.all().size() < kBatch; ++probe) {
      const std::size_t candidates = prober_.add(index, probe);
      if (candidates > 0) batch_.push_back({probe, candidates});
    }
    const auto filtered = Clock::now();
    verify(sink);
    const auto end = Clock::now();
    work_.candidates += prober_.all().size();
    work_.filter_seconds += Seconds(filtered - begin).count();
    work_.verify_seconds += Seconds(end - filtered).count();
    begin = end;
  }
}

void RangeJoin::verify(PairSink& sink) {
  const std::span<const Candidate> all = prober_.all();
  std::size_t at = 0;
  for (const Probe& probe : batch_) {
    for (const std::size_t end = at + probe.candidates; at < end; ++at) {
      verifier_.prefetch_offsets(all[std::min(at + 2 * kAhead, all.size() - 1)]);
      verifier_.prefetch_tokens(all[std::min(at + kAhead, all.size() - 1)]);
      verifier_.verify(probe.set, all[at], sink);
    }
  }
}

}  // namespace warpbench::similarity
