// The ratings as a GPU takes them: in pinned host memory, and so that workers side by side seldom meet at an item.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "device/resident.hpp"
#include "solvers/matrix_factorization/rating_grid.hpp"
#include "solvers/matrix_factorization/star_scheduler.hpp"

namespace warpbench::matrix_factorization {

class DeviceRatings {
 public:
  DeviceRatings() = default;
  /// A copy of the grid's ratings in these parts. Part i is rows parts[i] to parts[i + 1]; within it the blocks of a
  /// column lie one after the other, their ratings in `order`: random or user_and_random. O(ratings log(ratings of a
  /// block)).
  DeviceRatings(const RatingGrid& grid, std::span<const std::int64_t> parts, RatingOrder order, std::uint64_t seed);

  /// The rows of the task are all those of a part, or one.
  [[nodiscard]] std::span<const Rating> on_host(const Task& task) const;
  /// The same on the device, after upload().
  [[nodiscard]] View<const Rating> on_device(const Task& task) const;
  /// Throws OutOfDeviceMemory.
  void upload(Stream& stream) { ratings_.upload(stream); }
  /// Ratings of the largest part in a column.
  [[nodiscard]] std::int64_t largest_task() const { return largest_task_; }

 private:
  struct Range {
    std::int64_t begin = 0;
    std::int64_t count = 0;
  };
  [[nodiscard]] Range range_of(const Task& task) const;

  std::int64_t columns_ = 0;
  std::vector<Range> ranges_;  ///< of each block
  std::int64_t largest_task_ = 0;
  Resident<Rating> ratings_;
};

}  // namespace warpbench::matrix_factorization
