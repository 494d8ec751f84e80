// The base of the solvers of matrix_factorization: first factors, what an iteration reports, the answer.
#pragma once

#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "problems/matrix_factorization/problem.hpp"
#include "solvers/matrix_factorization/cpu_update.hpp"
#include "solvers/matrix_factorization/factor_rows.hpp"
#include "solvers/matrix_factorization/rating_grid.hpp"
#include "solvers/solver.hpp"

namespace warpbench::matrix_factorization {

/// A solver says where users and items are kept, and what an iteration does. One that keeps P and Q elsewhere than in
/// p() and q() also says how they come back.
class DescentSolver : public Solver<MatrixFactorization> {
 public:
  void prepare(const Input& input, Phases& phases) final {
    input_ = &input;
    before_sort(phases);
    sort_all(phases);
    {
      const auto scope = phases.cpu("take_memory");
      p_ = FactorRows(input.users(), input.k);
      q_ = FactorRows(input.items(), input.k);
      answer_p_.resize(static_cast<std::size_t>(input.users() * input.k));
      answer_q_.resize(static_cast<std::size_t>(input.items() * input.k));
    }
    after_sort(phases);
    if (!rehearse(phases)) return;
    sort_all(phases);
    after_sort(phases);
  }

  /// First factors, their way to where they are trained, and RMSEs are none of the training's time.
  void solve(Phases& phases) final {
    {
      const auto scope = phases.untimed("first_factors");
      rmse_.clear();
      seconds_.clear();
      begin_factors();
      start_over();
    }
    double seconds = 0;
    for (std::int64_t t = 0; t < input_->iterations; ++t) {
      const UpdateRule rule{input_->rate_of(t), static_cast<float>(input_->lambda_p),
                            static_cast<float>(input_->lambda_q)};
      {
        const auto scope = phases.cpu("train");
        const auto start = std::chrono::steady_clock::now();
        iterate(rule, phases);
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      }
      const auto scope = phases.untimed("rmse");
      seconds_.push_back(seconds);
      rmse_.push_back(current_rmse());
    }
  }

  void download(Answer& answer, Phases& phases) final {
    const auto scope = phases.cpu("copy");
    collect();
    p_.copy_to(answer_p_, plan_.user_places);
    q_.copy_to(answer_q_, plan_.item_places);
    answer = {answer_p_, answer_q_, rmse_, seconds_};
  }
  /// The factors stay; without the RMSEs that were reported of them they are a wrong answer.
  void forget() final { rmse_.clear(); }

 protected:
  /// Called first, with input() set.
  virtual void before_sort(Phases& /*phases*/) {}
  /// Sorts the training ratings; the result says where rows are kept.
  virtual GridPlan sort(const Input& input) = 0;
  /// Called when p() and q() have their memory, and plan() is known.
  virtual void after_sort(Phases& /*phases*/) {}
  /// Called when all is prepared. True where sort() would divide the matrix better by what was learned here: it is
  /// called again, and so is after_sort().
  virtual bool rehearse(Phases& /*phases*/) { return false; }
  /// Called before the first iteration of each solve, with the first factors in p() and q(): the place to bring those
  /// that stay on a device there.
  virtual void start_over() {}
  /// As many updates as there are training ratings, all of them done when it returns.
  virtual void iterate(const UpdateRule& rule, Phases& phases) = 0;
  /// Brings the factors to p() and q(): after each iteration, untimed, and again as part of the download.
  virtual void collect() {}

  [[nodiscard]] const Input& input() const { return *input_; }
  [[nodiscard]] const GridPlan& plan() const { return plan_; }
  [[nodiscard]] FactorRows& p() { return p_; }
  [[nodiscard]] FactorRows& q() { return q_; }
  /// Of the test ratings by the factors as they are now, which it collects.
  double current_rmse() {
    collect();
    return rmse_of(test_, p_.all(), q_.all(), p_.stride());
  }
  /// Fills p() and q() with the first factors.
  void begin_factors() {
    p_.begin(*input_, 0, plan_.user_places);
    q_.begin(*input_, 1, plan_.item_places);
  }

 private:
  void sort_all(Phases& phases) {
    const auto scope = phases.cpu("sort");
    plan_ = sort(*input_);
    test_ = placed(input_->ratings->test);
  }
  /// The list by rows of p_ and q_.
  [[nodiscard]] datasets::RatingList placed(const datasets::RatingList& list) const {
    std::vector<std::uint32_t> users(list.users.begin(), list.users.end());
    std::vector<std::uint32_t> items(list.items.begin(), list.items.end());
    for (std::uint32_t& user : users) user = plan_.user_places[user];
    for (std::uint32_t& item : items) item = plan_.item_places[item];
    return {std::move(users), std::move(items), list.values};
  }

  const Input* input_ = nullptr;
  GridPlan plan_;
  FactorRows p_;
  FactorRows q_;
  datasets::RatingList test_;
  std::vector<float> answer_p_;
  std::vector<float> answer_q_;
  std::vector<double> rmse_;
  std::vector<double> seconds_;
};

}  // namespace warpbench::matrix_factorization
