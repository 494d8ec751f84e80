// LaunchShape: the fixed grids of the techniques with intersection counts (bellas2022 §5.2.1): as many blocks as the
// document's GPU has multiprocessors, of as many threads as a block can have.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "device/integers.hpp"
#include "device/launch.hpp"
#include "problems/parameters.hpp"

namespace warpbench::similarity {

struct LaunchShape {
  static constexpr int kMaxThreads = 1024;  ///< of a block: what kernels declare, so that registers suffice

  std::int64_t blocks = 15;  ///< 0: as many as run at once
  std::int64_t threads = 1024;

  LaunchShape() = default;
  explicit LaunchShape(const Parameters& parameters)
      : blocks(parameters.integer("blocks")), threads(parameters.integer("threads_per_block")) {}

  [[nodiscard]] static std::vector<ParameterSpec> parameters() {
    return {parameter("blocks", 15)
                .range(0, 65'536)
                .alias("all", 0)
                .document({15})
                .in("blocks")
                .means("blocks of a grid; all: as many as run at once"),
            parameter("threads_per_block", 1024)
                .range(32, kMaxThreads)
                .multiple_of(32)
                .in("threads")
                .means("threads of a block")};
  }

  /// For a kernel with work for `tasks` threads; no more blocks than those need.
  template <typename... Arguments>
  [[nodiscard]] Grid grid(void (*kernel)(Arguments...), std::int64_t tasks, std::size_t shared_bytes = 0) const {
    return row_grid(kernel, ceil_div(tasks, threads), shared_bytes);
  }
  /// For a kernel that works on `rows`, a block each at a time.
  template <typename... Arguments>
  [[nodiscard]] Grid row_grid(void (*kernel)(Arguments...), std::int64_t rows, std::size_t shared_bytes = 0) const {
    const std::int64_t most = blocks > 0 ? blocks : max_resident_blocks(kernel, threads, shared_bytes);
    return {std::clamp<std::int64_t>(rows, 1, std::max<std::int64_t>(most, 1)), threads, shared_bytes};
  }
};

}  // namespace warpbench::similarity
