#include "problems/subgraph_matching/query_solver.hpp"

#include <algorithm>
#include <numeric>

#include "problems/subgraph_matching/counting.hpp"

namespace warpbench::matching {
namespace {

double seconds_since(Deadline::Clock::time_point start) {
  return std::chrono::duration<double>(Deadline::Clock::now() - start).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::ranges::nth_element(values, middle);
  const double low = *middle;
  return values.size() % 2 == 1 ? low : (low + *std::min_element(middle + 1, values.end())) / 2;
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
  for (std::size_t i = 0; i < answer_.queries.size(); ++i) {
    QueryAnswer& answer = answer_.queries[i];
    const auto start = Deadline::Clock::now();
    match(input_->queries()[i], Deadline(input_->query_timeout_seconds), answer, phases);
    seconds_.push_back(answer.solved ? seconds_since(start) : input_->query_timeout_seconds);
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
  all["query_median_s"] = median(seconds_);
  all["query_max_s"] = *std::ranges::max_element(seconds_);
  for (const QueryAnswer& answer : answer_.queries) {
    all["unsolved"] += answer.solved ? 0 : 1;
    all["matches"] += answer.solved ? static_cast<double>(answer.count) : 0;
  }
  return all;
}

}  // namespace warpbench::matching
