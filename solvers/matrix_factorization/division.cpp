#include "solvers/matrix_factorization/division.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace warpbench::matrix_factorization {
namespace {

/// The ratings of the first 0, 1, … rows.
std::vector<std::int64_t> sums_of(std::span<const std::int64_t> ratings) {
  std::vector<std::int64_t> sums(ratings.size() + 1);
  std::partial_sum(ratings.begin(), ratings.end(), sums.begin() + 1);
  return sums;
}

/// The number of rows whose ratings are nearest to `wanted`.
std::int64_t rows_for(std::span<const std::int64_t> sums, double wanted) {
  const auto next =
      std::ranges::lower_bound(sums, wanted, {}, [](std::int64_t sum) { return static_cast<double>(sum); });
  if (next == sums.begin()) return 0;
  if (next == sums.end()) return std::ssize(sums) - 1;
  const bool before_is_nearer = wanted - static_cast<double>(*(next - 1)) < static_cast<double>(*next) - wanted;
  return next - sums.begin() - (before_is_nearer ? 1 : 0);
}

}  // namespace

Division fitting(Division wanted, std::int64_t users, std::int64_t items, std::int64_t ratings) {
  const auto fits = [&] {
    return wanted.rows() <= users && wanted.columns() <= items && wanted.rows() * wanted.columns() <= ratings;
  };
  while (wanted.cpu_factor > 1 && !fits()) --wanted.cpu_factor;
  while (wanted.threads > 1 && !fits()) --wanted.threads;
  return wanted;
}

std::vector<std::int64_t> ratings_of_places(std::span<const std::uint32_t> ids, std::span<const std::uint32_t> places) {
  std::vector<std::int64_t> ratings(places.size());
  for (const std::uint32_t id : ids) ++ratings[places[id]];
  return ratings;
}

std::vector<std::int64_t> weighted_bands(std::span<const std::int64_t> ratings, std::int64_t bands) {
  const std::vector<std::int64_t> sums = sums_of(ratings);
  std::vector<std::int64_t> starts(static_cast<std::size_t>(bands) + 1);
  for (std::int64_t band = 1; band < bands; ++band) {
    const double wanted = static_cast<double>(sums.back()) * static_cast<double>(band) / static_cast<double>(bands);
    starts[static_cast<std::size_t>(band)] = rows_for(sums, wanted);
  }
  starts.back() = std::ssize(ratings);
  return starts;
}

std::vector<std::int64_t> divided_users(std::span<const std::int64_t> ratings, const Division& division, double share) {
  const std::vector<std::int64_t> sums = sums_of(ratings);
  std::int64_t rows_of_gpus = rows_for(sums, share * static_cast<double>(sums.back()));
  if (share >= 1) rows_of_gpus = std::ssize(ratings);
  std::vector<std::int64_t> starts =
      weighted_bands(ratings.first(static_cast<std::size_t>(rows_of_gpus)), division.gpu_rows());
  starts.pop_back();
  for (const std::int64_t start :
       weighted_bands(ratings.subspan(static_cast<std::size_t>(rows_of_gpus)), division.cpu_rows())) {
    starts.push_back(rows_of_gpus + start);
  }
  return starts;
}

}  // namespace warpbench::matrix_factorization
