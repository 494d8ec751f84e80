// What HySet takes the sides to cost, and where it cuts a join by that.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <utility>

#include "algorithms/set_similarity_join/hyset/calibration.hpp"
#include "algorithms/set_similarity_join/hyset/device_side.hpp"
#include "algorithms/set_similarity_join/hyset/split_model.hpp"
#include "tests/problems/support/similar_sets.hpp"

namespace warpbench::similarity {
namespace {

DeviceCost cost(std::vector<CostSample> samples, double least_seconds = 0) {
  return {least_seconds, std::move(samples)};
}

TEST(SplitModel, CutsWhereBothSidesEndTogether) {
  std::vector<std::int64_t> cuts;
  for (std::int64_t cut = 0; cut <= 1000; ++cut) cuts.push_back(cut);
  const std::vector<double> no_index(cuts.size(), 0);
  EXPECT_EQ(best_cut({{500, 1}}, cost({{500, 1}}), no_index, cuts).set, 500);
  EXPECT_EQ(best_cut({{500, 1}}, cost({{500, 1}}), no_index, cuts).seconds, 500);
  EXPECT_EQ(best_cut({{500, 1}}, cost({{500, 3}}), no_index, cuts).set, 750);
  // Costs that rise with the sets' size: half of the work lies behind 1000 / sqrt(2).
  const std::vector<CostSample> rising = {{0, 0}, {1000, 1}};
  EXPECT_NEAR(static_cast<double>(best_cut(rising, cost(rising), no_index, cuts).set), 707, 2);
  EXPECT_EQ(best_cut({{500, 1}}, cost({{500, 0}}), no_index, cuts).set, 0);
  EXPECT_EQ(best_cut({{500, 0}}, cost({{500, 1}}), no_index, cuts).set, 1000);
}

TEST(SplitModel, GivesTheDeviceAllWhereAnIndexCostsMoreThanASplitSaves) {
  const std::vector<std::int64_t> cuts = {0, 250, 500, 750, 1000};
  const std::vector<CostSample> cpu = {{500, 2}};
  const DeviceCost device = cost({{500, 1}});
  EXPECT_EQ(best_cut(cpu, device, {0, 0, 0, 0, 0}, cuts).set, 250);
  EXPECT_EQ(best_cut(cpu, device, {0, 240, 260, 280, 300}, cuts).set, 250);
  EXPECT_EQ(best_cut(cpu, device, {0, 260, 280, 300, 320}, cuts).set, 0);
}

TEST(SplitModel, GivesTheDeviceNothingWhereItsLeastTimeIsMoreThanASplitSaves) {
  const std::vector<std::int64_t> cuts = {0, 250, 500, 750, 1000};
  const std::vector<double> no_index(cuts.size(), 0);
  const std::vector<CostSample> cpu = {{500, 1}};
  EXPECT_EQ(best_cut(cpu, cost({{500, 3}}, 200), no_index, cuts).set, 750);
  EXPECT_EQ(best_cut(cpu, cost({{500, 3}}, 260), no_index, cuts).set, 1000);
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

/// Joins nothing, in parts of ten sets.
class IdleSide final : public DeviceSide {
 public:
  void begin(const SetsView& /*sets*/, Stream& /*stream*/, Phases& /*phases*/) override {}
  void join(const BlockPair& /*pair*/, const SetsView& /*sets*/, Stream& /*stream*/, Phases& /*phases*/) override {}
  void join_probes(SetRange probes, std::span<const BlockPair> /*pairs*/, const SetsView& /*sets*/, Stream& /*stream*/,
                   Phases& /*phases*/) override {
    joined.push_back(probes);
  }
  [[nodiscard]] std::int64_t fair_sample() const override { return 10; }
  void finish(Stream& /*stream*/, Phases& /*phases*/) override {}
  void download(SetSimilarityJoin::Answer& /*answer*/, Stream& /*stream*/) override {}
  [[nodiscard]] std::map<std::string, double> counters() const override { return {}; }

  std::vector<SetRange> joined;
};

/// A part costs about as much however few sets it has: one that is cut short would say that sets are dear.
TEST(Calibration, SamplesWholePartsOfTheDevice) {
  for (const std::size_t count : {119U, 120U, 121U, 129U, 300U, 301U}) {
    const datasets::SetCollection collection = testing::similar_sets(17, {.count = count});
    const CpuCosts costs(input_of(collection), 1);
    SCOPED_TRACE(costs.sets.count());
    IdleSide side;
    const DeviceCost cost = costs.calibration->cost_of(side);
    EXPECT_GE(cost.least_seconds, 0);
    if (costs.sets.count() < 120) {
      EXPECT_EQ(cost.samples.size(), 6U) << "what is left behind sixths of all";
      continue;
    }
    ASSERT_EQ(cost.samples.size(), 12U);
    for (const SetRange probes : side.joined) EXPECT_EQ(probes.count(), 10);
    EXPECT_EQ(cost.samples.front().set, 5);
    EXPECT_EQ(cost.samples.back().set, costs.sets.count() / 10 * 10 - 5);
  }
}

}  // namespace
}  // namespace warpbench::similarity
