// GroupJoin: sets of equal size with the same probing prefix form a group, which filters as one set by the prefix,
// length and positional filters (bellas2022 §4.2, after Bouros et al.). What filtering leaves are pairs of groups; they
// expand to pairs of sets for verification.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/set_similarity_join/prefix_index.hpp"
#include "solvers/set_similarity_join/prober.hpp"
#include "solvers/set_similarity_join/range_join.hpp"

namespace warpbench::similarity {

/// The groups of some consecutive sets. In the order of the collection the sets of a group lie side by side; the first
/// one represents it.
class Groups {
 public:
  /// Whether this set, one of the range, is the first of its group.
  [[nodiscard]] bool is_first(std::int64_t set) const { return is_first_[static_cast<std::size_t>(set)] != 0; }
  /// The group whose first set this is.
  [[nodiscard]] SetRange group(std::int64_t first) const {
    std::int64_t end = first + 1;
    while (end < sets_.end && !is_first(end)) ++end;
    return {first, end};
  }
  [[nodiscard]] SetRange sets() const { return sets_; }
  [[nodiscard]] bool holds(SetRange group) const { return sets_.begin <= group.begin && group.end <= sets_.end; }
  [[nodiscard]] std::int64_t count() const { return count_; }
  /// The number of sets in the largest group; 1: no group expands.
  [[nodiscard]] std::int64_t largest() const { return largest_; }
  /// Of each set of the collection, whether it is the first of a group in the range.
  [[nodiscard]] std::span<const std::uint8_t> firsts() const { return is_first_; }

 private:
  friend void rebuild(Groups& groups, const OrderedSets& sets, const Bounds& bounds, SetRange range, int threads);

  SetRange sets_;
  std::int64_t count_ = 0;
  std::int64_t largest_ = 0;
  std::vector<std::uint8_t> is_first_;
};

/// In the memory of earlier ones: a byte for each set of the collection. O(sets × tokens of prefixes).
void rebuild(Groups& groups, const OrderedSets& sets, const Bounds& bounds, SetRange range, int threads);

/// The index of the groups' first sets.
inline void rebuild(PrefixIndex& index, const OrderedSets& sets, const Bounds& bounds, const Groups& groups,
                    int threads) {
  rebuild(index, sets, bounds, groups.sets(), threads, groups.firsts());
}

/// The filtering of one thread. In the first phase it is a prober of groups by their first sets: candidates(index,
/// first) are those before the group of `first` in an index of groups. A pair of first sets is itself one to verify
/// where OrderedSets::joins() says so.
class GroupProber : public Prober {
 public:
  /// `sets` outlive it.
  GroupProber(const OrderedSets& sets, const Bounds& bounds)
      : Prober(sets, bounds, Filter::ppjoin, {.checks_sides = false}), sets_(&sets), bounds_(bounds) {}

  /// The second phase: use(probe, candidate) for each other pair of sets that are joined, candidate.set < probe, of
  /// `group` and of a candidate's group in `indexed`, or both of `group` where that is in `indexed`, too.
  template <typename Use>
  void expand(SetRange group, std::span<const Candidate> candidates, const Groups& indexed, const Use& use) const {
    const auto use_if_joined = [&](std::int64_t probe, Candidate candidate, std::int64_t set) {
      candidate.set = static_cast<std::uint32_t>(set);
      if (sets_->joins(probe, set)) use(probe, candidate);
    };
    for (const Candidate& candidate : candidates) {
      const SetRange other = indexed.group(candidate.set);
      for (std::int64_t probe = group.begin; probe < group.end; ++probe) {
        for (std::int64_t set = other.begin; set < other.end; ++set) {
          if (probe != group.begin || set != other.begin) use_if_joined(probe, candidate, set);
        }
      }
    }
    if (!indexed.holds(group)) return;
    const std::uint32_t prefix = bounds_.probe_prefix(static_cast<std::uint32_t>(sets_->sets.size(group.begin)));
    for (std::int64_t probe = group.begin + 1; probe < group.end; ++probe) {
      for (std::int64_t set = group.begin; set < probe; ++set) use_if_joined(probe, {0, prefix, prefix, prefix}, set);
    }
  }

 private:
  const OrderedSets* sets_;
  Bounds bounds_;
};

/// GroupJoin of one thread: RangeJoin for groups.
class GroupJoin {
 public:
  /// `sets` outlive it.
  GroupJoin(const OrderedSets& sets, const Bounds& bounds)
      : sets_(&sets), prober_(sets, bounds), verifier_(sets, bounds) {}

  /// RangeJoin::join() where `index` is that of `indexed`, for those groups of `probing` that begin in `probes`.
  void join(const PrefixIndex& index, const Groups& indexed, const Groups& probing, SetRange probes, PairSink& sink);

  /// Of all joins since clear().
  [[nodiscard]] const JoinWork& work() const { return work_; }
  void clear() { work_ = {}; }

 private:
  struct Probe {
    SetRange group;
    std::size_t candidates;
  };

  void verify(const Groups& indexed, PairSink& sink);

  const OrderedSets* sets_;
  GroupProber prober_;
  Verifier verifier_;
  std::vector<Probe> batch_;  // whose candidates the prober holds
  JoinWork work_;
};

}  // namespace warpbench::similarity
