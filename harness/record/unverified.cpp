#include "harness/record/unverified.hpp"

#include <fmt/format.h>

namespace warpbench::harness {

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
  for (const auto& [name, value] : record.task) question += fmt::format(" {}={}", name, warpbench::to_string(value));
  for (const auto& [name, number] : record.outcome.judgement->metrics) {
    if (!name.starts_with("unverified_")) continue;
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
