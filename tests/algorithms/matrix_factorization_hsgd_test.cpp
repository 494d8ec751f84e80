// hsgd and hsgd-star: they learn as serial descent does, all of hsgd-star's blocks are updated equally often, and its
// cost models are measured once.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "algorithms/matrix_factorization/hsgd/device_ratings.hpp"
#include "datasets/input_error.hpp"
#include "device/device.hpp"
#include "device/error.hpp"
#include "problems/matrix_factorization/problem.hpp"
#include "solvers/matrix_factorization/cost_file.hpp"
#include "solvers/solver.hpp"
#include "tests/problems/support/factorization_solvers.hpp"
#include "tests/problems/support/ratings.hpp"

namespace warpbench {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSeed = 20236;

using testing::planted;
using testing::Ratings;
using testing::ratings_of;
using Given = std::map<std::string, Value>;
using Input = MatrixFactorization::Input;
using Prepared = testing::PreparedFactorization;

/// `ratings` outlives it.
Input input_of(const Ratings& ratings) {
  return testing::factorization_input(ratings, 12, 6);
}

Given with(Given given, const Given& more) {
  given.insert(more.begin(), more.end());
  return given;
}

struct Point {
  std::string solver;
  Given given;
};

std::vector<Point> points() {
  std::vector<Point> all;
  for (const bool half_precision : {true, false}) {
    for (const char* residency : {"streamed", "resident"}) {
      const Given both{{"threads", 3}, {"workers", 4}, {"half_precision", half_precision}, {"residency", residency}};
      all.push_back({"hsgd", both});
      all.push_back({"hsgd-star", with(both, {{"share", 0.5}, {"dynamic", false}})});
      all.push_back({"hsgd-star", with(both, {{"share", 0.6}, {"cpu_bands", 2}, {"order", "user"}})});
    }
  }
  all.push_back({"hsgd-star", {{"threads", 3}, {"workers", 4}, {"residency", "resident"}, {"rehearsal", true}}});
  all.push_back({"hsgd", {{"threads", 1}}});
  all.push_back({"hsgd-star", {{"threads", 1}, {"share", 0.5}}});
  all.push_back({"hsgd-star", {{"threads", 2}, {"share", 1.0}, {"dynamic", false}}});
  all.push_back({"hsgd-star", {{"threads", 2}, {"share", 1.0}}});
  all.push_back({"hsgd-star", {{"threads", 2}, {"share", 1e-9}}});
  return all;
}

/// A cache of its own while it lives.
class OwnCache {
 public:
  OwnCache() : folder_(fs::temp_directory_path() / ("hsgd-cache-" + std::to_string(::getpid()))) {
    if (const char* const before = std::getenv("WARPBENCH_CACHE")) before_ = before;
    EXPECT_EQ(::setenv("WARPBENCH_CACHE", folder_.c_str(), 1), 0);
  }
  OwnCache(const OwnCache&) = delete;
  OwnCache& operator=(const OwnCache&) = delete;
  ~OwnCache() {
    EXPECT_EQ(before_.empty() ? ::unsetenv("WARPBENCH_CACHE") : ::setenv("WARPBENCH_CACHE", before_.c_str(), 1), 0);
    fs::remove_all(folder_);
  }

  [[nodiscard]] const fs::path& folder() const { return folder_; }
  [[nodiscard]] std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    if (!fs::exists(folder_ / "cost-models")) return all;
    for (const auto& entry : fs::directory_iterator(folder_ / "cost-models")) all.push_back(entry.path());
    return all;
  }

 private:
  fs::path folder_;
  std::string before_;
};

/// Why there may be no file.
constexpr const char* kBusy = "models that fit too badly are not kept: is the machine busy?";

class Hybrid : public ::testing::TestWithParam<Point> {
  OwnCache cache_;  // one of the points measures costs
};

TEST_P(Hybrid, LearnsLikeTheReference) {
  const Ratings ratings = planted(60, 50, 1200, kSeed);
  const Input input = input_of(ratings);
  static const auto reference = MatrixFactorization::reference(input, std::numeric_limits<double>::infinity());
  Prepared prepared(GetParam().solver, input, GetParam().given);
  const MatrixFactorization::Answer answer = prepared.solve();
  const Judgement judgement = MatrixFactorization::judge(input, answer, reference);
  ASSERT_EQ(judgement.verdict, Verdict::approximate) << judgement.difference;
  // Workers that overwrite each other cost a little. hsgd may leave blocks out for iterations (yu2023, Fig. 3.12).
  const double allowed = GetParam().solver == "hsgd" ? reference.high.front() : 1.15 * reference.high.back();
  EXPECT_LT(answer.rmse.back(), allowed) << "seed " << kSeed;
  EXPECT_GT(answer.rmse.back(), 0.85 * reference.low.back()) << "seed " << kSeed;
  const std::vector<double> before = answer.rmse;
  const std::vector<double> again = prepared.solve().rmse;
  EXPECT_EQ(again.size(), before.size());
  if (GetParam().solver == "hsgd") {
    // The first iteration leaves out other blocks in every training, so its RMSE varies. A second training that kept
    // the learnt factors would begin below the RMSE with which the first one ended.
    EXPECT_GT(again.front(), before.back()) << "begins anew; seed " << kSeed;
    EXPECT_GE(prepared.counter("updates_made"), 6 * 1200);
    return;
  }
  EXPECT_NEAR(again.front(), before.front(), 0.1 * before.front()) << "begins anew; seed " << kSeed;
  EXPECT_EQ(prepared.counter("fewest_updates_of_a_block"), 6);
  EXPECT_EQ(prepared.counter("most_updates_of_a_block"), 6);
  EXPECT_GT(prepared.counter("measured_cpu_s") + prepared.counter("measured_gpu_s"), 0);
}

/// Which no rating updates; in half precision they are rounded where they are brought to the device.
TEST_P(Hybrid, LeavesFactorsOfUsersAndItemsWithoutRatings) {
  Ratings ratings = planted(10, 8, 300, kSeed);
  ratings.shape = std::vector<std::uint64_t>{25, 21};
  Input input = input_of(ratings);
  input.iterations = 2;
  Prepared prepared(GetParam().solver, input, GetParam().given);
  const MatrixFactorization::Answer answer = prepared.solve();
  for (std::size_t i = 10 * 12; i < answer.p.size(); ++i) {
    EXPECT_NEAR(answer.p[i], matrix_factorization::initial_factor(input, 0, i), 1e-3) << "of P, " << i;
  }
  for (std::size_t i = 8 * 12; i < answer.q.size(); ++i) {
    EXPECT_NEAR(answer.q[i], matrix_factorization::initial_factor(input, 1, i), 1e-3) << "of Q, " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(MatrixFactorization, Hybrid, ::testing::ValuesIn(points()), [](const auto& point) {
  std::string name = std::to_string(point.index) + '_' + point.param.solver;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(HsgdStar, LeavesEachSideItsPartWithoutDynamicScheduling) {
  const Ratings ratings = planted(60, 50, 1500, kSeed);
  const Input input = input_of(ratings);
  Prepared prepared("hsgd-star", input, {{"threads", 3}, {"share", 0.5}, {"dynamic", false}});
  (void)prepared.solve();
  EXPECT_EQ(prepared.counter("blocks_stolen_by_cpu"), 0);
  EXPECT_EQ(prepared.counter("blocks_stolen_by_gpu"), 0);
  EXPECT_EQ(prepared.counter("share"), 0.5);
  EXPECT_GT(prepared.counter("cpu_busy_share"), 0);
  EXPECT_LT(prepared.counter("cpu_busy_share"), 1);
  EXPECT_GT(prepared.counter("measured_cpu_s"), 0);
  EXPECT_GT(prepared.counter("measured_gpu_s"), 0);
  EXPECT_FALSE(prepared.solver->counters().contains("predicted_gpu_s")) << "the share was given";
}

/// Without a part of its own a side has only what it takes of the other's.
TEST(HsgdStar, HelpsTheOtherSide) {
  const Ratings ratings = planted(60, 50, 1500, kSeed);
  const Input input = input_of(ratings);
  Prepared gpu_alone("hsgd-star", input, {{"threads", 3}, {"share", 1.0}});
  (void)gpu_alone.solve();
  EXPECT_GT(gpu_alone.counter("blocks_stolen_by_cpu"), 0);
  EXPECT_EQ(gpu_alone.counter("blocks_stolen_by_gpu"), 0);
  EXPECT_EQ(gpu_alone.counter("fewest_updates_of_a_block"), 6);
}

TEST(Hybrid, TakesMoreThreadsThanRatings) {
  for (const bool is_single : {false, true}) {
    const auto train =
        is_single ? std::vector<testing::OneRating>{{4, 5, 3}} : std::vector<testing::OneRating>{{4, 5, 3}, {9, 1, 4}};
    const Ratings ratings = ratings_of(30, 20, train, {{4, 5, 3}});
    const Input input = input_of(ratings);
    Prepared hsgd("hsgd", input, {{"threads", 16}});
    EXPECT_TRUE(std::isfinite(hsgd.solve().rmse.back()));
    EXPECT_EQ(hsgd.counter("threads"), is_single ? 1 : 2);
    Prepared star("hsgd-star", input, {{"threads", 16}, {"share", 0.5}, {"cpu_bands", 16}});
    EXPECT_TRUE(std::isfinite(star.solve().rmse.back()));
    EXPECT_EQ(star.counter("threads"), 1) << "already then there are more blocks than ratings";
  }
}

/// Within a parallel region OpenMP gives one thread, however many are asked for.
TEST(Hybrid, SaysHowManyThreadsItHad) {
  const Ratings ratings = planted(60, 50, 1500, kSeed);
  const Input input = input_of(ratings);
  Prepared star("hsgd-star", input, {{"threads", 3}, {"share", 0.5}});
  Prepared hsgd("hsgd", input, {{"threads", 3}});
  for (Prepared* const prepared : {&star, &hsgd}) {
    (void)prepared->solve();
    EXPECT_EQ(prepared->counter("threads"), 3);
#pragma omp parallel num_threads(2)
#pragma omp single
    (void)prepared->solve();
    EXPECT_EQ(prepared->counter("threads"), 1);
  }
}

/// R_g has whole users, so that its share is not quite the one asked for.
TEST(HsgdStar, SaysWhatTheGpuGot) {
  const Ratings ratings = planted(60, 50, 3000, kSeed);
  const Input input = input_of(ratings);
  Prepared star("hsgd-star", input, {{"threads", 2}, {"share", 0.123456}});
  (void)star.solve();
  EXPECT_EQ(star.counter("share"), 0.123456);
  EXPECT_NEAR(star.counter("gpu_ratings_share"), 0.123456, 0.05);
  const double ratings_of_gpu = star.counter("gpu_ratings_share") * static_cast<double>(ratings.train.count());
  EXPECT_NEAR(ratings_of_gpu, std::round(ratings_of_gpu), 1e-6);
  for (const char* solver : {"hsgd", "hsgd-star"}) {
    const Given share = solver == std::string("hsgd") ? Given{} : Given{{"share", 0.5}};
    Prepared prepared(solver, input, with(share, {{"threads", 1}}));
    (void)prepared.solve();
    EXPECT_GE(prepared.counter("fewest_gpu_workers"), 1) << solver;
    EXPECT_LE(prepared.counter("fewest_gpu_workers"), prepared.counter("gpu_workers")) << solver;
    EXPECT_LE(prepared.counter("gpu_workers"), 25) << solver << ": half of the items";
  }
}

/// The first factors' way to the device is none of the training's, that of the last ones back is the download's: as of
/// cumf-sgd.
TEST(Hybrid, MovesFactorsWhereCumfSgdDoes) {
  const Ratings ratings = planted(60, 50, 1500, kSeed);
  Input input = input_of(ratings);
  const std::vector<std::pair<std::string, Given>> points{
      {"hsgd-star", {{"threads", 2}, {"share", 1.0}, {"dynamic", false}}}, {"cumf-sgd", {{"workers", 4}}}};
  for (const auto& [solver, given] : points) {
    input.iterations = 1;
    Prepared prepared(solver, input, given);
    prepared.solver->upload(prepared.phases);
    prepared.solver->solve(prepared.phases);
    MatrixFactorization::Answer answer;
    fail_call(1);
    EXPECT_THROW(prepared.solver->download(answer, prepared.phases), DeviceError) << solver;
    input.iterations = 0;
    Prepared untrained(solver, input, given);
    untrained.solver->upload(untrained.phases);
    fail_call(1);
    EXPECT_THROW(untrained.solver->solve(untrained.phases), DeviceError) << solver;
    fail_call(0);
  }
}

/// Without dynamic scheduling the GPU never updates by those of R_c.
TEST(HsgdStar, BringsOnlyTheRatingsThatTheGpuMayUpdateBy) {
  const Ratings ratings = planted(60, 50, 3000, kSeed);
  const Input input = input_of(ratings);
  const auto bytes_for = [&](bool is_dynamic) {
    Prepared prepared("hsgd-star", input,
                      {{"threads", 2}, {"share", 0.2}, {"residency", "resident"}, {"dynamic", is_dynamic}});
    const std::int64_t before = memory_in_use();
    prepared.solver->upload(prepared.phases);
    return memory_in_use() - before;
  };
  const auto all = ratings.train.count() * std::int64_t{sizeof(matrix_factorization::Rating)};
  EXPECT_GE(bytes_for(true), all);
  EXPECT_LT(bytes_for(false), all / 3);
}

/// In the midst of an iteration, while threads wait for the GPU's bands.
TEST(Hybrid, EndsWhereTheDeviceFails) {
  const Ratings ratings = planted(60, 50, 1500, kSeed);
  const Input input = input_of(ratings);
  for (const std::int64_t call : {2, 5, 9, 30}) {
    Prepared star("hsgd-star", input, {{"threads", 3}, {"share", 0.7}, {"dynamic", false}});
    fail_call(call);
    EXPECT_THROW((void)star.solve(), DeviceError) << "call " << call;
    Prepared hsgd("hsgd", input, {{"threads", 3}});
    fail_call(call);
    // On a busy machine its threads may leave the GPU too few blocks for that many calls in one training.
    const auto trainings = [&] {
      for (int training = 0; training < 1000; ++training) (void)hsgd.solve();
    };
    EXPECT_THROW(trainings(), DeviceError) << "call " << call;
    fail_call(0);
  }
}

/// A GPU's whole row in a column is one range, of the ratings of all its blocks; so is each block.
TEST(DeviceRatings, HasTheRatingsOfTheGrid) {
  using namespace matrix_factorization;
  const Ratings ratings = planted(60, 50, 1500, kSeed);
  const GridPlan plan{random_places(60, 1), random_places(50, 2), even_bands(60, 5), even_bands(50, 4)};
  const RatingGrid grid(ratings.train, plan, RatingOrder::user, 3);
  const std::vector<std::int64_t> parts{0, 3, 4, 5};
  const auto key = [](const Rating& rating) { return std::tuple(rating.user, rating.item, rating.value); };
  for (const RatingOrder order : {RatingOrder::random, RatingOrder::user_and_random}) {
    const DeviceRatings taken(grid, parts, order, kSeed);
    for (const Task& task : {Task{0, 3, 2}, Task{1, 1, 2}, Task{4, 1, 0}}) {
      std::vector<Rating> expected;
      for (std::int64_t row = task.first_row; row < task.first_row + task.rows; ++row) {
        const std::span<const Rating> block = grid.ratings({row, task.column});
        expected.insert(expected.end(), block.begin(), block.end());
      }
      const std::span<const Rating> found = taken.on_host(task);
      std::vector<Rating> sorted(found.begin(), found.end());
      EXPECT_EQ(std::ranges::is_sorted(sorted, {}, &Rating::user), order == RatingOrder::user_and_random);
      EXPECT_FALSE(std::ranges::is_sorted(sorted, {}, key)) << "items at random";
      std::ranges::sort(sorted, {}, key);
      std::ranges::sort(expected, {}, key);
      EXPECT_TRUE(std::ranges::equal(sorted, expected, {}, key, key));
    }
  }
}

/// The device's limit while it lives.
struct OwnMemory {
  explicit OwnMemory(std::int64_t bytes) { set_memory_limit(bytes); }
  OwnMemory(const OwnMemory&) = delete;
  OwnMemory& operator=(const OwnMemory&) = delete;
  ~OwnMemory() { set_memory_limit(std::nullopt); }
};

TEST(Factorization, NamesWhatItPrepares) {
  const OwnCache cache;
  const Ratings ratings = planted(60, 50, 1500, kSeed);
  const Input input = input_of(ratings);
  const auto phases_of = [&](const char* id) {
    Prepared prepared(id, input, {});
    std::vector<std::string> names;
    for (const auto& [name, seconds] : prepared.phases.seconds()) names.push_back(name);
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(phases_of("sgd"), (Names{"sort", "take_memory"}));
  EXPECT_EQ(phases_of("cumf-sgd"), (Names{"pin", "sort", "take_memory"}));
  EXPECT_EQ(phases_of("hsgd"), (Names{"copy_ratings", "pin", "sort", "take_memory"}));
  EXPECT_EQ(phases_of("hsgd-star"), (Names{"copy_ratings", "measure_costs", "pin", "sort", "take_memory"}));
}

TEST(HsgdStar, MeasuresItsCostModelsInWhatMemoryThereIs) {
  const Ratings ratings = planted(60, 50, 1500, kSeed);
  Input input = input_of(ratings);
  input.k = 128;
  for (const char* residency : {"streamed", "resident"}) {
    const OwnCache cache;
    const OwnMemory memory(400 << 10);
    Prepared prepared("hsgd-star", input, {{"threads", 2}, {"residency", residency}});
    EXPECT_TRUE(prepared.phases.seconds().contains("measure_costs"));
    EXPECT_TRUE(std::isfinite(prepared.solve().rmse.back()));
  }
}

/// No file system takes so long a name.
TEST(HsgdStar, DoesWithoutACache) {
  const OwnCache cache;
  ASSERT_EQ(::setenv("WARPBENCH_CACHE", (cache.folder() / std::string(300, 'x')).c_str(), 1), 0);
  const Ratings ratings = planted(60, 50, 1500, kSeed);
  const Input input = input_of(ratings);
  for (int time = 0; time < 2; ++time) {
    Prepared prepared("hsgd-star", input, {{"threads", 2}});
    EXPECT_TRUE(prepared.phases.seconds().contains("measure_costs"));
    EXPECT_TRUE(std::isfinite(prepared.solve().rmse.back()));
  }
}

/// Models by which the GPU is as fast as the two threads together, by either kind.
TEST(HsgdStar, SharesRatingsAsTheFileOfCostModelsSays) {
  using namespace matrix_factorization;
  const OwnCache cache;
  const Ratings ratings = planted(60, 50, 1500, kSeed);
  const Input input = input_of(ratings);
  (void)Prepared("hsgd-star", input, {{"threads", 2}});
  ASSERT_FALSE(cache.files().empty()) << kBusy;
  CostModels models;
  models.cpu_parts = {{2e-6, 0}, 0.01};
  models.cpu_prefix = {{2e-6, 0}, 0.02};
  models.gpu_parts = {{1e-6, 0}, 0.03};
  models.copy_in = models.copy_out = {{Growth::sqrt_log, 0, 0, 0, 1, {1e-12, 0}}, 0.04};
  models.kernel = {{Growth::log, 0, 0, 0, 1, {1e-6, 0}}, 0.05};
  write_cost_models(cache.files().at(0), models, "by hand");
  for (const char* which : {"qilin", "tailored"}) {
    Prepared prepared("hsgd-star", input, {{"threads", 2}, {"cost_model", which}, {"dynamic", false}});
    (void)prepared.solve();
    EXPECT_NEAR(prepared.counter("share"), 0.5, 1e-3) << which;
    EXPECT_NEAR(prepared.counter("predicted_cpu_s"), 7.5e-4, 1e-5) << which;
    EXPECT_NEAR(prepared.counter("predicted_gpu_s"), 7.5e-4, 1e-5) << which;
    EXPECT_EQ(prepared.counter("cost_residual"), which == std::string("qilin") ? 0.03 : 0.05);
    EXPECT_GT(prepared.counter("measured_cpu_s"), 0);
    EXPECT_GT(prepared.counter("measured_gpu_s"), 0);
  }
}

/// Models by which the GPU has nearly all ratings. One worker is never fast enough for them: a task of it is long
/// against its launch, so that the sides do not end together by chance.
TEST(HsgdStar, CorrectsItsShareByARehearsal) {
  using namespace matrix_factorization;
  const Ratings ratings = planted(60, 50, 8000, kSeed);
  Input input = input_of(ratings);
  input.iterations = 2;
  const auto reference = MatrixFactorization::reference(input, std::numeric_limits<double>::infinity());
  CostModels models;
  models.cpu_parts = models.cpu_prefix = {{1e-3, 0}, 0.01};
  models.gpu_parts = {{1e-6, 0}, 0.03};
  models.copy_in = models.copy_out = {{Growth::sqrt_log, 0, 0, 0, 1, {1e-12, 0}}, 0.04};
  models.kernel = {{Growth::log, 0, 0, 0, 1, {1e-6, 0}}, 0.05};
  for (const char* residency : {"streamed", "resident"}) {
    SCOPED_TRACE(residency);
    const OwnCache cache;
    const Given given{{"threads", 2}, {"workers", 1}, {"residency", residency}};
    (void)Prepared("hsgd-star", input, given);
    ASSERT_FALSE(cache.files().empty()) << kBusy;
    write_cost_models(cache.files().at(0), models, "by hand");
    Prepared plain("hsgd-star", input, given);
    (void)plain.solve();
    EXPECT_GT(plain.counter("share"), 0.98);
    Prepared prepared("hsgd-star", input, with(given, {{"rehearsal", true}}));
    const MatrixFactorization::Answer answer = prepared.solve();
    EXPECT_TRUE(prepared.phases.seconds().contains("rehearse"));
    EXPECT_LT(prepared.counter("share"), 0.95) << "which the rehearsal begins with";
    EXPECT_NEAR(prepared.counter("gpu_ratings_share"), prepared.counter("share"), 0.06) << "divided again";
    EXPECT_EQ(prepared.counter("predicted_cpu_s"), prepared.counter("predicted_gpu_s"));
    EXPECT_EQ(prepared.counter("fewest_updates_of_a_block"), 2);
    EXPECT_EQ(prepared.counter("most_updates_of_a_block"), 2);
    const Judgement judgement = MatrixFactorization::judge(input, answer, reference);
    EXPECT_EQ(judgement.verdict, Verdict::approximate) << judgement.difference;
    EXPECT_LT(answer.rmse.back(), 1.15 * reference.high.back()) << "seed " << kSeed;

    Prepared told("hsgd-star", input, with(given, {{"rehearsal", true}, {"share", 0.9}}));
    EXPECT_FALSE(told.phases.seconds().contains("rehearse")) << "a share that is given stays";
  }
}

TEST(HsgdStar, MeasuresItsCostModelsOnce) {
  const OwnCache cache;
  const Ratings ratings = planted(60, 50, 1500, kSeed);
  const Input input = input_of(ratings);
  Prepared first("hsgd-star", input, {{"threads", 2}});
  EXPECT_TRUE(first.phases.seconds().contains("measure_costs"));
  (void)first.solve();
  EXPECT_GE(first.counter("share"), 0);
  EXPECT_LE(first.counter("share"), 1);
  ASSERT_EQ(cache.files().size(), 1U) << kBusy;
  Prepared second("hsgd-star", input, {{"threads", 2}, {"cost_model", "qilin"}});
  EXPECT_FALSE(second.phases.seconds().contains("measure_costs")) << "another model of the same file";
  Prepared other("hsgd-star", input, {{"threads", 2}, {"order", "user"}});
  EXPECT_TRUE(other.phases.seconds().contains("measure_costs")) << "another order, other times";
  ASSERT_EQ(cache.files().size(), 2U) << kBusy;

  std::ofstream(cache.files().front()) << "nonsense\n";
  std::ofstream(cache.files().back()) << "nonsense\n";
  EXPECT_THROW(Prepared("hsgd-star", input, {{"threads", 2}}), datasets::InputError);
}

}  // namespace
}  // namespace warpbench
