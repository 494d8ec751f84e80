// How long a group may take by earlier trials.
#include "harness/cli/earlier_trials.hpp"

#include <gtest/gtest.h>

namespace warpbench::harness {
namespace {

TEST(EarlierTrials, GiveAGroupItsSolvesPreparationsAndOneReference) {
  Plan plan;
  for (const char* id : {"a", "b", "c", "d"}) {
    plan.trials.emplace_back();
    plan.trials.back().id = id;
  }
  plan.protocol.preparations = 2;
  const Group group{{0, 1, 2, 3}};
  const EarlierTrials earlier{{"a", {1, 10, 100}}, {"b", {2, 11, 0.5}}, {"d", {64, 64, 640}}, {"other", {7, 7, 7}}};
  const Estimate found = estimate(plan, group, earlier, {"d"});
  EXPECT_EQ(found.trials, 3U) << "without the one that is done";
  EXPECT_EQ(found.known, 2U);
  EXPECT_EQ(found.seconds, 1 + 2 + 2 * 11);
  EXPECT_EQ(found.reference_seconds, 100);
  Estimate both = found;
  both += {5, 4, 3, 2};
  EXPECT_EQ(both.trials, 8U);
  EXPECT_EQ(both.known, 6U);
  EXPECT_EQ(both.seconds, 28);
  EXPECT_EQ(both.reference_seconds, 102);
}

}  // namespace
}  // namespace warpbench::harness
