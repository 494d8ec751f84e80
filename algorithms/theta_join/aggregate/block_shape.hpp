// The blocks of the document's kernels: B.x x B.y threads over the join matrix.
#pragma once

#include <cstdint>

#include "device/launch.hpp"
#include "problems/parameters.hpp"

namespace warpbench::theta {

struct BlockShape {
  static constexpr std::int64_t kColumns = 32;  ///< B.x, tuples of one relation: a warp has one tuple of the other
  static constexpr int kMaxThreads = 1024;

  std::int64_t rows = kMaxThreads / kColumns;  ///< B.y

  [[nodiscard]] Dim3 threads() const { return {kColumns, rows}; }
};

[[nodiscard]] inline ParameterSpec block_parameter() {
  return parameter("threads_per_block", BlockShape::kMaxThreads)
      .range(BlockShape::kColumns, BlockShape::kMaxThreads)
      .power_of_two()
      .in("threads")
      .means("a block is 32 threads wide and threads / 32 high (32 x 32 in the document)");
}
[[nodiscard]] inline BlockShape block_shape_of(const Parameters& parameters) {
  return {parameters.integer("threads_per_block") / BlockShape::kColumns};
}

}  // namespace warpbench::theta
