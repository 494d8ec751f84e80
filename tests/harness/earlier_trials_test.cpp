// How long a group may take by earlier trials.
#include "harness/cli/earlier_trials.hpp"

#include <gtest/gtest.h>

#include "device/device.hpp"
#include "tests/harness/support/results_fixture.hpp"

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

TEST(EarlierTrials, CountATimeoutWithTheLimitAtWhichItEnded) {
  const TemporaryDirectory directory;
  {
    ResultsFile results(directory.path() / "results.jsonl");
    const auto append = [&](const char* trial, const char* reason, bool prepared) {
      Record record = example(trial, Status::timeout);
      record.backend = backend_name();
      record.protocol.timeout_seconds = 60;
      record.protocol.prepare_timeout_seconds = 600;
      record.outcome.reason = reason;
      if (prepared) record.outcome.prepare = PrepareFacts{{1.0}, 1.0, 1.0, 1.0, {}, {}};
      results.append(record);
    };
    append("preparing", "more than 600 s while preparing the solver", false);
    append("solving", "more than 60 s while solving", false);
    append("unsolved", "0 of 20 solved: the time of 20 was up", true);
  }
  const EarlierTrials earlier = trials_of_times(directory.path());
  EXPECT_EQ(earlier.at("preparing").solving, 600);
  EXPECT_EQ(earlier.at("solving").solving, 60);
  EXPECT_EQ(earlier.at("unsolved").solving, 60);
  EXPECT_EQ(earlier.at("unsolved").preparing, 1);
}

}  // namespace
}  // namespace warpbench::harness
