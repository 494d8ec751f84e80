// The base of the CPU solvers of matrix_factorization: P and Q, what an iteration reports, the answer.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "problems/matrix_factorization/problem.hpp"
#include "solvers/matrix_factorization/cpu_update.hpp"
#include "solvers/matrix_factorization/factor_rows.hpp"
#include "solvers/matrix_factorization/rating_grid.hpp"
#include "solvers/solver.hpp"

namespace warpbench::matrix_factorization {

/// A solver says where users and items are kept, and what an iteration does.
class CpuSolver : public Solver<MatrixFactorization> {
 public:
  explicit CpuSolver(const Parameters& parameters) { take(parameters); }

  void configure(const Parameters& parameters) final { take(parameters); }

  void prepare(const Input& input, Phases& phases) final {
    const auto scope = phases.cpu("sort");
    input_ = &input;
    plan_ = sort(input);
    p_ = FactorRows(input.users(), input.k);
    q_ = FactorRows(input.items(), input.k);
    answer_p_.resize(static_cast<std::size_t>(input.users() * input.k));
    answer_q_.resize(static_cast<std::size_t>(input.items() * input.k));
    test_ = placed(input.ratings->test);
  }

  /// First factors and RMSEs are none of the training's time.
  void solve(Phases& phases) final {
    {
      const auto scope = phases.untimed("first_factors");
      p_.begin(*input_, 0, plan_.user_places);
      q_.begin(*input_, 1, plan_.item_places);
      rmse_.clear();
      seconds_.clear();
      start_over();
    }
    double seconds = 0;
    for (std::int64_t t = 0; t < input_->iterations; ++t) {
      const UpdateRule rule{input_->rate_of(t), static_cast<float>(input_->lambda_p),
                            static_cast<float>(input_->lambda_q)};
      {
        const auto scope = phases.cpu("train");
        const auto start = std::chrono::steady_clock::now();
        iterate(rule);
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      }
      const auto scope = phases.untimed("rmse");
      seconds_.push_back(seconds);
      rmse_.push_back(rmse_of(test_, p_.all(), q_.all(), p_.stride()));
    }
  }

  void download(Answer& answer, Phases& phases) final {
    const auto scope = phases.cpu("copy");
    p_.copy_to(answer_p_, plan_.user_places);
    q_.copy_to(answer_q_, plan_.item_places);
    answer = {answer_p_, answer_q_, rmse_, seconds_};
  }

 protected:
  /// Sorts the training ratings; the result says where rows are kept.
  virtual GridPlan sort(const Input& input) = 0;
  /// Called before the first iteration of each solve.
  virtual void start_over() {}
  /// As many updates as there are training ratings.
  virtual void iterate(const UpdateRule& rule) = 0;

  [[nodiscard]] const Parameters& parameters() const { return parameters_; }
  [[nodiscard]] const Input& input() const { return *input_; }
  void update(std::span<const Rating> ratings, const UpdateRule& rule) { update_(ratings, factors(), rule); }

 private:
  void take(const Parameters& parameters) {
    update_ = update_function(simd_from(parameters.text("simd")));
    parameters_ = parameters;
  }
  [[nodiscard]] FactorView factors() { return {p_.all().data(), q_.all().data(), p_.stride()}; }

  /// The list by rows of p_ and q_.
  [[nodiscard]] datasets::RatingList placed(const datasets::RatingList& list) const {
    std::vector<std::uint32_t> users(list.users.begin(), list.users.end());
    std::vector<std::uint32_t> items(list.items.begin(), list.items.end());
    for (std::uint32_t& user : users) user = plan_.user_places[user];
    for (std::uint32_t& item : items) item = plan_.item_places[item];
    return {std::move(users), std::move(items), list.values};
  }

  Parameters parameters_;
  UpdateFunction update_ = nullptr;
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

inline ParameterSpec update_simd_parameter() {
  return simd_parameter("vector instructions of an update");
}

}  // namespace warpbench::matrix_factorization
