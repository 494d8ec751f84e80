#include "harness/record/solved.hpp"

#include <fmt/format.h>

#include <cmath>

namespace warpbench::harness {

std::optional<Solved> solved_of(const Numbers& metrics, const Numbers& work) {
  const auto solved = metrics.find("solved");
  const auto asked = work.find("queries");
  if (solved == metrics.end() || asked == work.end()) return std::nullopt;
  // A record's metric is the mean over the samples. A sum of rounded numbers may miss a whole one by some bits.
  return Solved{static_cast<std::int64_t>(std::floor(solved->second + 1e-6)), static_cast<std::int64_t>(asked->second)};
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

}  // namespace warpbench::harness
