#include "solvers/matrix_factorization/cost_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace warpbench::matrix_factorization {
namespace {

constexpr double kSteadyChange = 0.02;
constexpr int kShareSteps = 10'000;

double grown(Growth growth, double size) {
  const double log = std::log(std::max(size, 1.0));
  return growth == Growth::log ? log : std::sqrt(log);
}

double rate_of(const Sample& sample) {
  return sample.size / sample.seconds;
}

struct Coefficients {
  double a = 0;
  double b = 0;
};

/// y = a x + b over all pairs; a is 0 where all x are the same.
template <typename X, typename Y>
Coefficients least_squares(std::span<const Sample> samples, const X& x_of, const Y& y_of) {
  const auto count = static_cast<double>(samples.size());
  double mean_x = 0;
  double mean_y = 0;
  for (const Sample& sample : samples) {
    mean_x += x_of(sample) / count;
    mean_y += y_of(sample) / count;
  }
  double spread = 0;
  double common = 0;
  for (const Sample& sample : samples) {
    const double dx = x_of(sample) - mean_x;
    spread += dx * dx;
    common += dx * (y_of(sample) - mean_y);
  }
  // Where all x are the same, rounding alone makes a spread.
  const double a = spread > 1e-12 * count * mean_x * mean_x ? common / spread : 0;
  return {a, mean_y - a * mean_x};
}

}  // namespace

double Line::seconds(double size) const {
  return std::max(a * size + b, 0.0);
}

Line fit_line(std::span<const Sample> samples) {
  const auto size_of = [](const Sample& sample) { return sample.size; };
  const Coefficients line = least_squares(samples, size_of, [](const Sample& sample) { return sample.seconds; });
  if (line.a > 0 && line.b >= 0) return {line.a, line.b};
  double sizes = 0;
  double seconds = 0;
  for (const Sample& sample : samples) {
    sizes += sample.size;
    seconds += sample.seconds;
  }
  return {sizes > 0 ? seconds / sizes : 0, 0};
}

double TwoPieces::seconds(double size) const {
  if (size <= 0) return 0;
  if (size > tau) return above.seconds(size);
  return size / std::max(a * grown(growth, size) + b, least_rate);
}

double steady_from(std::span<const Sample> samples) {
  for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
    const double rate = rate_of(samples[i]);
    if (std::abs(rate_of(samples[i + 1]) - rate) < kSteadyChange * rate) return samples[i].size;
  }
  return samples.back().size;
}

TwoPieces fit_two_pieces(std::span<const Sample> samples, Growth growth) {
  TwoPieces model;
  model.growth = growth;
  if (samples.empty()) return model;
  model.tau = steady_from(samples);
  const auto first_above = std::ranges::upper_bound(samples, model.tau, {}, &Sample::size);
  const auto below = static_cast<std::size_t>(first_above - samples.begin());
  const std::span<const Sample> growing = samples.first(below);
  const Coefficients rate = least_squares(
      growing, [growth](const Sample& sample) { return grown(growth, sample.size); }, rate_of);
  model.a = rate.a;
  model.b = rate.b;
  model.least_rate = rate_of(*std::ranges::min_element(growing, {}, rate_of));
  model.above = fit_line(samples.subspan(below - 1));  // from τ on
  return model;
}

double relative_error(std::span<const Sample> samples, const std::function<double(double)>& seconds) {
  if (samples.empty()) return 0;
  double sum = 0;
  for (const Sample& sample : samples) {
    const double error = seconds(sample.size) / sample.seconds - 1;
    sum += error * error;
  }
  return std::sqrt(sum / static_cast<double>(samples.size()));
}

double balanced_share(const std::function<double(double)>& gpu_seconds,
                      const std::function<double(double)>& cpu_seconds) {
  double best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int step = 0; step <= kShareSteps; ++step) {
    const double share = static_cast<double>(step) / kShareSteps;
    const double difference = std::abs(gpu_seconds(share) - cpu_seconds(1 - share));
    if (difference >= least) continue;
    least = difference;
    best = share;
  }
  return best;
}

}  // namespace warpbench::matrix_factorization
