#include "solvers/matrix_factorization/rating_grid.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "datasets/generators/random.hpp"

namespace warpbench::matrix_factorization {
namespace {

/// Of the random numbers of a seed.
enum : std::uint64_t { kPlaces = 1, kOrder = 2 };

/// The band of each user or item, by the place that it has.
std::vector<std::uint32_t> bands_of(std::span<const std::uint32_t> places, std::span<const std::int64_t> starts) {
  std::vector<std::uint32_t> bands(places.size());
  std::ranges::transform(places, bands.begin(), [&](std::uint32_t place) {
    const auto next = std::ranges::upper_bound(starts, static_cast<std::int64_t>(place));
    return static_cast<std::uint32_t>(next - starts.begin() - 1);
  });
  return bands;
}

/// Sorts by user, of [first, end); a user's ratings keep their order. O(ratings + users).
void group_by_user(std::span<Rating> ratings, std::int64_t first, std::int64_t end) {
  const auto place = [first](const Rating& rating) {
    return static_cast<std::size_t>(std::int64_t{rating.user} - first);
  };
  std::vector<std::int64_t> next(static_cast<std::size_t>(end - first) + 1);
  for (const Rating& rating : ratings) ++next[place(rating) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<Rating> grouped(ratings.size());
  for (const Rating& rating : ratings) grouped[static_cast<std::size_t>(next[place(rating)]++)] = rating;
  std::ranges::copy(grouped, ratings.begin());
}

}  // namespace

std::vector<std::uint32_t> same_places(std::int64_t count) {
  std::vector<std::uint32_t> places(static_cast<std::size_t>(count));
  std::iota(places.begin(), places.end(), 0U);
  return places;
}

std::vector<std::uint32_t> random_places(std::int64_t count, std::uint64_t seed) {
  const datasets::Permutation permutation(static_cast<std::uint64_t>(count), seed, kPlaces);
  std::vector<std::uint32_t> places(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<std::uint32_t>(permutation(i));
  return places;
}

std::vector<std::int64_t> even_bands(std::int64_t count, std::int64_t bands) {
  std::vector<std::int64_t> starts(static_cast<std::size_t>(bands) + 1);
  for (std::int64_t band = 0; band <= bands; ++band) starts[static_cast<std::size_t>(band)] = count * band / bands;
  return starts;
}

RatingGrid::RatingGrid(const datasets::RatingList& list, const GridPlan& plan, RatingOrder order, std::uint64_t seed)
    : rows_(std::ssize(plan.user_bands) - 1),
      columns_(std::ssize(plan.item_bands) - 1),
      offsets_(static_cast<std::size_t>(rows_ * columns_) + 1),
      ratings_(list.values.size()) {
  const std::vector<std::uint32_t> rows = bands_of(plan.user_places, plan.user_bands);
  const std::vector<std::uint32_t> columns = bands_of(plan.item_places, plan.item_bands);
  const auto block_of = [&](std::size_t rating) {
    return static_cast<std::size_t>(rows[list.users[rating]]) * static_cast<std::size_t>(columns_) +
           columns[list.items[rating]];
  };
  for (std::size_t i = 0; i < ratings_.size(); ++i) ++offsets_[block_of(i) + 1];
  std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
  std::vector<std::int64_t> next(offsets_.begin(), offsets_.end() - 1);
  const bool shuffled = order == RatingOrder::random || order == RatingOrder::user_and_random;
  const datasets::Permutation permutation(ratings_.size(), seed, kOrder);
  for (std::size_t dealt = 0; dealt < ratings_.size(); ++dealt) {
    const std::size_t i = shuffled ? permutation(dealt) : dealt;
    const auto at = static_cast<std::size_t>(next[block_of(i)]++);
    ratings_[at] = {plan.user_places[list.users[i]], plan.item_places[list.items[i]], list.values[i]};
  }
  if (order != RatingOrder::user && order != RatingOrder::user_and_random) return;
  const std::int64_t blocks = rows_ * columns_;
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t block = 0; block < blocks; ++block) {
    const auto begin = static_cast<std::size_t>(offsets_[static_cast<std::size_t>(block)]);
    const auto end = static_cast<std::size_t>(offsets_[static_cast<std::size_t>(block) + 1]);
    const std::span<Rating> ratings = std::span(ratings_).subspan(begin, end - begin);
    if (shuffled) {
      const auto row = plan.user_bands.begin() + block / columns_;
      group_by_user(ratings, row[0], row[1]);
    } else {
      std::ranges::stable_sort(ratings, {}, [](const Rating& rating) { return std::pair(rating.user, rating.item); });
    }
  }
}

std::vector<std::int64_t> RatingGrid::counts() const {
  std::vector<std::int64_t> counts(offsets_.size() - 1);
  for (std::size_t block = 0; block < counts.size(); ++block) counts[block] = offsets_[block + 1] - offsets_[block];
  return counts;
}

std::span<const Rating> RatingGrid::ratings(Block block) const {
  const auto index = static_cast<std::size_t>(block.row * columns_ + block.column);
  return std::span(ratings_).subspan(static_cast<std::size_t>(offsets_[index]),
                                     static_cast<std::size_t>(offsets_[index + 1] - offsets_[index]));
}

}  // namespace warpbench::matrix_factorization
