// How long a group may take by earlier trials.
#include "harness/cli/earlier_trials.hpp"

#include <gtest/gtest.h>

#include "device/device.hpp"
#include "tests/harness/support/results_fixture.hpp"

namespace warpbench::harness {
namespace {

/// A trial of this backend that ended at `made_at`.
Record ended(const char* trial, const char* made_at) {
  Record record = example(trial);
  record.backend = backend_name();
  record.made_at = made_at;
  return record;
}

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
  EXPECT_EQ(found.whole_seconds, 1 + 2 + 2 * 11 + 100) << "as no record tells when its trial ended";
  Estimate both = found;
  both += {5, 4, 3, 2, 1, 300, 400};
  EXPECT_EQ(both.trials, 8U);
  EXPECT_EQ(both.known, 6U);
  EXPECT_EQ(both.seconds, 28);
  EXPECT_EQ(both.reference_seconds, 102);
  EXPECT_EQ(both.known_whole, 1U);
  EXPECT_EQ(both.whole_seconds, 425);
  EXPECT_EQ(both.all_seconds, 125 + 1.5 + 400) << "the third trial solves for 1.5 s";
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

TEST(EarlierTrials, GiveTheOthersOfAGroupTheMeanWholeTime) {
  Plan plan;
  for (const char* id : {"a", "b", "c", "new"}) {
    plan.trials.emplace_back();
    plan.trials.back().id = id;
  }
  const Group group{{0, 1, 2, 3}};
  const EarlierTrials earlier{{"a", {1, 2, 3}}, {"b", {1, 2, 3, 0}}, {"c", {1, 2, 3, 20}}};
  const Estimate found = estimate(plan, group, earlier);
  EXPECT_EQ(found.known_whole, 2U);
  EXPECT_EQ(found.whole_seconds, 3 + (2 + 3) + (20 - 1 - 5) * 1.5) << "of the two, 0 and 14 s are besides";
  const EarlierTrials of_milliseconds{{"a", {0.5, 0, 3}}, {"b", {0.5, 0, 0, 0}}};
  EXPECT_EQ(estimate(plan, group, of_milliseconds).whole_seconds, 0.5 + 0.5 + 3) << "no less than the clocks say";
}

TEST(EarlierTrials, PrepareAndWaitForTheReferenceOnce) {
  Plan plan;
  Group group;
  for (std::size_t i = 0; i < 10; ++i) {
    plan.trials.emplace_back();
    plan.trials.back().id = std::to_string(i);
    group.trials.push_back(i);
  }
  EXPECT_EQ(estimate(plan, group, {}).all_seconds, 0);
  const Estimate of_one = estimate(plan, group, {{"0", {1, 100, 1000, 1103}}});
  EXPECT_EQ(of_one.whole_seconds, 1103);
  EXPECT_EQ(of_one.all_seconds, 1103 + 9 * 3) << "2 s are besides";
  EarlierTrials earlier{{"0", {1, 100, 1000, 1103}}};
  for (std::size_t i = 1; i < 10; ++i) earlier[std::to_string(i)] = {1, 100, 0};
  EXPECT_EQ(estimate(plan, group, earlier).whole_seconds, 1103 + 9 * 3);
  earlier["0"].whole = {};
  earlier["1"].whole = 3;
  EXPECT_EQ(estimate(plan, group, earlier).whole_seconds, 1100 + 10 * 3) << "the first one's time is not known";
}

TEST(EarlierTrials, CountAllPreparationsIntoTheTimeSinceTheTrialBefore) {
  const TemporaryDirectory directory;
  {
    ResultsFile results(directory.path() / "results.jsonl");
    const auto append = [&](const char* trial, const char* made_at) {
      Record record = ended(trial, made_at);
      record.outcome.prepare = PrepareFacts{{120, 120, 120, 120, 120}, 120.0, 120.0, 120.0, {}, {}};
      results.append(record);
    };
    append("first", "2026-02-01T00:00:00Z");
    append("second", "2026-02-01T00:10:10Z");
  }
  const EarlierTrials earlier = trials_of_times(directory.path());
  EXPECT_EQ(earlier.at("second").whole, 610);
  EXPECT_EQ(earlier.at("second").preparing, 120);
}

TEST(EarlierTrials, LastFromTheEndOfTheTrialBefore) {
  const TemporaryDirectory directory;
  {
    ResultsFile results(directory.path() / "results.jsonl");
    const auto append = [&](const char* trial, const char* made_at) {
      Record record = ended(trial, made_at);
      record.protocol.warmup = 1;
      record.outcome.prepare.reset();
      record.outcome.time->samples = {1.0, 1.0};
      record.outcome.time->median = 1.0;
      results.append(record);
    };
    append("first", "2026-01-31T23:59:40Z");
    append("second", "2026-01-31T23:59:59Z");
    append("third", "2026-02-01T00:00:02Z");
    append("earlier", "2026-02-01T00:00:01Z");
    append("shorter than its solves", "2026-02-01T00:00:02Z");
    append("after a pause", "2026-02-01T00:05:06Z");
    append("not said", "");
    append("after one that is not said", "2026-02-01T00:05:20Z");
  }
  const EarlierTrials earlier = trials_of_times(directory.path());
  EXPECT_EQ(earlier.at("first").whole, std::nullopt);
  EXPECT_EQ(earlier.at("second").whole, 19);
  EXPECT_EQ(earlier.at("third").whole, 3);
  EXPECT_EQ(earlier.at("earlier").whole, std::nullopt);
  EXPECT_EQ(earlier.at("shorter than its solves").whole, std::nullopt);
  EXPECT_EQ(earlier.at("after a pause").whole, std::nullopt);
  EXPECT_EQ(earlier.at("not said").whole, std::nullopt);
  EXPECT_EQ(earlier.at("after one that is not said").whole, std::nullopt);
}

}  // namespace
}  // namespace warpbench::harness
