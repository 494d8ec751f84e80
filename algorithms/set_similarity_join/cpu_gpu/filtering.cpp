#include "algorithms/set_similarity_join/cpu_gpu/filtering.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace warpbench::similarity {
namespace {

/// Candidates that are found before they are written, if not of a single set: so many that reading the clock costs
/// nothing, so few that they stay in a cache.
constexpr std::size_t kFilteredAtOnce = 2048;

/// Gives the time since the last call to one total or another.
class Laps {
 public:
  void add_to(double& seconds) {
    const auto now = std::chrono::steady_clock::now();
    seconds += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace

FilterChoice filter_choice_from(const Parameters& parameters) {
  const std::string& filter = parameters.text("filter");
  const std::string& groups = parameters.text("groups");
  FilterChoice choice;
  if (filter == "allpairs") choice.filter = Filter::allpairs;
  if (filter == "ppjoin") choice.filter = Filter::ppjoin;
  if (groups == "map") choice.groups = FilterChoice::Groups::map;
  if (groups == "first_phase") choice.groups = FilterChoice::Groups::first_phase;
  if (groups == "whole") choice.groups = FilterChoice::Groups::whole;
  return choice;
}

void FilterIndex::build(const OrderedSets& sets, const Bounds& bounds, SetRange range, const FilterChoice& choice,
                        int threads) {
  if (choice.is_group_join()) {
    rebuild(groups, sets, bounds, range, threads);
    rebuild(index, sets, bounds, groups, threads);
  } else {
    rebuild(index, sets, bounds, range, threads);
  }
}

FilterThread::FilterThread(const OrderedSets& sets, const Bounds& bounds, const FilterChoice& choice, PairSink& sink)
    : sets_(&sets), choice_(choice), sink_(&sink), verifier_(sets, bounds) {
  if (choice.is_group_join()) {
    group_prober_.emplace(sets, bounds);
  } else {
    prober_.emplace(sets, bounds, *choice.filter);
  }
}

void FilterThread::run(const FilterIndex& index, const Groups& probing, SetRange probes, CandidateWriter& writer) {
  const double waited = writer.waited_seconds();
  const std::uint64_t written = writer.candidates();
  Laps laps;
  for (std::int64_t next = probes.begin; next < probes.end && !writer.has_stopped();) {
    next = filter(index.index, probing, {next, probes.end});
    laps.add_to(work_.filter_seconds);
    const bool is_whole = choice_.groups == FilterChoice::Groups::whole;
    if (choice_.is_group_join() && is_whole) {
      write_whole(index.groups, probing, writer);
    } else {
      write(writer);
    }
    laps.add_to(work_.serialize_seconds);
    if (!choice_.is_group_join() || is_whole) continue;
    expand(index.groups, probing, writer);
    laps.add_to(choice_.sends_all() ? work_.serialize_seconds : work_.expand_seconds);
  }
  work_.candidates += writer.candidates() - written;
  work_.wait_seconds += writer.waited_seconds() - waited;
  work_.serialize_seconds -= writer.waited_seconds() - waited;
}

/// Gathers the candidates of the next probing sets, and returns the set after them.
std::int64_t FilterThread::filter(const PrefixIndex& index, const Groups& probing, SetRange probes) {
  Prober& prober = choice_.is_group_join() ? *group_prober_ : *prober_;
  prober.clear();
  batch_.clear();
  std::int64_t next = probes.begin;
  for (; next < probes.end && prober.all().size() < kFilteredAtOnce; ++next) {
    if (choice_.is_group_join() && !probing.is_first(next)) continue;
    batch_.push_back({static_cast<std::uint32_t>(next), prober.add(index, next)});
  }
  found_ = prober.all();
  return next;
}

void FilterThread::write(CandidateWriter& writer) {
  std::span<const Candidate> rest = found_;
  for (const auto& [probe, count] : batch_) {
    const std::span<const Candidate> found = rest.first(count);
    rest = rest.subspan(count);
    if (!choice_.is_group_join() || sets_->is_self_join()) {
      writer.add(probe, found);
      continue;
    }
    joined_.clear();  // a group's first sets may be of one side
    std::ranges::copy_if(found, std::back_inserter(joined_),
                         [&, probe = probe](const Candidate& candidate) { return sets_->joins(probe, candidate.set); });
    writer.add(probe, joined_);
  }
}

/// Both phases of GroupJoin, with each set of a group by itself: its candidates then lie side by side.
void FilterThread::write_whole(const Groups& indexed, const Groups& probing, CandidateWriter& writer) {
  std::span<const Candidate> rest = found_;
  for (const auto& [first, count] : batch_) {
    const SetRange group = probing.group(first);
    for (std::int64_t probe = group.begin; probe < group.end; ++probe) {
      joined_.clear();
      const auto add = [&](std::int64_t set) {
        if (sets_->joins(probe, set)) joined_.push_back({static_cast<std::uint32_t>(set), 0, 0, 0});
      };
      std::size_t of_first_phase = 0;
      for (const Candidate& candidate : rest.first(count)) {
        const SetRange others = indexed.group(candidate.set);
        const std::size_t before = joined_.size();
        add(others.begin);
        if (probe == group.begin) of_first_phase += joined_.size() - before;
        for (std::int64_t set = others.begin + 1; set < others.end; ++set) add(set);
      }
      for (std::int64_t set = group.begin; indexed.holds(group) && set < probe; ++set) add(set);
      work_.expanded += joined_.size() - of_first_phase;
      writer.add(static_cast<std::uint32_t>(probe), joined_);
    }
    rest = rest.subspan(count);
  }
}

/// The second phase of GroupJoin.
void FilterThread::expand(const Groups& indexed, const Groups& probing, CandidateWriter& writer) {
  const bool has_one_phase = indexed.largest() <= 1 && probing.largest() <= 1;
  if (choice_.groups == FilterChoice::Groups::first_phase && has_one_phase) return;
  std::span<const Candidate> rest = found_;
  for (const auto& [first, count] : batch_) {
    group_prober_->expand(probing.group(first), rest.first(count), indexed,
                          [&](std::int64_t probe, const Candidate& candidate) {
                            ++work_.expanded;
                            if (choice_.sends_all()) {
                              writer.add(static_cast<std::uint32_t>(probe), std::span(&candidate, 1));
                            } else {
                              verifier_.verify(probe, candidate, *sink_);
                            }
                          });
    rest = rest.subspan(count);
  }
}

FilterWork& FilterWork::operator+=(const FilterWork& other) {
  candidates += other.candidates;
  expanded += other.expanded;
  filter_seconds += other.filter_seconds;
  serialize_seconds += other.serialize_seconds;
  expand_seconds += other.expand_seconds;
  wait_seconds += other.wait_seconds;
  return *this;
}

FilterWork FilterThread::take_work() {
  return std::exchange(work_, {});
}

}  // namespace warpbench::similarity
