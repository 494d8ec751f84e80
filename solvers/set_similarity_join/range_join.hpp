// RangeJoin: the join of one thread between the sets of an index and some probing sets: of a collection, of two blocks
// (bellas2022 §5.4), or of two partitions (§5.5.3).
#pragma once

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
  std::uint64_t candidates = 0;  ///< pairs that filtering left; each is verified
  std::uint64_t expanded = 0;    ///< of them, pairs that groups expanded to
  double filter_seconds = 0;
  double verify_seconds = 0;

  JoinWork& operator+=(const JoinWork& other);
};

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
