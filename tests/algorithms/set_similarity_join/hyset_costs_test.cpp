// What HySet takes the sides to cost, and where it cuts a join by that.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <thread>
#include <vector>

#include "algorithms/set_similarity_join/hyset/calibration.hpp"
#include "algorithms/set_similarity_join/hyset/device_side.hpp"
#include "algorithms/set_similarity_join/hyset/split_model.hpp"
#include "tests/problems/support/similar_sets.hpp"

namespace warpbench::similarity {
namespace {

/// The cuts of 1,000 sets at which the index takes nothing, with the costs of a set on either side.
std::vector<Cut> cuts_of(const std::vector<CostSample>& cpu, const std::vector<CostSample>& device,
                         double least_device_seconds = 0) {
  std::vector<std::int64_t> places(1001);
  std::iota(places.begin(), places.end(), 0);
  const std::vector<double> on_cpu = seconds_before(cpu, places);
  const std::vector<double> on_device = seconds_before(device, places);
  std::vector<Cut> cuts;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double rest = places[i] < 1000 ? least_device_seconds + on_device.back() - on_device[i] : 0;
    cuts.push_back({places[i], 0, on_cpu[i], rest});
  }
  return cuts;
}

TEST(SplitModel, CutsWhereBothSidesEndTogether) {
  EXPECT_EQ(best_cut(cuts_of({{500, 1}}, {{500, 1}})).set, 500);
  EXPECT_EQ(best_cut(cuts_of({{500, 1}}, {{500, 1}})).seconds(), 500);
  EXPECT_EQ(best_cut(cuts_of({{500, 1}}, {{500, 3}})).set, 750);
  // Costs that rise with the sets' size: half of the work lies behind 1000 / sqrt(2).
  const std::vector<CostSample> rising = {{0, 0}, {1000, 1}};
  EXPECT_NEAR(static_cast<double>(best_cut(cuts_of(rising, rising)).set), 707, 2);
  EXPECT_EQ(best_cut(cuts_of({{500, 1}}, {{500, 0}})).set, 0);
  EXPECT_EQ(best_cut(cuts_of({{500, 0}}, {{500, 1}})).set, 1000);
}

TEST(SplitModel, CutsWhereThatSavesATenth) {
  EXPECT_EQ(best_cut(cuts_of({{500, 1}}, {{500, 10}})).set, 1000) << "it saves an eleventh";
  EXPECT_EQ(best_cut(cuts_of({{500, 1}}, {{500, 8}})).set, 889);
  EXPECT_EQ(best_cut(cuts_of({{500, 10}}, {{500, 1}})).set, 0);
  EXPECT_EQ(best_cut(cuts_of({{500, 8}}, {{500, 1}})).set, 111);
}

TEST(SplitModel, GivesTheDeviceAllWhereAnIndexCostsMoreThanASplitSaves) {
  const auto set_of = [](double index_seconds) {
    return best_cut({{0, 0, 0, 1000}, {500, index_seconds, 500, 500}, {1000, index_seconds, 1000, 0}}).set;
  };
  EXPECT_EQ(set_of(0), 500);
  EXPECT_EQ(set_of(390), 500);
  EXPECT_EQ(set_of(510), 0);
}

TEST(SplitModel, GivesTheDeviceNothingWhereItsLeastTimeIsMoreThanASplitSaves) {
  EXPECT_EQ(best_cut(cuts_of({{500, 1}}, {{500, 3}}, 100)).set, 775);
  EXPECT_EQ(best_cut(cuts_of({{500, 1}}, {{500, 3}}, 1000)).set, 1000);
}

TEST(TechniqueValues, AreThoseOfTheDocumentAllBlocksOrTheBest) {
  EXPECT_FALSE(technique_values("fgssjoin", "document", {}).contains("blocks"));
  EXPECT_EQ(technique_values("fgssjoin", "all-blocks", {}).at("blocks"), Value(std::int64_t{0}));
  EXPECT_EQ(technique_values("sf-gssjoin", "all-blocks", {}).at("blocks"), Value(std::int64_t{0}));
  EXPECT_TRUE(technique_values("bitmap", "all-blocks", {}).empty()) << "its grids are always full";
  EXPECT_EQ(technique_values("fgssjoin", "best", {}).at("candidates"), Value("compact"));
  const auto bitmap = technique_values("bitmap", "best", {{"signature_bits", 64}, {"filter", "ppjoin"}});
  EXPECT_EQ(bitmap.at("signature_bits"), Value(64));
  EXPECT_FALSE(bitmap.contains("filter"));
}

SetSimilarityJoin::Input input_of(const datasets::SetCollection& collection) {
  SetSimilarityJoin::Input input;
  input.sets = &collection;
  input.threshold = {3, 5};
  input.output = SetSimilarityJoin::Output::pairs;
  return input;
}

/// A CPU side, and what it costs on some sets.
struct CpuCosts {
  CpuCosts(const SetSimilarityJoin::Input& input, int threads) : sets(ordered(input)) {
    device_sets.prepare(sets, stream);
    builder.prepare(sets, bounds_of(input), stream);
    device_sets.upload(stream);
    side.prepare(sets, input, Filter::ppjoin, threads);
    calibration.emplace(sets, bounds_of(input), 100, device_sets.view(), builder, stream);
    samples = calibration->cost_of(side);
  }

  OrderedSets sets;
  DeviceSets device_sets;
  IndexBuilder builder;
  CpuSide side;
  std::optional<Calibration> calibration;
  std::vector<CostSample> samples;
  Stream stream;
};

TEST(Calibration, TheCutThatLeavesTheDeviceNothingIsTheLastOne) {
  const datasets::SetCollection collection = testing::similar_sets(17, {.count = 300});
  const CpuCosts costs(input_of(collection), 2);
  const std::vector<Cut> cuts = costs.calibration->cuts(costs.samples, {.least_seconds = 1, .samples = {{0, 1}}});
  EXPECT_EQ(costs.calibration->cut_of_cpu(costs.samples).seconds(), cuts.back().seconds());
}

TEST(Calibration, SamplesAllOfASmallJoin) {
  for (const std::size_t count : {1U, 63U, 64U, 65U, 200U, 1000U}) {
    const datasets::SetCollection collection = testing::similar_sets(17, {.count = count});
    const SetSimilarityJoin::Input input = input_of(collection);
    for (const int threads : {1, 3, 64}) {
      SCOPED_TRACE(std::to_string(count) + " sets, " + std::to_string(threads) + " threads");
      const CpuCosts costs(input, threads);
      ASSERT_EQ(std::ssize(costs.samples), (costs.sets.count() + 63) / 64);
      std::int64_t last = -1;
      for (const CostSample& sample : costs.samples) {
        EXPECT_GT(sample.set, last);
        EXPECT_LT(sample.set, costs.sets.count());
        EXPECT_TRUE(std::isfinite(sample.seconds) && sample.seconds >= 0) << sample.seconds;
        last = sample.set;
      }
      EXPECT_GT(costs.calibration->seconds_of_all(costs.samples), 0);
      for (const auto& worker : costs.side.workers()) EXPECT_EQ(worker->sink.count(), 0U);
    }
  }
}

/// Sleeps `each` for a pair of blocks. Joins nothing.
class IdleSide final : public DeviceSide {
 public:
  explicit IdleSide(bool works_by_pairs = false, std::chrono::microseconds each = {})
      : works_by_pairs_(works_by_pairs), each_(each) {}

  void begin(const SetsView& /*sets*/, Stream& /*stream*/, Phases& /*phases*/) override {}
  void join(const BlockPair& /*pair*/, const SetsView& /*sets*/, Stream& /*stream*/, Phases& /*phases*/) override {}
  void join_probes(SetRange probes, std::span<const BlockPair> pairs, const SetsView& /*sets*/, Stream& /*stream*/,
                   Phases& /*phases*/) override {
    joined.push_back(probes);
    pairs_joined.push_back(std::ssize(pairs));
    if (each_.count() > 0) std::this_thread::sleep_for(each_ * std::ssize(pairs));
  }
  [[nodiscard]] std::int64_t fair_sample() const override { return 10; }
  [[nodiscard]] bool works_by_pairs() const override { return works_by_pairs_; }
  void finish(Stream& /*stream*/, Phases& /*phases*/) override {}
  void download(SetSimilarityJoin::Answer& /*answer*/, Stream& /*stream*/) override {}
  [[nodiscard]] std::map<std::string, double> counters() const override { return {}; }

  std::vector<SetRange> joined;
  std::vector<std::int64_t> pairs_joined;

 private:
  bool works_by_pairs_;
  std::chrono::microseconds each_;
};

constexpr double kForever = std::numeric_limits<double>::infinity();

/// A part costs about as much however few sets it has: one that is cut short would say that sets are dear.
TEST(Calibration, SamplesWholePartsOfTheDevice) {
  for (const std::size_t count : {119U, 120U, 121U, 129U, 300U, 301U}) {
    const datasets::SetCollection collection = testing::similar_sets(17, {.count = count});
    const CpuCosts costs(input_of(collection), 1);
    SCOPED_TRACE(costs.sets.count());
    IdleSide side;
    const DeviceCost cost = costs.calibration->cost_of(side, kForever).value();
    if (costs.sets.count() < 120) {
      EXPECT_EQ(cost.samples.size(), 6U) << "what is left behind sixths of all";
      continue;
    }
    EXPECT_GE(cost.samples.size(), 6U);
    EXPECT_LE(cost.samples.size(), 12U);
    for (const SetRange probes : side.joined) EXPECT_EQ(probes.count(), 10);
    EXPECT_EQ(cost.samples.front().set, 5);
    EXPECT_EQ(cost.samples.back().set, costs.sets.count() / 10 * 10 - 5);
    EXPECT_EQ(std::ranges::adjacent_find(cost.samples, std::ranges::greater_equal{}, &CostSample::set),
              cost.samples.end());
  }
}

TEST(Calibration, KnowsThePairsOfBlocksBehindEachCut) {
  const datasets::SetCollection collection = testing::similar_sets(17, {.count = 1234});
  const SetSimilarityJoin::Input input = input_of(collection);
  const CpuCosts costs(input, 1);
  const DeviceCost device{.least_seconds = 1000, .samples = {{0, 1}}, .is_by_pairs = true};
  const std::vector<Cut> cuts = costs.calibration->cuts(costs.samples, device);
  EXPECT_EQ(cuts.front().set, 0);
  EXPECT_EQ(cuts.back().set, costs.sets.count());
  EXPECT_EQ(cuts.back().device_seconds, 0);
  std::int64_t last = -1;
  for (const Cut& cut : cuts) {
    EXPECT_GT(cut.set, last);
    last = cut.set;
    if (cut.set == costs.sets.count()) continue;
    const auto pairs = block_pairs_behind(cut.set, costs.sets, bounds_of(input), 100).size();
    EXPECT_EQ(cut.device_seconds, 1000 + static_cast<double>(pairs)) << cut.set;
  }
  for (std::int64_t block = 0; block < costs.sets.count(); block += 100) {
    EXPECT_TRUE(std::ranges::binary_search(cuts, block, {}, &Cut::set)) << block;
  }
}

TEST(Calibration, GivesAPairOfBlocksItsTime) {
  const datasets::SetCollection collection = testing::similar_sets(17, {.count = 1000});
  const CpuCosts costs(input_of(collection), 1);
  IdleSide side(true, std::chrono::milliseconds(1));
  const DeviceCost cost = costs.calibration->cost_of(side, kForever).value();
  EXPECT_TRUE(cost.is_by_pairs);
  std::vector<double> seconds;
  for (const CostSample& sample : cost.samples) {
    EXPECT_GE(sample.seconds, 1e-3) << sample.set;
    seconds.push_back(sample.seconds);
  }
  // Most parts have several pairs, and would take as many times that. The median, since a busy machine delays some.
  std::ranges::nth_element(side.pairs_joined, side.pairs_joined.begin() + std::ssize(side.pairs_joined) / 2);
  EXPECT_GT(side.pairs_joined[side.pairs_joined.size() / 2], 9);
  std::ranges::nth_element(seconds, seconds.begin() + std::ssize(seconds) / 2);
  EXPECT_LT(seconds[seconds.size() / 2], 5e-3);
}

TEST(Calibration, GivesUpASideThatIsFarTooSlow) {
  for (const std::size_t count : {60U, 300U}) {
    const datasets::SetCollection collection = testing::similar_sets(17, {.count = count});
    const CpuCosts costs(input_of(collection), 1);
    SCOPED_TRACE(costs.sets.count());
    IdleSide side(true, std::chrono::milliseconds(1));
    EXPECT_FALSE(costs.calibration->cost_of(side, 1e-6).has_value());
    const double all = 1e-3 * static_cast<double>(block_pairs(costs.sets, {}, 10).size());
    EXPECT_TRUE(costs.calibration->cost_of(side, 3 * all).has_value()) << "at most three times as slow as it is";
  }
}

/// Where samples lie evenly among the sets alone, one large set's cost stands for that of many smaller ones.
TEST(Calibration, SamplesMoreOfTheLargerSets) {
  std::vector<testing::Tokens> sets;
  for (std::uint32_t i = 0; i < 2000; ++i) sets.push_back(testing::arithmetic(i, 1, 2));
  for (std::uint32_t i = 0; i < 20; ++i) sets.push_back(testing::arithmetic(10 * i, 1, 1000));
  const datasets::SetCollection collection = testing::sets_of(sets);
  const CpuCosts costs(input_of(collection), 1);
  IdleSide side;
  const DeviceCost cost = costs.calibration->cost_of(side, kForever).value();
  const auto large = std::ranges::count_if(cost.samples, [](const CostSample& each) { return each.set >= 2000; });
  EXPECT_GE(large, 2);
  EXPECT_GE(std::ssize(cost.samples) - large, 5);
}

}  // namespace
}  // namespace warpbench::similarity
