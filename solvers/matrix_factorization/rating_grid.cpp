#include "solvers/matrix_factorization/rating_grid.hpp"

#include <omp.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "datasets/generators/random.hpp"
#include "device/integers.hpp"

namespace warpbench::matrix_factorization {
namespace {

/// Of the random numbers of a seed.
enum : std::uint64_t { kPlaces = 1, kOrder = 2 };

/// Blocks are ordered by user in so many parts, so that few large ones occupy all threads, too.
constexpr std::int64_t kPartsPerThread = 4;

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

/// Where the parts begin that cut each band into `parts`, and the end of the last.
std::vector<std::int64_t> in_parts(std::span<const std::int64_t> bands, std::int64_t parts) {
  std::vector<std::int64_t> starts;
  for (std::size_t band = 0; band + 1 < bands.size(); ++band) {
    const std::vector<std::int64_t> own = even_bands(bands[band + 1] - bands[band], parts);
    for (std::size_t part = 0; part + 1 < own.size(); ++part) starts.push_back(bands[band] + own[part]);
  }
  starts.push_back(bands.back());
  return starts;
}

/// Calls put(i, at) for each of `count` elements, so that those of a group are one after the other, in their order. The
/// result says where the groups begin, and where the last ends. On all threads.
template <typename GroupOf, typename Put>
std::vector<std::int64_t> group_in_parallel(std::size_t count, std::size_t groups, const GroupOf& group_of,
                                            const Put& put) {
  const auto threads = static_cast<std::size_t>(omp_get_max_threads());
  const std::size_t chunks = std::clamp<std::size_t>(count / groups, 1, threads);
  std::vector<std::int64_t> next(chunks * groups);  // of a chunk's elements of a group
  const auto each = [&](const auto& body) {
#pragma omp parallel for schedule(static, 1)
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      std::int64_t* const own = next.data() + chunk * groups;
      for (std::size_t i = count * chunk / chunks; i < count * (chunk + 1) / chunks; ++i) body(own, i);
    }
  };
  each([&](std::int64_t* own, std::size_t i) { ++own[group_of(i)]; });
  std::vector<std::int64_t> offsets{0};
  for (std::size_t group = 0; group < groups; ++group) {
    std::int64_t at = offsets.back();
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) at += std::exchange(next[chunk * groups + group], at);
    offsets.push_back(at);
  }
  each([&](std::int64_t* own, std::size_t i) { put(i, static_cast<std::size_t>(own[group_of(i)]++)); });
  return offsets;
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
    : rows_(std::ssize(plan.user_bands) - 1), columns_(std::ssize(plan.item_bands) - 1), ratings_(list.values.size()) {
  const bool is_shuffled = order == RatingOrder::random || order == RatingOrder::user_and_random;
  const bool is_by_user = order == RatingOrder::user || order == RatingOrder::user_and_random;
  const std::int64_t parts = is_by_user ? ceil_div(kPartsPerThread * omp_get_max_threads(), rows_ * columns_) : 1;
  const std::vector<std::int64_t> part_starts = in_parts(plan.user_bands, parts);
  const std::vector<std::uint32_t> part_of = bands_of(plan.user_places, part_starts);
  const std::vector<std::uint32_t> column_of = bands_of(plan.item_places, plan.item_bands);
  // Of the parts of a block, one after the other.
  const auto index_of = [&](std::size_t rating) {
    const std::int64_t part = part_of[list.users[rating]];
    return static_cast<std::size_t>((part / parts * columns_ + column_of[list.items[rating]]) * parts + part % parts);
  };
  const datasets::Permutation permutation(ratings_.size(), seed, kOrder);
  const auto dealt = [&](std::size_t i) { return is_shuffled ? permutation(i) : i; };
  const auto count = static_cast<std::size_t>(rows_ * columns_ * parts);
  const std::vector<std::int64_t> offsets = group_in_parallel(
      ratings_.size(), count, [&](std::size_t i) { return index_of(dealt(i)); },
      [&](std::size_t i, std::size_t at) {
        const std::size_t rating = dealt(i);
        ratings_[at] = {plan.user_places[list.users[rating]], plan.item_places[list.items[rating]],
                        list.values[rating]};
      });
  for (std::size_t i = 0; i < offsets.size(); i += static_cast<std::size_t>(parts)) offsets_.push_back(offsets[i]);
  if (!is_by_user) return;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t i = 0; i < count; ++i) {
    const auto begin = static_cast<std::size_t>(offsets[i]);
    const std::span<Rating> ratings =
        std::span(ratings_).subspan(begin, static_cast<std::size_t>(offsets[i + 1]) - begin);
    if (is_shuffled) {
      const auto part = static_cast<std::int64_t>(i) / parts / columns_ * parts + static_cast<std::int64_t>(i) % parts;
      group_by_user(ratings, part_starts[static_cast<std::size_t>(part)],
                    part_starts[static_cast<std::size_t>(part) + 1]);
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
