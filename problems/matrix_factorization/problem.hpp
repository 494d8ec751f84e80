// Matrix factorization (yu2023 §3.1): a sparse matrix R of ratings, m users by n items, is approximated by P Q, with
// a row of k factors for each user in P and for each item in Q, so that p_u · q_i is near the rating that u gives i.
//
// All solvers learn by stochastic gradient descent with one rule (Algorithm 1). For a rating r of item i by user u:
//
//   e = r - p_u · q_i;   p_u += γ (e q_i - λ_P p_u);   q_i += γ (e p_u - λ_Q q_i),   both with the old p_u and q_i.
//
// Algorithm 1 reads as if q_i took the new p_u; LIBMF and cuMF_SGD, whose code the document embeds, take the old one.
// An iteration updates by each training rating once. All solvers begin with the factors of initial_factor(). How good
// an answer is, its RMSE tells; in which order ratings were taken, and so its last digits, is the solver's affair.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "datasets/ratings.hpp"
#include "problems/rules.hpp"

namespace warpbench {

struct MatrixFactorization {
  static ProblemInfo info();

  enum class Rate { fixed, decay };

  struct Input {
    const datasets::Ratings* ratings = nullptr;
    std::int64_t k = 128;
    double lambda_p = 0.05;
    double lambda_q = 0.05;
    double gamma = 0.005;
    Rate rate = Rate::fixed;
    double decay = 0.3;  ///< of Rate::decay
    std::int64_t iterations = 20;
    std::uint64_t seed = 1;
    double target_rmse = 0;  ///< 0: none
    double mean = 0;         ///< of the training ratings

    [[nodiscard]] std::int64_t users() const { return ratings->users(); }
    [[nodiscard]] std::int64_t items() const { return ratings->items(); }
    /// γ of an iteration, the first being 0: fixed, or γ / (1 + decay t^1.5), the schedule of cuMF_SGD.
    [[nodiscard]] float rate_of(std::int64_t iteration) const;
    /// `updates` (training ratings × iterations), `iterations`, `train_ratings`, `users`, `items` and `k`.
    [[nodiscard]] std::map<std::string, double> work() const;
  };
  struct Answer {
    std::span<float> p;  ///< m × k, row by row
    std::span<float> q;  ///< n × k, row by row
    /// After each iteration: the RMSE over the test ratings, and the seconds since the first began. The RMSE's own
    /// computation is not in them.
    std::vector<double> rmse;
    std::vector<double> seconds;

    /// Of the bits of P, Q, RMSEs and times: of answers with the same digest one alone is judged, and metrics have the
    /// times.
    [[nodiscard]] std::uint64_t digest() const;
    void poison();
  };
  /// What to expect of an RMSE: that of the mean of the training ratings, and the smallest and largest of serial SGD
  /// over five seeds after each iteration; fewer iterations, or none, where the time did not suffice.
  struct Reference {
    std::vector<double> mean_rmse;  ///< one value
    std::vector<double> low;
    std::vector<double> high;

    [[nodiscard]] auto parts() const { return std::tie(mean_rmse, low, high); }
  };

  static Input input(const datasets::Dataset& dataset, const Parameters& task);
  /// Serial SGD in single precision, a seed a thread, until `seconds` are over. A quarter of the usable memory holds
  /// the factors of all seeds, or seeds follow one another.
  /// O(5 × iterations × training ratings × k).
  static Reference reference(const Input& input, double seconds);
  /// Wrong: a factor or an RMSE that is not finite, times that fall, or a last RMSE that is not that of P and Q. Else
  /// approximate. Metrics: `rmse`, `mean_rmse`; for each iteration i from 1 on `rmse_after_<i>`, `time_after_<i>_s`
  /// and, as far as the reference came, serial SGD's band `serial_rmse_low_after_<i>` and `serial_rmse_high_after_<i>`;
  /// `serial_rmse_low` and `serial_rmse_high` where it came to the last one; where a target is asked for,
  /// `reached_target` (0 or 1) and, where it is, `iterations_to_target` and `time_to_target_s`.
  static Judgement judge(const Input& input, const Answer& answer, const Reference& reference);
  static Reference read_reference(const Input& input, ReferenceReader& stored);
};

namespace matrix_factorization {

/// Factor `index` (row × k + column) of P (matrix 0) or Q (matrix 1) before the first iteration: uniform in
/// [0, 2 √(max(mean, 1/4) / k)), so that p_u · q_i is about the mean. O(1), the same on every processor.
[[nodiscard]] float initial_factor(const MatrixFactorization::Input& input, int matrix, std::uint64_t index);

/// The RMSE of P and Q over `list`, in double precision; 0 if it is empty. The same on any number of threads.
/// O(ratings × k).
[[nodiscard]] double rmse_of(const datasets::RatingList& list, std::span<const float> p, std::span<const float> q,
                             std::int64_t k);
/// The same of predicting `constant` for every rating. O(ratings).
[[nodiscard]] double rmse_of_constant(const datasets::RatingList& list, double constant);

}  // namespace matrix_factorization
}  // namespace warpbench
