// The range that nearly all coordinates of some rows lie in.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace warpbench::nearest_neighbors {

struct Range {
  float least;
  float greatest;
};

/// Sees rows block by block and keeps a sample of their coordinates, where there are many.
class UsualRange {
 public:
  /// `rows` rows of `dimension` coordinates are to come.
  UsualRange(std::int64_t rows, std::int64_t dimension);

  /// The next rows, `stride` places each.
  void add(std::span<const float> rows, std::int64_t stride);
  /// Without one in a thousand of the coordinates on either side; 0 to 0 where there are none.
  [[nodiscard]] Range range();

 private:
  std::int64_t dimension_;
  std::int64_t step_;
  std::int64_t begin_ = 0;  ///< of the coordinates to come
  std::int64_t next_ = 0;   ///< of them the next that is sampled
  std::vector<float> sample_;
};

}  // namespace warpbench::nearest_neighbors
