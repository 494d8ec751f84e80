#include "algorithms/matrix_factorization/hsgd/device_ratings.hpp"

#include <algorithm>

#include "datasets/generators/random.hpp"

namespace warpbench::matrix_factorization {

DeviceRatings::DeviceRatings(const RatingGrid& grid, std::span<const std::int64_t> parts, RatingOrder order,
                             std::uint64_t seed)
    : columns_(grid.columns()), ranges_(static_cast<std::size_t>(grid.rows() * grid.columns())) {
  std::vector<Rating> ratings;
  std::size_t wanted = 0;
  for (std::int64_t row = parts.front(); row < parts.back(); ++row) {
    for (std::int64_t column = 0; column < columns_; ++column) wanted += grid.ratings({row, column}).size();
  }
  ratings.reserve(wanted);
  for (std::size_t part = 0; part + 1 < parts.size(); ++part) {
    for (std::int64_t column = 0; column < columns_; ++column) {
      const std::int64_t begin = std::ssize(ratings);
      for (std::int64_t row = parts[part]; row < parts[part + 1]; ++row) {
        const std::span<const Rating> block = grid.ratings({row, column});
        const auto index = static_cast<std::size_t>(row * columns_ + column);
        ranges_[index] = {std::ssize(ratings), std::ssize(block)};
        const datasets::Permutation shuffled(block.size(), seed, index);
        for (std::size_t i = 0; i < block.size(); ++i) ratings.push_back(block[shuffled(i)]);
        if (order == RatingOrder::user_and_random) {
          std::ranges::stable_sort(std::span(ratings).last(block.size()), {}, &Rating::user);
        }
      }
      largest_task_ = std::max(largest_task_, std::ssize(ratings) - begin);
    }
  }
  ratings_.pin(ratings);
}

DeviceRatings::Range DeviceRatings::range_of(const Task& task) const {
  Range range = ranges_[static_cast<std::size_t>(task.first_row * columns_ + task.column)];
  for (std::int64_t row = task.first_row + 1; row < task.first_row + task.rows; ++row) {
    range.count += ranges_[static_cast<std::size_t>(row * columns_ + task.column)].count;
  }
  return range;
}

std::span<const Rating> DeviceRatings::on_host(const Task& task) const {
  const Range range = range_of(task);
  return ratings_.host().subspan(static_cast<std::size_t>(range.begin), static_cast<std::size_t>(range.count));
}

View<const Rating> DeviceRatings::on_device(const Task& task) const {
  const Range range = range_of(task);
  return ratings_.view().subview(range.begin, range.count);
}

}  // namespace warpbench::matrix_factorization
