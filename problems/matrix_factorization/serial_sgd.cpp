#include "problems/matrix_factorization/serial_sgd.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "datasets/generators/random.hpp"
#include "datasets/io/usable_memory.hpp"
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

  /// False if the time was up before the end. Ratings lie anywhere, and so do their rows of P and Q: both are fetched
  /// some ratings ahead, which halves the time.
  bool iterate(std::int64_t iteration, Clock::time_point end) {
    constexpr std::size_t kBetweenLooks = 4096;
    const float gamma = input_.rate_of(iteration);
    for (std::size_t i = 0; i < count_ + 2 * kAhead; ++i) {
      if (i % kBetweenLooks == 0 && Clock::now() >= end) return false;
      if (i >= 2 * kAhead) update(rows_[i % kAhead], gamma);
      if (i >= kAhead && i - kAhead < count_) rows_[i % kAhead] = fetch_rows(places_[(i - kAhead) % (2 * kAhead)]);
      if (i < count_) places_[i % (2 * kAhead)] = fetch_rating(order_(i));
    }
    return true;
  }

  [[nodiscard]] double rmse() const { return rmse_of(input_.ratings->test, p_, q_, input_.k); }

 private:
  static constexpr std::uint64_t kOrder = 3;  ///< the stream of random numbers
  static constexpr std::size_t kAhead = 8;

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

  struct Rows {
    float* p;
    float* q;
    float value;
  };

  [[nodiscard]] std::size_t fetch_rating(std::size_t rating) const {
    const datasets::RatingList& train = input_.ratings->train;
    __builtin_prefetch(train.users.begin() + rating);
    __builtin_prefetch(train.items.begin() + rating);
    __builtin_prefetch(train.values.begin() + rating);
    return rating;
  }

  [[nodiscard]] Rows fetch_rows(std::size_t rating) {
    constexpr std::size_t kLine = 64 / sizeof(float);
    const datasets::RatingList& train = input_.ratings->train;
    const Rows rows{p_.data() + train.users.begin()[rating] * k_, q_.data() + train.items.begin()[rating] * k_,
                    train.values.begin()[rating]};
    for (std::size_t f = 0; f < k_; f += kLine) {
      __builtin_prefetch(rows.p + f, 1);
      __builtin_prefetch(rows.q + f, 1);
    }
    return rows;
  }

  void update(const Rows& rows, float gamma) {
    float* const p = rows.p;
    float* const q = rows.q;
    const float e = rows.value - product(p, q);
    const auto lambda_p = static_cast<float>(input_.lambda_p);
    const auto lambda_q = static_cast<float>(input_.lambda_q);
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
  std::array<std::size_t, 2 * kAhead> places_{};  ///< of the next ratings in the list
  std::array<Rows, kAhead> rows_{};               ///< of the next ratings but those
};

/// The RMSEs of `seeds` seeds from `first` on, side by side, after at most `iterations` iterations.
std::vector<std::vector<double>> side_by_side(const Input& input, std::size_t first, std::size_t seeds,
                                              std::int64_t iterations, Clock::time_point end) {
  std::vector<std::optional<SerialSgd>> runs(seeds);
  FirstFailure failure;
#pragma omp parallel for schedule(static, 1)
  for (std::size_t i = 0; i < runs.size(); ++i) {
    failure.guard([&] {
      Input own = input;
      own.seed += first + i;
      runs[i].emplace(own);
    });
  }
  failure.rethrow();
  std::vector<std::vector<double>> rmse(runs.size());
  for (std::int64_t iteration = 0; iteration < iterations; ++iteration) {
    std::vector<char> done(runs.size());
#pragma omp parallel for schedule(static, 1)
    for (std::size_t i = 0; i < runs.size(); ++i) done[i] = runs[i]->iterate(iteration, end) ? 1 : 0;
    if (std::ranges::find(done, 0) != done.end()) break;
    for (std::size_t i = 0; i < runs.size(); ++i) rmse[i].push_back(runs[i]->rmse());
  }
  return rmse;
}

}  // namespace

std::int64_t memory_of_seeds(const std::filesystem::path& cgroup) {
  return datasets::usable_memory_bytes(cgroup) / 4;
}

std::vector<std::vector<double>> serial_sgd(const Input& input, int seeds, double seconds, std::int64_t memory_bytes) {
  constexpr double kForever = 1e9;
  const auto count = static_cast<std::size_t>(seeds);
  if (seconds <= 0) return std::vector<std::vector<double>>(count);
  const Clock::time_point start = Clock::now();
  const std::int64_t bytes_of_one = (input.users() + input.items()) * input.k * std::int64_t{sizeof(float)};
  const auto at_once = static_cast<std::size_t>(
      std::clamp<std::int64_t>(memory_bytes / std::max<std::int64_t>(1, bytes_of_one), 1, seeds));
  std::vector<std::vector<double>> all;
  std::int64_t iterations = input.iterations;
  while (all.size() < count && iterations > 0) {
    const std::size_t together = std::min(at_once, count - all.size());
    const double share = static_cast<double>(all.size() + together) / static_cast<double>(count);
    const auto end = start + std::chrono::duration_cast<Clock::duration>(
                                 std::chrono::duration<double>(std::min(seconds, kForever) * share));
    for (std::vector<double>& rmse : side_by_side(input, all.size(), together, iterations, end)) {
      all.push_back(std::move(rmse));
    }
    iterations = std::ssize(all.back());  // more of the others would be compared with nothing
  }
  all.resize(count);
  for (std::vector<double>& rmse : all) rmse.resize(static_cast<std::size_t>(iterations));
  return all;
}

}  // namespace warpbench::matrix_factorization
