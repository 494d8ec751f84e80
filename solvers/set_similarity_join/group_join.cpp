#include "solvers/set_similarity_join/group_join.hpp"

#include <algorithm>

namespace warpbench::similarity {

void rebuild(Groups& groups, const OrderedSets& sets, const Bounds& bounds, SetRange range, int threads) {
  groups.sets_ = range;
  groups.is_first_.resize(static_cast<std::size_t>(sets.count()));
  std::uint8_t* const is_first = groups.is_first_.data();
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
  for (std::int64_t set = range.begin; set < range.end; ++set) {
    const std::span<const datasets::Token> tokens = sets.sets.set(set);
    const std::size_t prefix = bounds.probe_prefix(static_cast<std::uint32_t>(tokens.size()));
    const bool continues = set > range.begin && sets.sets.size(set - 1) == sets.sets.size(set) &&
                           std::ranges::equal(tokens.first(prefix), sets.sets.set(set - 1).first(prefix));
    is_first[set] = continues ? 0 : 1;
  }
  std::int64_t count = 0;
  std::int64_t largest = 0;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : count) reduction(max : largest) if (threads > 1)
  for (std::int64_t set = range.begin; set < range.end; ++set) {
    if (is_first[set] == 0) continue;
    ++count;
    largest = std::max(largest, groups.group(set).count());
  }
  groups.count_ = count;
  groups.largest_ = largest;
}

void GroupJoin::join(const PrefixIndex& index, const Groups& indexed, const Groups& probing, SetRange probes,
                     PairSink& sink) {
  const auto add = [&](std::int64_t probe) {
    if (!probing.is_first(probe)) return;
    const std::size_t candidates = prober_.add(index, probe);
    const SetRange group = probing.group(probe);
    if (candidates > 0 || group.count() > 1) batch_.push_back({group, candidates});
  };
  join_in_batches(probes, prober_, work_, add, [&] { verify(indexed, sink); });
}

void GroupJoin::verify(const Groups& indexed, PairSink& sink) {
  const std::span<const Candidate> all = prober_.all();
  std::size_t at = 0;
  for (const Probe& probe : batch_) {
    const std::span<const Candidate> candidates = all.subspan(at, probe.candidates);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      verifier_.prefetch(all.subspan(at + i));
      if (sets_->joins(probe.group.begin, candidates[i].set)) verifier_.verify(probe.group.begin, candidates[i], sink);
    }
    prober_.expand(probe.group, candidates, indexed, [&](std::int64_t set, const Candidate& candidate) {
      verifier_.verify(set, candidate, sink);
      ++work_.expansion_candidates;
    });
    at += probe.candidates;
  }
  batch_.clear();
}

}  // namespace warpbench::similarity
