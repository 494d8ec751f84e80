#include "problems/matrix_factorization/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>

#include "datasets/input_error.hpp"
#include "device/mix64.hpp"
#include "problems/matrix_factorization/serial_sgd.hpp"

namespace warpbench {
namespace {

using Input = MatrixFactorization::Input;

/// How far a reported RMSE may be from that of the factors, as a share of it and of the ratings' root mean square:
/// solvers may add up in single precision.
constexpr double kTolerance = 1e-4;
constexpr double kRatingTolerance = 1e-6;
constexpr int kSeeds = 5;

constexpr const char* kTestRatings = "at least one test rating";
constexpr const char* kToTestRatings = "name a file of them as `test`, or add the transform hold_out_ratings";

std::string foresee(const datasets::Outline& outline, const Parameters& /*task*/) {
  if (outline.test_ratings != 0) return {};
  return fmt::format("expected {}, found none ({})", kTestRatings, kToTestRatings);
}

/// The index of the first factor that is not finite; that of the end where all are.
std::int64_t first_not_finite(std::span<const float> factors) {
  const auto count = static_cast<std::int64_t>(factors.size());
  std::int64_t first = count;
#pragma omp parallel for reduction(min : first)
  for (std::int64_t i = 0; i < count; ++i) {
    if (!std::isfinite(factors[static_cast<std::size_t>(i)])) first = std::min(first, i);
  }
  return first;
}

Judgement not_finite(const char* matrix, std::int64_t at, std::int64_t k, float found) {
  return wrong(fmt::format("{}, row {}, column {}: expected a finite factor, found {}: the descent diverged", matrix,
                           at / k, at % k, found));
}

void add_target(Judgement& judgement, const Input& input, const MatrixFactorization::Answer& answer) {
  if (input.target_rmse <= 0) return;
  judgement.metrics["reached_target"] = 0;
  const auto reached = std::ranges::find_if(answer.rmse, [&](double rmse) { return rmse <= input.target_rmse; });
  if (reached == answer.rmse.end()) return;
  const auto iteration = static_cast<std::size_t>(reached - answer.rmse.begin());
  judgement.metrics["reached_target"] = 1;
  judgement.metrics["iterations_to_target"] = static_cast<double>(iteration + 1);
  judgement.metrics["time_to_target_s"] = answer.seconds[iteration];
}

/// What is wrong with the report of the iterations; "" if nothing is.
std::string fault_of_report(const MatrixFactorization::Answer& answer, std::size_t iterations) {
  if (answer.rmse.size() != iterations || answer.seconds.size() != iterations) {
    return fmt::format("expected the RMSE and the time of {} iterations, found {} and {}", iterations,
                       answer.rmse.size(), answer.seconds.size());
  }
  double before = 0;
  for (std::size_t i = 0; i < iterations; ++i) {
    if (!(std::isfinite(answer.rmse[i]) && answer.rmse[i] >= 0)) {
      return fmt::format("iteration {}: expected a finite RMSE, found {}", i + 1, answer.rmse[i]);
    }
    if (!(std::isfinite(answer.seconds[i]) && answer.seconds[i] >= before)) {
      return fmt::format("iteration {}: expected a time of {} s or more, found {}", i + 1, before, answer.seconds[i]);
    }
    before = answer.seconds[i];
  }
  return "";
}

}  // namespace

ProblemInfo MatrixFactorization::info() {
  ProblemInfo info;
  info.id = "matrix_factorization";
  info.title = "Matrix factorization by stochastic gradient descent";
  info.source = "yu2023, §3.1";
  info.task = {
      parameter("k", 128).range(1, 1024).means("factors of a user or an item"),
      parameter("lambda_p", 0.05).range(0, 1000).means("λ_P, weight of the squared factors of users"),
      parameter("lambda_q", 0.05).range(0, 1000).means("λ_Q, weight of the squared factors of items"),
      parameter("gamma", 0.005).range(0, 10).means("γ, the learning rate of the first iteration"),
      parameter("rate", "fixed")
          .one_of({"fixed", "decay"})
          .document({"fixed"})
          .means("fixed: γ in all iterations; decay: γ / (1 + decay t^1.5) in iteration t = 0, 1, …"),
      parameter("decay", 0.3).range(0, 1000).means("how fast `rate: decay` falls"),
      parameter("iterations", 20).range(1, 10'000).means("updates by each training rating"),
      parameter("seed", 1).range(0, 1e15).means("of the first factors, and of all that a solver does at random"),
      parameter("target_rmse", 0.0).range(0, 1e6).means("test RMSE whose time is recorded; 0: none"),
  };
  info.accepts = {datasets::Kind::Ratings};
  info.work_unit = "updates";
  // Another seed of serial SGD, or other threads that race, move the RMSE by less. When the target is reached is a
  // time.
  info.quality = {{.name = "reached_target", .label = "target RMSE reached", .is_count = true},
                  {.name = "rmse", .label = "RMSE", .higher_is_better = false, .relative_tolerance = 0.01}};
  info.foresee = foresee;
  return info;
}

float Input::rate_of(std::int64_t iteration) const {
  if (rate == Rate::fixed) return static_cast<float>(gamma);
  const auto t = static_cast<double>(iteration);
  return static_cast<float>(gamma / (1 + decay * t * std::sqrt(t)));
}

std::map<std::string, double> Input::work() const {
  const auto trained = static_cast<double>(ratings->train.count());
  return {{"updates", trained * static_cast<double>(iterations)},
          {"iterations", static_cast<double>(iterations)},
          {"train_ratings", trained},
          {"users", static_cast<double>(users())},
          {"items", static_cast<double>(items())},
          {"k", static_cast<double>(k)}};
}

std::uint64_t MatrixFactorization::Answer::digest() const {
  const auto digest_of = [](const auto& values) {
    const std::span<const std::byte> bytes = std::as_bytes(std::span(values));
    return digest_of_places(
        {reinterpret_cast<const std::uint32_t*>(bytes.data()), bytes.size() / sizeof(std::uint32_t)});
  };
  return mix64(mix64(digest_of(p), digest_of(q)), mix64(digest_of(rmse), digest_of(seconds)));
}

void MatrixFactorization::Answer::poison() {
  std::ranges::fill(p, std::numeric_limits<float>::quiet_NaN());
  std::ranges::fill(q, std::numeric_limits<float>::quiet_NaN());
  rmse.clear();
  seconds.clear();
}

MatrixFactorization::Input MatrixFactorization::input(const datasets::Dataset& dataset, const Parameters& task) {
  const auto& ratings = dataset.as<datasets::Ratings>();
  if (ratings.train.count() == 0) {
    throw datasets::InputError(dataset.name, 0, "at least one training rating", "none");
  }
  if (ratings.test.count() == 0) {
    throw datasets::InputError(dataset.name, 0, kTestRatings, "none", kToTestRatings);
  }
  return {.ratings = &ratings,
          .k = task.integer("k"),
          .lambda_p = task.real("lambda_p"),
          .lambda_q = task.real("lambda_q"),
          .gamma = task.real("gamma"),
          .rate = task.text("rate") == "decay" ? Rate::decay : Rate::fixed,
          .decay = task.real("decay"),
          .iterations = task.integer("iterations"),
          .seed = static_cast<std::uint64_t>(task.integer("seed")),
          .target_rmse = task.real("target_rmse"),
          .mean = ratings.mean()};
}

MatrixFactorization::Reference MatrixFactorization::reference(const Input& input, double seconds) {
  const auto length = static_cast<std::size_t>(input.iterations);
  const std::vector<std::vector<double>> runs = matrix_factorization::serial_sgd(input, kSeeds, seconds);
  Reference reference{{matrix_factorization::rmse_of_constant(input.ratings->test, input.mean)},
                      std::vector(length, std::numeric_limits<double>::quiet_NaN()),
                      std::vector(length, std::numeric_limits<double>::quiet_NaN())};
  std::size_t done = length;
  for (const std::vector<double>& run : runs) done = std::min(done, run.size());
  for (std::size_t i = 0; i < done; ++i) {
    const auto rmse_of_run = [i](const std::vector<double>& run) { return run[i]; };
    if (!std::ranges::all_of(
            runs, [](double rmse) { return std::isfinite(rmse); }, rmse_of_run))
      break;  // it diverged
    reference.low[i] = std::ranges::min(runs | std::views::transform(rmse_of_run));
    reference.high[i] = std::ranges::max(runs | std::views::transform(rmse_of_run));
  }
  return reference;
}

Judgement MatrixFactorization::judge(const Input& input, const Answer& answer, const Reference& reference) {
  const auto k = static_cast<std::size_t>(input.k);
  const auto iterations = static_cast<std::size_t>(input.iterations);
  if (answer.p.size() != static_cast<std::size_t>(input.users()) * k ||
      answer.q.size() != static_cast<std::size_t>(input.items()) * k) {
    return wrong(fmt::format("expected {} factors of each of {} users and {} items, found {} and {} factors in all",
                             input.k, input.users(), input.items(), answer.p.size(), answer.q.size()));
  }
  if (const std::int64_t at = first_not_finite(answer.p); at < std::ssize(answer.p)) {
    return not_finite("P", at, input.k, answer.p[static_cast<std::size_t>(at)]);
  }
  if (const std::int64_t at = first_not_finite(answer.q); at < std::ssize(answer.q)) {
    return not_finite("Q", at, input.k, answer.q[static_cast<std::size_t>(at)]);
  }
  if (const std::string fault = fault_of_report(answer, iterations); !fault.empty()) return wrong(fault);
  const double rmse = matrix_factorization::rmse_of(input.ratings->test, answer.p, answer.q, input.k);
  const double slack =
      kTolerance * rmse + kRatingTolerance * matrix_factorization::rmse_of_constant(input.ratings->test, 0);
  if (!(std::abs(rmse - answer.rmse.back()) <= slack)) {
    return wrong(fmt::format("expected the RMSE of P and Q, {}, found {} reported", rmse, answer.rmse.back()));
  }
  Judgement judgement;
  judgement.verdict = Verdict::approximate;
  judgement.metrics["rmse"] = rmse;
  judgement.metrics["mean_rmse"] = reference.mean_rmse.front();
  if (!std::isnan(reference.low.back())) {
    judgement.metrics["serial_rmse_low"] = reference.low.back();
    judgement.metrics["serial_rmse_high"] = reference.high.back();
  }
  for (std::size_t i = 0; i < iterations; ++i) {
    judgement.metrics[fmt::format("rmse_after_{}", i + 1)] = answer.rmse[i];
    judgement.metrics[fmt::format("time_after_{}_s", i + 1)] = answer.seconds[i];
    if (std::isnan(reference.low[i])) continue;
    judgement.metrics[fmt::format("serial_rmse_low_after_{}", i + 1)] = reference.low[i];
    judgement.metrics[fmt::format("serial_rmse_high_after_{}", i + 1)] = reference.high[i];
  }
  add_target(judgement, input, answer);
  return judgement;
}

MatrixFactorization::Reference MatrixFactorization::read_reference(const Input& input, ReferenceReader& stored) {
  const auto length = static_cast<std::size_t>(input.iterations);
  Reference reference;
  reference.mean_rmse = stored.take<double>(1);
  reference.low = stored.take<double>(length);
  reference.high = stored.take<double>(length);
  if (!(reference.mean_rmse.front() >= 0)) {
    stored.refuse(fmt::format("the mean has an RMSE of {}", reference.mean_rmse.front()));
  }
  for (std::size_t i = 0; i < length; ++i) {
    const bool open = std::isnan(reference.low[i]) && std::isnan(reference.high[i]);
    if (!open && !(0 <= reference.low[i] && reference.low[i] <= reference.high[i])) {
      stored.refuse(fmt::format("iteration {} has an RMSE from {} to {}", i + 1, reference.low[i], reference.high[i]));
    }
  }
  return reference;
}

namespace matrix_factorization {

float initial_factor(const MatrixFactorization::Input& input, int matrix, std::uint64_t index) {
  const std::uint64_t word = mix64(mix64(input.seed, static_cast<std::uint64_t>(matrix)), index);
  const double uniform = static_cast<double>(word >> 40U) * 0x1p-24;
  return static_cast<float>(uniform * 2 * std::sqrt(std::max(input.mean, 0.25) / static_cast<double>(input.k)));
}

namespace {

/// √ of the mean over ratings of error(i)². In blocks of fixed size, so that threads do not change the sum.
template <typename Error>
double root_mean_square(std::int64_t count, Error error) {
  if (count == 0) return 0;
  constexpr std::int64_t kBlock = 4096;
  std::vector<double> sums(static_cast<std::size_t>((count + kBlock - 1) / kBlock));
#pragma omp parallel for schedule(static)
  for (std::int64_t block = 0; block < std::ssize(sums); ++block) {
    double sum = 0;
    for (std::int64_t i = block * kBlock; i < std::min(count, (block + 1) * kBlock); ++i) {
      const double e = error(static_cast<std::size_t>(i));
      sum += e * e;
    }
    sums[static_cast<std::size_t>(block)] = sum;
  }
  double total = 0;
  for (const double sum : sums) total += sum;
  return std::sqrt(total / static_cast<double>(count));
}

}  // namespace

double rmse_of_constant(const datasets::RatingList& list, double constant) {
  return root_mean_square(list.count(),
                          [&](std::size_t i) { return static_cast<double>(list.values.begin()[i]) - constant; });
}

double rmse_of(const datasets::RatingList& list, std::span<const float> p, std::span<const float> q, std::int64_t k) {
  const auto width = static_cast<std::size_t>(k);
  return root_mean_square(list.count(), [&](std::size_t i) {
    const float* const row = p.data() + list.users.begin()[i] * width;
    const float* const column = q.data() + list.items.begin()[i] * width;
    double product = 0;
    for (std::size_t f = 0; f < width; ++f) product += static_cast<double>(row[f]) * static_cast<double>(column[f]);
    return static_cast<double>(list.values.begin()[i]) - product;
  });
}

}  // namespace matrix_factorization

WARPBENCH_PROBLEM(MatrixFactorization)

}  // namespace warpbench
