// cumf-sgd: one worker against serial descent, residencies and grids against each other, the plan of its transfers.
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

#include "algorithms/matrix_factorization/cumf_sgd/transfer_plan.hpp"
#include "device/device.hpp"
#include "device/error.hpp"
#include "device/mix64.hpp"
#include "problems/matrix_factorization/problem.hpp"
#include "solvers/matrix_factorization/cpu_update.hpp"
#include "solvers/matrix_factorization/device_update.hpp"
#include "solvers/matrix_factorization/factor_rows.hpp"
#include "solvers/solver.hpp"
#include "tests/problems/support/factorization_solvers.hpp"
#include "tests/problems/support/ratings.hpp"
#include "tests/support/memory_limit.hpp"

namespace warpbench::matrix_factorization {
namespace {

constexpr std::uint64_t kSeed = 20235;

using testing::planted;
using testing::Ratings;
using testing::ratings_of;
using Given = std::map<std::string, Value>;
using Input = MatrixFactorization::Input;

/// `ratings` outlives it.
Input input_of(const Ratings& ratings, std::int64_t iterations = 4) {
  return testing::factorization_input(ratings, 20, iterations);
}

struct Prepared : testing::PreparedFactorization {
  Prepared(const Input& input, const Given& given) : PreparedFactorization("cumf-sgd", input, given) {}
  /// P, Q and the RMSEs, one after the other.
  std::vector<float> solve() {
    answer = PreparedFactorization::solve();
    std::vector<float> all(answer.p.begin(), answer.p.end());
    all.insert(all.end(), answer.q.begin(), answer.q.end());
    all.insert(all.end(), answer.rmse.begin(), answer.rmse.end());
    return all;
  }

  MatrixFactorization::Answer answer;
};

void expect_near(const std::vector<float>& found, const std::vector<float>& expected, float tolerance,
                 const std::string& what) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], tolerance) << what << ", " << i;
}

class CumfSgdLearns : public ::testing::TestWithParam<Given> {};

TEST_P(CumfSgdLearns, LikeTheReference) {
  const Ratings ratings = planted(80, 60, 4000, kSeed);
  const Input input = input_of(ratings, 10);
  const auto reference = MatrixFactorization::reference(input, std::numeric_limits<double>::infinity());
  Prepared prepared(input, GetParam());
  (void)prepared.solve();
  const Judgement judgement = MatrixFactorization::judge(input, prepared.answer, reference);
  ASSERT_EQ(judgement.verdict, Verdict::approximate) << judgement.difference;
  for (std::size_t i = 0; i < prepared.answer.rmse.size(); ++i) {
    EXPECT_GT(prepared.answer.rmse[i], 0.9 * reference.low[i]) << "iteration " << i + 1 << ", seed " << kSeed;
    EXPECT_LT(prepared.answer.rmse[i], 1.1 * reference.high[i]) << "iteration " << i + 1 << ", seed " << kSeed;
  }
  EXPECT_LT(prepared.answer.rmse.back(), 0.8 * reference.mean_rmse.front());
}

/// A twentieth of the items at most are workers of a random order: more of them lose updates of each other's rows.
INSTANTIATE_TEST_SUITE_P(CumfSgd, CumfSgdLearns,
                         ::testing::Values(Given{{"workers", 3}},
                                           Given{{"workers", 3}, {"half_precision", false}, {"residency", "resident"}},
                                           Given{{"workers", 0}, {"residency", "resident"}, {"order", "user"}},
                                           Given{{"grid_rows", 3}, {"grid_columns", 4}}));

/// In the order of the ratings, which is the same for all residencies of one block.
TEST(CumfSgd, OfOneWorkerIsTheSameWhereverRatingsAre) {
  const Ratings ratings = planted(40, 30, 300, kSeed);
  const Input input = input_of(ratings);
  for (const char* order : {"random", "user"}) {
    Prepared resident(input, {{"workers", 1}, {"residency", "resident"}, {"half_precision", false}, {"order", order}});
    const std::vector<float> expected = resident.solve();
    Prepared streamed(input, {{"workers", 1}, {"residency", "streamed"}, {"half_precision", false}, {"order", order}});
    expect_near(streamed.solve(), expected, 1e-5F, "streamed");
    EXPECT_EQ(streamed.counter("rating_bytes_in"), 4 * 300 * 12);
    Prepared half(input, {{"workers", 1}, {"residency", "resident"}, {"half_precision", true}, {"order", order}});
    expect_near(half.solve(), expected, 0.02F, "fp16");
  }
}

/// Block by block. Segments of P and Q come and go, or all of them stay.
TEST(CumfSgd, OfOneWorkerIsTheSameWhetherFactorsStayOrMove) {
  const Ratings ratings = planted(40, 30, 300, kSeed);
  const Input input = input_of(ratings);
  const Given grid{{"workers", 1}, {"half_precision", false}, {"grid_rows", 2}, {"grid_columns", 5}};
  Prepared moving(input, grid);
  const std::vector<float> found = moving.solve();
  EXPECT_GT(moving.counter("factor_bytes_moved"), 0);
  // The same blocks in the same order, by the update on the CPU.
  const Input& in = input;
  GridPlan plan{random_places(40, mix64(in.seed, 2)), random_places(30, mix64(in.seed, 3)), even_bands(40, 2),
                even_bands(30, 5)};
  const RatingGrid blocks(ratings.train, plan, RatingOrder::random, mix64(in.seed, 4));
  FactorRows p(40, 20);
  FactorRows q(30, 20);
  p.begin(in, 0, plan.user_places);
  q.begin(in, 1, plan.item_places);
  for (int t = 0; t < 4; ++t) {
    for (std::int64_t row = 0; row < 2; ++row) {
      for (std::int64_t i = 0; i < 5; ++i) {
        update_function(kNoSimd)(blocks.ratings({row, row == 0 ? i : 4 - i}), {p.all().data(), q.all().data(), 32},
                                 {0.02F, 0.05F, 0.05F});
      }
    }
  }
  std::vector<float> expected(static_cast<std::size_t>(70 * 20));
  p.copy_to(std::span(expected).first(40 * 20), plan.user_places);
  q.copy_to(std::span(expected).subspan(40 * 20), plan.item_places);
  expect_near({found.begin(), found.begin() + 70 * 20}, expected, 1e-4F, "seed " + std::to_string(kSeed));
}

TEST(CumfSgd, CutsFactorsThatDoNotFitTheDevice) {
  const Ratings ratings = planted(400, 300, 4000, kSeed);
  const Input input = input_of(ratings);
  const std::int64_t factor_bytes = 700 * 32 * 4;
  const Given streamed{{"workers", 1}, {"half_precision", false}};
  const double expected = [&] {
    Prepared whole(input, streamed);
    (void)whole.solve();
    EXPECT_EQ(whole.counter("grid_rows"), 1);
    EXPECT_EQ(whole.counter("factor_bytes_moved"), 0);
    return whole.answer.rmse.back();
  }();
  const testing::MemoryLimit limit(memory_in_use() + factor_bytes);
  Prepared cut(input, streamed);
  (void)cut.solve();
  EXPECT_GT(cut.counter("grid_rows"), 1);
  EXPECT_NEAR(cut.answer.rmse.back(), expected, 0.05 * expected) << "seed " << kSeed;
  Prepared resident(input, {{"residency", "resident"}, {"half_precision", false}});
  EXPECT_THROW((void)resident.solve(), OutOfDeviceMemory);
}

TEST(CumfSgd, SaysHowManyWorkersItTook) {
  const Ratings ratings = planted(40, 30, 300, kSeed);
  const Input input = input_of(ratings, 1);
  Prepared prepared(input, {{"workers", 128}, {"residency", "resident"}});
  (void)prepared.solve();
  EXPECT_EQ(prepared.counter("workers"), std::min<std::int64_t>(3, resident_workers<Half>(32)))
      << "an eighth of the items";
}

/// Two users with two ratings each: by user, rows of P are loaded twice, not four times.
/// One user has nearly all ratings; for some of the seeds the block with the other user's comes last.
TEST(CumfSgd, SaysTheMostWorkersOfItsBlocks) {
  constexpr std::uint32_t kItems = 200;
  std::vector<testing::OneRating> train;
  for (std::uint32_t item = 0; item < kItems; ++item) train.push_back({0, item, 3});
  for (std::uint32_t item = 0; item < 32; ++item) train.push_back({1, item, 4});
  const Ratings ratings = ratings_of(kItems, kItems, train, {{0, 1, 3}});
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Input input = input_of(ratings, 1);
    input.seed = seed;
    Prepared prepared(input, {{"workers", 128}, {"grid_rows", 2}, {"grid_columns", 1}});
    (void)prepared.solve();
    EXPECT_EQ(prepared.counter("workers"), std::min<std::int64_t>(2, resident_workers<Half>(32)))
        << "for a piece, a third of the ratings; seed " << seed;
  }
}

TEST(CumfSgd, CountsTheBytesOfRowsThatStayInRegistersOnce) {
  const Ratings ratings = ratings_of(2, 4, {{0, 0, 3}, {1, 1, 3}, {0, 2, 3}, {1, 3, 3}}, {{0, 0, 3}});
  const Input input = input_of(ratings, 3);
  Prepared prepared(input, {{"order", "user"}, {"half_precision", false}});
  (void)prepared.solve();
  const int rows = 2 + 4;
  EXPECT_EQ(prepared.counter("bytes_moved"), 3 * (4 * 12 + 2 * rows * 32 * 4));
}

// ---- plan ----

constexpr std::int64_t kRow = 256;

TEST(TransferPlan, KeepsFactorsThatFit) {
  const TransferPlan plan = plan_transfers({1000, 800, 1'000'000, kRow, 0, 0}, std::int64_t{1} << 30);
  EXPECT_EQ(plan.rows, 1);
  EXPECT_EQ(plan.columns, 1);
  EXPECT_TRUE(plan.keeps_factors());
  EXPECT_EQ(plan.piece, 250'000) << "four pieces, so that copies and kernels overlap";
}

/// 1.0M x 0.6M, 250M ratings, 128 factors in single precision.
TEST(TransferPlan, StreamsRatingsAloneWhereFactorsFit) {
  const TransferPlan plan = plan_transfers({1'000'000, 600'000, 250'000'000, 512, 0, 0}, std::int64_t{2} << 30);
  EXPECT_TRUE(plan.keeps_factors());
  EXPECT_LE(1'600'000 * 512 + plan.piece * kPieceSlots * 12, std::int64_t{2} << 30);
}

TEST(TransferPlan, CutsFactorsThatDoNotFit) {
  const std::int64_t all = 1800 * kRow;
  for (const std::int64_t bytes : {all, all * 3 / 4, all / 2, all / 10}) {
    const TransferPlan plan = plan_transfers({1000, 800, 1'000'000, kRow, 0, 0}, bytes);
    EXPECT_FALSE(plan.keeps_factors());
    EXPECT_EQ(plan.p_slots, 2);
    EXPECT_GE(plan.q_slots, 3);
    const std::int64_t rows =
        plan.p_slots * ((1000 + plan.rows - 1) / plan.rows) + plan.q_slots * ((800 + plan.columns - 1) / plan.columns);
    EXPECT_LE(rows * kRow + plan.piece * kPieceSlots * 12, bytes);
  }
}

TEST(TransferPlan, TakesTheGridThatIsAskedFor) {
  const TransferPlan plan = plan_transfers({1000, 800, 1'000'000, kRow, 4, 9}, std::int64_t{1} << 30);
  EXPECT_EQ(plan.rows, 4);
  EXPECT_EQ(plan.columns, 9);
  EXPECT_EQ(plan.p_slots, 2);
  EXPECT_EQ(plan.q_slots, 3);
}

TEST(TransferPlan, SaysWhenMemoryIsShort) {
  EXPECT_THROW((void)plan_transfers({1000, 800, 1'000'000, kRow, 0, 0}, 4 * kRow), OutOfDeviceMemory);
  EXPECT_THROW((void)plan_transfers({1000, 800, 1'000'000, kRow, 1, 1}, 1000 * kRow), OutOfDeviceMemory);
}

}  // namespace
}  // namespace warpbench::matrix_factorization
