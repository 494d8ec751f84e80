#include "harness/record/unverified.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "problems/problem.hpp"

namespace warpbench::harness {
namespace {

/// The task without the parameters on which unverified numbers do not depend.
std::map<std::string, Value> deciding_part(const Record& record) {
  std::map<std::string, Value> part = record.task;
  const ProblemEntry* const problem = find_problem(record.problem);
  if (problem == nullptr) return part;
  for (const IndifferentParameter& parameter : problem->info.indifferent) {
    const bool decides = !parameter.unless.empty() && std::ranges::all_of(parameter.unless, [&](const auto& condition) {
      const auto found = record.task.find(condition.first);
      return found != record.task.end() && found->second == condition.second;
    });
    if (!decides) part.erase(parameter.name);
  }
  return part;
}

}  // namespace

std::string remark_on_unverified(const Outcome& outcome) {
  if (!outcome.judgement) return "";
  const Numbers& metrics = outcome.judgement->metrics;
  const auto verified = metrics.find("verified");
  const auto solved = metrics.find("solved");
  if (verified == metrics.end() || solved == metrics.end() || verified->second >= solved->second) return "";
  return fmt::format(", {:.4g} of {:.4g} verified", verified->second, solved->second);
}

std::vector<std::string> UnverifiedNumbers::contradictions(const Record& record) {
  std::vector<std::string> found;
  if (!record.outcome.judgement) return found;
  std::string question =
      fmt::format("{} on {} {}", record.problem, record.dataset.name, record.dataset.digest.value_or(""));
  for (const auto& [name, value] : deciding_part(record))
    question += fmt::format(" {}={}", name, warpbench::to_string(value));
  for (const auto& [name, number] : record.outcome.judgement->metrics) {
    if (!name.starts_with(kUnverified)) continue;
    const auto [first, is_new] =
        first_.try_emplace(question + " " + name, Statement{number, record.solver.name, record.trial});
    if (is_new || first->second.number == number) continue;
    found.push_back(fmt::format("{}: {} is {:.17g} by {} (trial {}) and {:.17g} by {} (trial {}): one of them is wrong",
                                record.dataset.name, name, first->second.number, first->second.solver,
                                first->second.trial, number, record.solver.name, record.trial));
  }
  return found;
}

}  // namespace warpbench::harness
