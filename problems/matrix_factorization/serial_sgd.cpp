#include "problems/matrix_factorization/serial_sgd.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <optional>
#include <vector>

#include "datasets/generators/random.hpp"
#include "problems/first_failure.hpp"

namespace warpbench::matrix_factorization {
namespace {

using Input = MatrixFactorization::Input;
using Clock = std::chrono::steady_clock;

class SerialSgd {
 public:
  explicit SerialSgd(const Input& input)
      : input_(input),
        k_(static_cast<std::size_t>(input.k)),
        p_(first_factors(0, input.users())),
        q_(first_factors(1, input.items())),
        count_(static_cast<std::size_t>(input.ratings->train.count())),
        order_(count_, input.seed, kOrder) {}

  /// False if the time was up before the end.
  bool iterate(std::int64_t iteration, Clock::time_point end) {
    constexpr std::size_t kBetweenLooks = 4096;
    const float gamma = input_.rate_of(iteration);
    for (std::size_t i = 0; i < count_; ++i) {
      if (i % kBetweenLooks == 0 && Clock::now() >= end) return false;
      update(order_(i), gamma);
    }
    return true;
  }

  [[nodiscard]] double rmse() const { return rmse_of(input_.ratings->test, p_, q_, input_.k); }

 private:
  static constexpr std::uint64_t kOrder = 3;  ///< the stream of random numbers

  [[nodiscard]] std::vector<float> first_factors(int matrix, std::int64_t rows) const {
    std::vector<float> factors(static_cast<std::size_t>(rows) * k_);
    for (std::size_t i = 0; i < factors.size(); ++i) factors[i] = initial_factor(input_, matrix, i);
    return factors;
  }

  /// In lanes, so that the compiler may use vector instructions.
  [[nodiscard]] float product(const float* p, const float* q) const {
    constexpr std::size_t kLanes = 16;
    std::array<float, kLanes> sums{};
    std::size_t f = 0;
    for (; f + kLanes <= k_; f += kLanes) {
#pragma omp simd
      for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += p[f + lane] * q[f + lane];
    }
    for (std::size_t lane = 0; f < k_; ++f, ++lane) sums[lane] += p[f] * q[f];
    return std::accumulate(sums.begin(), sums.end(), 0.0F);
  }

  void update(std::size_t rating, float gamma) {
    const datasets::RatingList& train = input_.ratings->train;
    float* const p = p_.data() + train.users.begin()[rating] * k_;
    float* const q = q_.data() + train.items.begin()[rating] * k_;
    const float e = train.values.begin()[rating] - product(p, q);
    const float lambda_p = static_cast<float>(input_.lambda_p);
    const float lambda_q = static_cast<float>(input_.lambda_q);
#pragma omp simd
    for (std::size_t f = 0; f < k_; ++f) {
      const float old = p[f];
      p[f] += gamma * (e * q[f] - lambda_p * old);
      q[f] += gamma * (e * old - lambda_q * q[f]);
    }
  }

  Input input_;
  std::size_t k_;
  std::vector<float> p_;
  std::vector<float> q_;
  std::size_t count_;
  datasets::Permutation order_;
};

}  // namespace

std::vector<std::vector<double>> serial_sgd(const Input& input, int seeds, double seconds) {
  constexpr double kForever = 1e9;
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(std::min(seconds, kForever)));
  if (seconds <= 0) return std::vector<std::vector<double>>(static_cast<std::size_t>(seeds));
  std::vector<std::optional<SerialSgd>> runs(static_cast<std::size_t>(seeds));
  FirstFailure failure;
#pragma omp parallel for schedule(static, 1)
  for (std::size_t i = 0; i < runs.size(); ++i) {
    failure.guard([&] {
      Input own = input;
      own.seed += i;
      runs[i].emplace(own);
    });
  }
  failure.rethrow();
  std::vector<std::vector<double>> rmse(runs.size());
  for (std::int64_t iteration = 0; iteration < input.iterations; ++iteration) {
    std::vector<char> done(runs.size());
#pragma omp parallel for schedule(static, 1)
    for (std::size_t i = 0; i < runs.size(); ++i) done[i] = runs[i]->iterate(iteration, end) ? 1 : 0;
    if (std::ranges::find(done, 0) != done.end()) break;
    for (std::size_t i = 0; i < runs.size(); ++i) rmse[i].push_back(runs[i]->rmse());
  }
  return rmse;
}

}  // namespace warpbench::matrix_factorization
