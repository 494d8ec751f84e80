// Solvers of matrix_factorization that are programs of their own, with a small Python program in their place.
#include "baselines/matrix_factorization/external.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <stdexcept>
#include <string>

#include "tests/problems/support/ratings.hpp"

namespace warpbench::matrix_factorization {
namespace {

using testing::Ratings;
using testing::ratings_of;
using Input = MatrixFactorization::Input;

/// Reads the ratings, takes 10 ms for each iteration, and answers P and Q of ones times the mean rating over k. Lines
/// of `at_the_end` come before P and Q are written, `before_answer` after it.
std::string program_text(const std::string& at_the_end, const std::string& before_answer) {
  return R"(import array, json, math, sys, time
def say(message):
    print(json.dumps(message), flush=True)
    if "clock" in message: sys.stdin.readline()  # the clock is confirmed
def read(path, kind):
    values = array.array(kind)
    with open(path, "rb") as file: values.frombytes(file.read())
    return values
say({"ready": "fake 1"})
for line in sys.stdin:
    request = json.loads(line)["solve"]
    folder, k, n = request["folder"], request["task"]["k"], request["task"]["iterations"]
    users, items = read(folder + "/train_users.u32", "I"), read(folder + "/test_items.u32", "I")
    users_of_test, ratings = read(folder + "/test_users.u32", "I"), read(folder + "/test_values.f32", "f")
    values = read(folder + "/train_values.f32", "f")
    time.sleep(0.03)
    for i in range(n):
        say({"clock": True}); time.sleep(0.01); say({"clock": False}); time.sleep(0.01)
    p = array.array("f", [sum(values) / len(values) / k]) * (request["users"] * k)
    q = array.array("f", [1.0]) * (request["items"] * k)
    assert list(users) == [0, 2, 3] and list(items) == [1, 0] and request["parameters"]["threads"] == 3
)" + at_the_end +
         R"(
    for name, factors in (("p", p), ("q", q)):
        with open(folder + "/" + name + ".f32", "wb") as file: factors.tofile(file)
    rows = zip(users_of_test, items)
    products = [(sum(a * b for a, b in zip(p[u*k:u*k+k], q[v*k:v*k+k])), r) for (u, v), r in zip(rows, ratings)]
    rmse = [0.75] * (n - 1) + [(sum((a - r) ** 2 for a, r in products) / len(products)) ** 0.5]
)" + before_answer +
         R"(
    say({"answered": {"rmse": rmse}})
)";
}

constexpr const char* kUserOneIsNew = "    p[k:2*k] = array.array('f', [math.nan]) * k";

class ExternalFactorizations : public ::testing::Test {
 protected:
  ExternalFactorizations() {
    input_.ratings = &ratings_;
    input_.k = 2;
    input_.iterations = 3;
    input_.mean = ratings_.mean();
  }

  MatrixFactorization::Answer solve(const std::string& at_the_end = "", const std::string& before_answer = "") {
    std::ofstream(folder_.path() / "program.py") << program_text(at_the_end, before_answer);
    const Parameters parameters({parameter("threads", 3)}, {});
    solver_ =
        std::make_unique<ExternalFactorization>("python3 " + (folder_.path() / "program.py").string(), parameters);
    solver_->prepare(input_, phases_);
    MatrixFactorization::Answer answer;
    solver_->solve_with_transfers(answer, phases_);
    return answer;
  }

  [[nodiscard]] Judgement judged(const MatrixFactorization::Answer& answer) const {
    return MatrixFactorization::judge(input_, answer, MatrixFactorization::reference(input_, 0));
  }

  TemporaryFolder folder_;
  Ratings ratings_ = ratings_of(4, 3, {{0, 0, 2}, {2, 1, 3}, {3, 2, 4}}, {{0, 1, 3}, {1, 0, 3}});
  Input input_;
  Phases phases_;
  std::unique_ptr<ExternalFactorization> solver_;
};

TEST_F(ExternalFactorizations, IsJudgedByTheFactorsOfTheProgram) {
  const MatrixFactorization::Answer answer = solve(kUserOneIsNew, "    rmse[-1] = 7.5");
  ASSERT_EQ(answer.p.size(), 8U);
  ASSERT_EQ(answer.q.size(), 6U);
  EXPECT_EQ(answer.p[0], 1.5F);
  EXPECT_EQ(answer.q[5], 1.0F);
  EXPECT_EQ(answer.p[2], initial_factor(input_, 0, 2)) << "user 1 was never seen";
  ASSERT_EQ(answer.rmse.size(), 3U);
  EXPECT_EQ(answer.rmse.front(), 0.75) << "as reported";
  EXPECT_EQ(answer.rmse.back(), rmse_of(ratings_.test, answer.p, answer.q, 2))
      << "the program predicts in its own way where it has no factors";
  EXPECT_EQ(judged(answer).verdict, Verdict::approximate) << judged(answer).difference;
}

TEST_F(ExternalFactorizations, MayRoundTheLastRmse) {
  const MatrixFactorization::Answer answer = solve("", "    rmse[-1] = rmse[-1] * 1.0005");
  EXPECT_EQ(answer.rmse.back(), rmse_of(ratings_.test, answer.p, answer.q, 2));
  EXPECT_EQ(judged(answer).verdict, Verdict::approximate) << judged(answer).difference;
}

TEST_F(ExternalFactorizations, MayLeaveOutTheLastRmse) {
  const MatrixFactorization::Answer answer = solve("", "    rmse.pop()");
  ASSERT_EQ(answer.rmse.size(), 3U);
  EXPECT_EQ(answer.rmse.back(), rmse_of(ratings_.test, answer.p, answer.q, 2));
  EXPECT_EQ(judged(answer).verdict, Verdict::approximate) << judged(answer).difference;
  EXPECT_EQ(judged(solve("", "    rmse = rmse[:-2]")).verdict, Verdict::wrong) << "the last alone";
}

TEST_F(ExternalFactorizations, IsWrongWhereItsLastRmseIsNotThatOfItsFactors) {
  const Judgement better = judged(solve("    p[0] += 1", "    rmse[-1] = rmse[-1] * 0.9"));
  EXPECT_EQ(better.verdict, Verdict::wrong);
  EXPECT_NE(better.difference.find("expected the RMSE of P and Q"), std::string::npos) << better.difference;
  const Judgement none = judged(solve(kUserOneIsNew, "    rmse[-1] = None"));
  EXPECT_EQ(none.verdict, Verdict::wrong);
  EXPECT_NE(none.difference.find("expected a finite RMSE"), std::string::npos) << none.difference;
}

TEST_F(ExternalFactorizations, RefusesFactorsOfAnEarlierRequest) {
  const std::string only_once = R"(
    if "asked" in globals():
        say({"answered": {"rmse": [0.75] * n}})
        continue
    asked = True)";
  static_cast<void>(solve(only_once));
  EXPECT_THROW(solver_->solve(phases_), std::runtime_error);
}

TEST_F(ExternalFactorizations, IsTimedWhileItsClockRuns) {
  const MatrixFactorization::Answer answer = solve();
  ASSERT_EQ(answer.seconds.size(), 3U);
  EXPECT_GE(answer.seconds[0], 0.008);
  EXPECT_GE(answer.seconds[2], answer.seconds[0] + 0.016);
  EXPECT_LE(answer.seconds[2], phases_.seconds().at("train"));
  EXPECT_GE(phases_.untimed_seconds().at("program"), 0.05) << "what it does before, between and after";
}

TEST_F(ExternalFactorizations, TellsWhichProgramItRan) {
  static_cast<void>(solve());
  EXPECT_EQ(solver_->facts().at("program"), "fake 1");
}

TEST_F(ExternalFactorizations, RefusesAnAnswerThatIsNone) {
  EXPECT_THROW(solve("    q = q[1:]"), std::runtime_error);
  EXPECT_THROW(solve("    say({'clock': False})"), std::runtime_error);
  EXPECT_THROW(solve("    say({'clock': True})"), std::runtime_error) << "an answer while the clock runs";
  EXPECT_THROW(solve("    raise ValueError"), std::runtime_error);
  EXPECT_THROW(solve("    say({'unsupported': 'x'})"), Unsupported);
}

}  // namespace
}  // namespace warpbench::matrix_factorization
