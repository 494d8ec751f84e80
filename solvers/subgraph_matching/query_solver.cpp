#include "solvers/subgraph_matching/query_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <numeric>
#include <span>
#include <utility>

#include "device/backend/work_limit.hpp"
#include "device/error.hpp"
#include "solvers/solver.hpp"

namespace warpbench::matching {
namespace {

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

void QuerySolver::solve(Phases& phases) {
  answer_.queries.assign(input_->queries().size(), {});
  seconds_.clear();
  counters_.clear();
  out_of_memory_ = 0;
  std::size_t too_large = 0;  // for the memory of the device or of the host
  for (std::size_t i = 0; i < answer_.queries.size(); ++i) {
    QueryAnswer& answer = answer_.queries[i];
    const auto start = Deadline::Clock::now();
    bool ended = true;  // else the counters are those of the query before
    try {
      const std::chrono::duration<double> allowed(input_->query_timeout_seconds);
      const WorkLimit limit(start + std::chrono::duration_cast<Deadline::Clock::duration>(allowed));
      match(input_->queries()[i], Deadline(input_->query_timeout_seconds), answer, phases);
    } catch (const GaveUp&) {
      answer = {};
      ended = false;
    } catch (const OutOfDeviceMemory& error) {
      // What fails although there is room did not fail for the size of this query: a fault of the device.
      if (error.wanted_bytes() <= error.free_bytes()) throw;
      // The document's systems leave such queries unsolved, too; but one that solves none has no time to show.
      answer = {};
      ended = false;
      ++out_of_memory_;
      if (++too_large == answer_.queries.size()) throw;
    } catch (const std::bad_alloc&) {
      answer = {};
      ended = false;
      counters_["out_of_host_memory"] += 1;
      if (++too_large == answer_.queries.size()) throw;
    }
    const double seconds = seconds_since(start);
    if (seconds > input_->query_timeout_seconds) answer = {};  // the last kernel of a query may end late
    seconds_.push_back(answer.solved ? seconds : input_->query_timeout_seconds);
    if (!ended) continue;
    for (const auto& [name, value] : query_counters()) {
      double& known = counters_[name];
      known = name.starts_with("peak_") ? std::max(known, value)
                                        : known + value / static_cast<double>(answer_.queries.size());
    }
  }
}

void QuerySolver::download(Answer& answer, Phases& /*phases*/) {
  answer = answer_;
}

std::map<std::string, double> QuerySolver::counters() const {
  std::map<std::string, double> all = counters_;
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
