#include "harness/record/solved.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "problems/problem.hpp"

namespace warpbench::harness {
namespace {

/// Whether each sample solved as many parts as the others: then their mean is a whole number.
bool samples_agree(const Record& record) {
  const double mean = record.outcome.judgement->metrics.at("solved");
  return std::abs(mean - std::round(mean)) < kRounding;
}

}  // namespace

std::optional<Solved> solved_of(const Numbers& metrics, const Numbers& work) {
  const auto solved = metrics.find("solved");
  const auto asked = work.find("queries");
  if (solved == metrics.end() || asked == work.end()) return std::nullopt;
  // A record's metric is the mean over the samples.
  return Solved{static_cast<std::int64_t>(std::floor(solved->second + kRounding)),
                static_cast<std::int64_t>(asked->second)};
}

std::optional<Solved> solved_of(const Outcome& outcome) {
  return outcome.judgement ? solved_of(outcome.judgement->metrics, outcome.work) : std::nullopt;
}

std::string to_string(const Solved& solved) {
  return fmt::format("{} of {} solved", solved.solved, solved.asked);
}

std::string remark_on(const std::optional<Solved>& solved) {
  return solved && !solved->all() ? ", " + to_string(*solved) : "";
}

std::optional<double> seconds_up_to_limits(const Record& record) {
  const std::optional<Solved> solved = solved_of(record.outcome);
  if (!solved || solved->all()) return 0.0;
  const ProblemEntry* const problem = find_problem(record.problem);
  if (problem == nullptr || !record.outcome.time || record.outcome.time->samples.empty()) return std::nullopt;
  const auto mean = record.outcome.counters.find(problem->info.mean_with_limits);
  if (mean == record.outcome.counters.end() || !samples_agree(record)) return std::nullopt;
  // The samples may also cover transfers, the queries' times do not.
  return std::max(0.0, mean->second * static_cast<double>(solved->asked) - record.outcome.time->samples.back());
}

std::optional<MedianInterval> comparable_time(const Record& record) {
  const std::optional<double> more = record.timed() ? seconds_up_to_limits(record) : std::nullopt;
  if (!more) return std::nullopt;
  const TimeFacts& time = *record.outcome.time;
  return MedianInterval{time.median + *more, time.low + *more, time.high + *more, time.confidence,
                        time.confidence >= kConfidence};
}

}  // namespace warpbench::harness
