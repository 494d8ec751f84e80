// The cost models of HSGD* (yu2023 §3.3): functions that tell the time of an amount of work, fitted to measured times
// by least squares, and the share of the ratings that keeps GPU and CPU busy equally long.
#pragma once

#include <functional>
#include <span>

namespace warpbench::matrix_factorization {

/// An amount of work (ratings, or bytes) and the seconds that it took.
struct Sample {
  double size = 0;
  double seconds = 0;
};

/// seconds = a size + b.
struct Line {
  double a = 0;
  double b = 0;

  /// Never below 0.
  [[nodiscard]] double seconds(double size) const;
};

/// The least-squares line; through the origin where all sizes are
/// the same, where it would fall, or where it would begin below 0. 0 without
/// samples.
[[nodiscard]] Line fit_line(std::span<const Sample> samples);

/// How a rate grows with the amount of work, before it is steady: that of transfers with sqrt(log size), that of
/// kernels with log size.
enum class Growth { sqrt_log, log };

/// seconds = size / (a growth(size) + b) up to size tau, above it those of a line.
struct TwoPieces {
  Growth growth = Growth::log;
  double tau = 0;
  double a = 0;
  double b = 0;
  double least_rate = 0;  ///< below which the fitted rate never falls, so that no time is negative or endless
  Line above;

  [[nodiscard]] double seconds(double size) const;
};

/// τ: the first size from which the rate changes by less than 2 % to the next size; the largest where it never does.
/// `samples` in ascending order of size, at least one.
[[nodiscard]] double steady_from(std::span<const Sample> samples);

/// Fits the rates of the samples up to τ, and the times of those from τ on. `samples` as for steady_from(); with fewer
/// than two the rate is a constant.
[[nodiscard]] TwoPieces fit_two_pieces(std::span<const Sample> samples, Growth growth);

/// The root mean square of the relative errors (predicted / measured - 1) of a model; 0 without samples.
[[nodiscard]] double relative_error(std::span<const Sample> samples, const std::function<double(double)>& seconds);

/// α of Eq. 3.8, in steps of 1/10000: it minimises |gpu_seconds(α) - cpu_seconds(1 - α)|, the times of the two sides
/// (T_g/n_g and T_c/n_c) for these shares of the ratings. The smallest of equals.
[[nodiscard]] double balanced_share(const std::function<double(double)>& gpu_seconds,
                                    const std::function<double(double)>& cpu_seconds);

}  // namespace warpbench::matrix_factorization
