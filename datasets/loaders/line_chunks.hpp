// Splits text into chunks of whole lines, so that threads can parse them in parallel.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace warpbench::datasets {

/// A run of whole lines.
struct LineChunk {
  std::string_view bytes;
  std::uint64_t first_line = 1;  // line number within the file
};

/// `body` in chunks of about 4 MiB for parallel parsing; its first line has number `first_line`. O(bytes / threads).
[[nodiscard]] std::vector<LineChunk> chunks_of_lines(std::string_view body, std::uint64_t first_line, int threads);

}  // namespace warpbench::datasets
