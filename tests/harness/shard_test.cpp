// Shards: disjoint, together complete, of about the same length, and neighbouring groups stay together.
#include "harness/plan/shard.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace warpbench::harness {
namespace {

/// Plans with so many groups each; a group's only trial has the number of the group as its place.
std::vector<Plan> plans_of(const std::vector<std::size_t>& groups) {
  std::vector<Plan> plans;
  for (const std::size_t count : groups) {
    Plan plan;
    plan.experiment = "demo/" + std::to_string(plans.size());
    plan.trials.resize(count);
    for (std::size_t i = 0; i < count; ++i) plan.groups.push_back({{i}});
    plans.push_back(std::move(plan));
  }
  return plans;
}

double nothing_known(const Plan& /*plan*/, const Group& /*group*/) {
  return 0;
}

TEST(Shard, IsReadFromItsNumberAndTheirs) {
  EXPECT_EQ(shard_from("2/8").number, 2);
  EXPECT_EQ(shard_from("2/8").of, 8);
  EXPECT_EQ(shard_from("1/1").of, 1);
  for (const std::string bad :
       {"", "3", "/", "0/4", "5/4", "-1/4", "1/0", "1/4/2", "x/4", "1/ 4", "1/100001", "1/4x"}) {
    EXPECT_THROW(static_cast<void>(shard_from(bad)), std::invalid_argument) << bad;
  }
}

TEST(Shard, AllTogetherHaveEachGroupOnce) {
  const std::uint32_t seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::size_t> groups(1 + random() % 4);
    for (std::size_t& count : groups) count = 1 + random() % 9;
    const std::vector<Plan> plans = plans_of(groups);
    std::vector<double> seconds(10);
    for (double& one : seconds) one = random() % 3 == 0 ? 0 : static_cast<double>(1 + random() % 1000);
    const GroupSeconds known = [&](const Plan& plan, const Group& group) {
      return seconds[(group.trials.front() + plan.groups.size()) % seconds.size()];
    };
    const int of = static_cast<int>(1 + random() % 12);
    std::vector<std::string> found;
    for (int number = 1; number <= of; ++number) {
      for (const Plan& plan : share_of(plans, {number, of}, known)) {
        EXPECT_FALSE(plan.groups.empty());
        EXPECT_EQ(plan.trials.size(), plans.at(static_cast<std::size_t>(plan.experiment.back() - '0')).trials.size());
        for (const Group& group : plan.groups) {
          found.push_back(plan.experiment + ":" + std::to_string(group.trials.front()));
        }
      }
    }
    std::vector<std::string> all;
    for (const Plan& plan : plans) {
      for (const Group& group : plan.groups)
        all.push_back(plan.experiment + ":" + std::to_string(group.trials.front()));
    }
    EXPECT_EQ(found, all) << "in order, too: neighbours stay together";
  }
}

TEST(Shard, HasAsManyTrialsAsAnotherWhereNothingIsKnown) {
  std::vector<Plan> plans = plans_of({60, 20});
  for (Group& group : plans[1].groups) group.trials.resize(3);
  for (int number = 1; number <= 4; ++number) {
    std::size_t trials = 0;
    for (const Plan& plan : share_of(plans, {number, 4}, nothing_known)) {
      for (const Group& group : plan.groups) trials += group.trials.size();
    }
    EXPECT_NEAR(static_cast<double>(trials), 120.0 / 4, 3) << number;
  }
}

TEST(Shard, TakesAsLongAsAnotherByWhatIsKnown) {
  const std::vector<Plan> plans = plans_of({100});
  const auto seconds = [](const Plan& /*plan*/, const Group& group) {
    const std::size_t place = group.trials.front();
    return place < 10 ? 91.0 : place < 90 ? 1.0 : 0.0;  // of the last ten nothing is known: the mean, 11
  };
  for (int number = 1; number <= 4; ++number) {
    double length = 0;
    for (const Plan& plan : share_of(plans, {number, 4}, seconds)) {
      for (const Group& group : plan.groups) length += seconds(plan, group) > 0 ? seconds(plan, group) : 11;
    }
    EXPECT_NEAR(length, 1100.0 / 4, 91.0 / 2 + 11) << number;
  }
}

}  // namespace
}  // namespace warpbench::harness
