#include "harness/plan/shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

namespace warpbench::harness {
namespace {

constexpr int kMostShards = 100'000;

std::optional<int> number_in(std::string_view text) {
  int number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failure == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// What each group of all plans is expected to take, in their order; only ratios count.
std::vector<double> weights_of(const std::vector<Plan>& plans, const GroupSeconds& seconds) {
  std::vector<double> weights;
  std::vector<double> trials;
  double known_seconds = 0;
  double known_trials = 0;
  for (const Plan& plan : plans) {
    for (const Group& group : plan.groups) {
      weights.push_back(seconds(plan, group));
      trials.push_back(static_cast<double>(group.trials.size()));
      if (weights.back() <= 0) continue;
      known_seconds += weights.back();
      known_trials += trials.back();
    }
  }
  const double each = known_trials > 0 ? known_seconds / known_trials : 1;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) weights[i] = each * trials[i];
  }
  return weights;
}

}  // namespace

Shard shard_from(const std::string& text) {
  const std::size_t slash = text.find('/');
  const std::optional<int> number = number_in(std::string_view(text).substr(0, slash));
  const std::optional<int> of =
      slash == std::string::npos ? std::nullopt : number_in(std::string_view(text).substr(slash + 1));
  if (!number || !of || *number < 1 || *of < *number || *of > kMostShards) {
    throw std::invalid_argument(fmt::format(
        "--shard: expected I/N, I from 1 to N and N at most {}, such as 2/8, found '{}'", kMostShards, text));
  }
  return {*number, *of};
}

std::vector<Plan> share_of(std::vector<Plan> plans, const Shard& shard, const GroupSeconds& seconds) {
  const std::vector<double> weights = weights_of(plans, seconds);
  const double share = std::reduce(weights.begin(), weights.end()) / shard.of;
  double before = 0;
  std::size_t next = 0;
  for (Plan& plan : plans) {
    std::vector<Group> kept;
    for (Group& group : plan.groups) {
      const double middle = before + weights[next] / 2;  // a group belongs to the shard that its middle lies in
      before += weights[next++];
      const int owner = std::min(static_cast<int>(middle / share), shard.of - 1);
      if (owner == shard.number - 1) kept.push_back(std::move(group));
    }
    plan.groups = std::move(kept);
  }
  std::erase_if(plans, [](const Plan& plan) { return plan.groups.empty(); });
  return plans;
}

}  // namespace warpbench::harness
