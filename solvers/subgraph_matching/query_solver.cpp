#include "solvers/subgraph_matching/query_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <new>
#include <numeric>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "device/backend/work_limit.hpp"
#include "device/device.hpp"
#include "device/error.hpp"
#include "problems/first_failure.hpp"
#include "solvers/solver.hpp"

namespace warpbench::matching {
namespace {

/// Of a query's time, what it may take beside others. What takes longer gains nothing from company: it is asked again
/// alone, so that it is not left unsolved for what the others took.
constexpr double kShareBesideOthers = 0.0625;

double seconds_since(Deadline::Clock::time_point start) {
  return std::chrono::duration<double>(Deadline::Clock::now() - start).count();
}

/// The value below which `share` of the values lie, between the two neighbours in order where it falls between them.
double quantile(std::span<const double> ascending, double share) {
  const double place = share * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  return ascending[below] + (place - static_cast<double>(below)) * (ascending[above] - ascending[below]);
}

/// NAME_min_SUFFIX, NAME_q1_SUFFIX, …: the five numbers of a box plot (gsi2020 Figure 17).
void put_quartiles(std::map<std::string, double>& counters, const std::string& name, const std::string& suffix,
                   std::vector<double> values) {
  if (values.empty()) return;
  std::ranges::sort(values);
  const std::pair<const char*, double> shares[] = {{"min", 0}, {"q1", 0.25}, {"median", 0.5}, {"q3", 0.75}, {"max", 1}};
  for (const auto& [which, share] : shares)
    counters[fmt::format("{}_{}{}", name, which, suffix)] = quantile(values, share);
}

}  // namespace

Deadline::Deadline(double seconds)
    : at_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))) {}

void QuerySolver::prepare(const SubgraphMatching::Input& input, Phases& phases) {
  input_ = &input;
  prepare_graph(input.data(), phases);
}

/// What became of a query when it was asked for.
struct QuerySolver::Attempt {
  enum class End { not_made, answered, gave_up, device_full, host_full, failed };

  [[nodiscard]] bool is_over(const QueryAnswer& answer) const {
    return end == End::failed || (end == End::answered && answer.solved);
  }

  End end = End::not_made;
  double seconds = 0;
  std::map<std::string, double> counters;
  std::exception_ptr error;  ///< where memory did not suffice, and of what ends the solve
};

/// Calls match(deadline), which returns the query's counters. Does not throw.
template <typename Match>
QuerySolver::Attempt QuerySolver::attempt(std::size_t query, double allowed_seconds, const Match& match) {
  using End = Attempt::End;
  Attempt made;
  const auto start = Deadline::Clock::now();
  try {
    const std::chrono::duration<double> allowed(allowed_seconds);
    const WorkLimit limit(start + std::chrono::duration_cast<Deadline::Clock::duration>(allowed));
    made.counters = match(Deadline(allowed_seconds));
    made.end = End::answered;
  } catch (const GaveUp&) {
    made.end = End::gave_up;
  } catch (const OutOfDeviceMemory& error) {
    // What fails although there is room did not fail for the size of this query: a fault of the device.
    made.end = error.wanted_bytes() <= error.free_bytes() ? End::failed : End::device_full;
    made.error = std::current_exception();
  } catch (const std::bad_alloc&) {
    made.end = End::host_full;
    made.error = std::current_exception();
  } catch (...) {
    made.end = End::failed;
    made.error = std::current_exception();
  }
  if (made.end != End::answered) answer_.queries[query] = {};
  made.seconds = seconds_since(start);
  return made;
}

void QuerySolver::solve(Phases& phases) {
  answer_.queries.assign(input_->queries().size(), {});
  seconds_.clear();
  counters_.clear();
  sums_.clear();
  answered_ = 0;
  out_of_memory_ = 0;
  too_large_ = 0;
  std::vector<Attempt> attempts(answer_.queries.size());
  match_side_by_side(attempts, phases);
  for (std::size_t query = 0; query < attempts.size(); ++query) {
    if (!attempts[query].is_over(answer_.queries[query])) match_alone(query, attempts[query], phases);
    take(query, attempts[query]);
  }
}

/// In the time that the last attempt left.
void QuerySolver::match_alone(std::size_t query, Attempt& last, Phases& phases) {
  const double before = last.seconds;
  QueryAnswer& answer = answer_.queries[query];
  answer = {};
  last = attempt(query, std::max(input_->query_timeout_seconds - before, 0.0), [&](const Deadline& deadline) {
    match(input_->queries()[query], deadline, answer, phases);
    return query_counters();
  });
  last.seconds += before;
}

/// Attempts all queries where there are places, one after the other at each place. Once one fails no more are begun;
/// those before it have been, so that the first failure in the order of the queries is known.
void QuerySolver::match_side_by_side(std::span<Attempt> attempts, Phases& phases) {
  const std::size_t count = std::min(places(), attempts.size());
  if (count < 2) return;
  open_places(count);
  const double allowed = kShareBesideOthers * input_->query_timeout_seconds;
  std::vector<Phases> phases_at(count);
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> has_failed = false;
  FirstFailure failure;  ///< of a thread, not of a query
  const auto work = [&](std::size_t place) {
    for (std::size_t query = next++; query < attempts.size() && !has_failed; query = next++) {
      attempts[query] = attempt(query, allowed, [&](const Deadline& deadline) {
        return match_at(place, input_->queries()[query], deadline, answer_.queries[query], phases_at[place]);
      });
      if (attempts[query].end == Attempt::End::failed) has_failed = true;
    }
  };
  const int device = current_device_index();
  try {
    team_.start(count - 1, [&](std::size_t i) {
      failure.guard([&] {
        set_device(device);
        work(i + 1);
      });
    });
  } catch (const std::system_error&) {
    // The system has no more threads now; this one does the work.
  }
  failure.guard([&] { work(0); });
  team_.wait();
  failure.rethrow();
  for (Phases& one : phases_at) phases.take(std::move(one));
}

/// Adds a query's times and counters to those of all, in the order of the queries. Throws what ends the solve.
void QuerySolver::take(std::size_t query, const Attempt& attempt) {
  using End = Attempt::End;
  if (attempt.end == End::failed) std::rethrow_exception(attempt.error);
  QueryAnswer& answer = answer_.queries[query];
  if (attempt.end == End::device_full) ++out_of_memory_;
  if (attempt.end == End::host_full) counters_["out_of_host_memory"] += 1;
  // The document's systems leave such queries unsolved, too; but one that solves none has no time to show.
  if (attempt.error != nullptr && ++too_large_ == answer_.queries.size()) std::rethrow_exception(attempt.error);
  const double limit = input_->query_timeout_seconds;
  if (attempt.seconds > limit) answer = {};  // the last kernel of a query may end late
  seconds_.push_back(answer.solved ? attempt.seconds : limit);
  if (attempt.end != End::answered) return;  // then it has no counters
  ++answered_;
  for (const auto& [name, value] : attempt.counters) {
    if (name.starts_with("peak_")) {
      double& known = counters_[name];
      known = std::max(known, value);
    } else {
      sums_[name] += value;
    }
  }
}

std::map<std::string, double> QuerySolver::match_at(std::size_t /*place*/, const Graph& /*query*/,
                                                    const Deadline& /*deadline*/, QueryAnswer& /*answer*/,
                                                    Phases& /*phases*/) {
  throw std::logic_error("a solver with several places must supply match_at()");
}

void QuerySolver::download(Answer& answer, Phases& /*phases*/) {
  answer = answer_;
}

std::map<std::string, double> QuerySolver::counters() const {
  std::map<std::string, double> all = counters_;
  for (const auto& [name, sum] : sums_) all[name] = sum / static_cast<double>(answered_);
  if (seconds_.empty()) return all;
  all["query_mean_s"] = std::accumulate(seconds_.begin(), seconds_.end(), 0.0) / static_cast<double>(seconds_.size());
  put_quartiles(all, "query", "_s", seconds_);
  std::vector<double> matches;
  for (const QueryAnswer& answer : answer_.queries) {
    if (answer.solved) matches.push_back(static_cast<double>(answer.count));
  }
  if (out_of_memory_ > 0) all["out_of_memory"] = static_cast<double>(out_of_memory_);
  all["unsolved"] = static_cast<double>(answer_.queries.size() - matches.size());
  all["matches"] = std::accumulate(matches.begin(), matches.end(), 0.0);
  put_quartiles(all, "matches", "", std::move(matches));
  return all;
}

}  // namespace warpbench::matching
