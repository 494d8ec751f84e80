// RangeJoin: the join of one thread between the sets of an index and some probing sets: of a collection, of two blocks
// (bellas2022 §5.4), or of two partitions (§5.5.3).
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "solvers/set_similarity_join/blocks.hpp"
#include "solvers/set_similarity_join/pair_sink.hpp"
#include "solvers/set_similarity_join/prefix_index.hpp"
#include "solvers/set_similarity_join/prober.hpp"
#include "solvers/set_similarity_join/verifier.hpp"

namespace warpbench::similarity {

/// What joins of one thread did.
struct JoinWork {
  std::uint64_t candidates = 0;            ///< pairs that filtering left
  std::uint64_t expansion_candidates = 0;  ///< pairs that groups expanded to, beyond those
  double filter_seconds = 0;
  double verify_seconds = 0;

  JoinWork& operator+=(const JoinWork& other) {
    candidates += other.candidates;
    expansion_candidates += other.expansion_candidates;
    filter_seconds += other.filter_seconds;
    verify_seconds += other.verify_seconds;
    return *this;
  }
};

/// Filters probes in batches, by add(probe) to `prober`, and has verify() take the candidates of each batch. A batch
/// has so many candidates that reading the clock costs nothing, and so few that they stay in a cache.
template <typename Add, typename Verify>
void join_in_batches(SetRange probes, Prober& prober, JoinWork& work, const Add& add, const Verify& verify) {
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;
  constexpr std::size_t kBatch = 2048;
  auto begin = Clock::now();
  for (std::int64_t probe = probes.begin; probe < probes.end;) {
    prober.clear();
    for (; probe < probes.end && prober.all().size() < kBatch; ++probe) add(probe);
    const auto filtered = Clock::now();
    verify();
    const auto end = Clock::now();
    work.candidates += prober.all().size();
    work.filter_seconds += Seconds(filtered - begin).count();
    work.verify_seconds += Seconds(end - filtered).count();
    begin = end;
  }
}

class RangeJoin {
 public:
  /// `sets` and `signatures` outlive it. Memory: 4 bytes a set.
  RangeJoin(const OrderedSets& sets, const Bounds& bounds, Filter filter, const Signatures* signatures = nullptr)
      : prober_(sets, bounds, filter, {.signatures = signatures}), verifier_(sets, bounds) {}

  /// Hands all similar pairs (i, j) to `sink` with i < j, i in index.sets and j in `probes`: a range that lies behind
  /// that of the index, equals it, or is part of it. Fastest where later calls with one index have later probes.
  void join(const PrefixIndex& index, SetRange probes, PairSink& sink);

  /// Of all joins since clear().
  [[nodiscard]] const JoinWork& work() const { return work_; }
  void clear() { work_ = {}; }

 private:
  struct Probe {
    std::int64_t set;
    std::size_t candidates;
  };

  void verify(PairSink& sink);

  Prober prober_;
  Verifier verifier_;
  std::vector<Probe> batch_;  // whose candidates the prober holds
  JoinWork work_;
};

}  // namespace warpbench::similarity
