#include "algorithms/subgraph_matching/fsig/chunks.hpp"

#include <algorithm>

namespace warpbench::matching::fsig {

std::int64_t elements_of_first_chunks(std::int64_t ended) {
  constexpr std::int64_t kElements = std::int64_t{1} << 20;
  constexpr std::int64_t kChunksOfASize = 8;
  constexpr std::int64_t kMaxDoublings = 10;
  return kElements << std::min(ended / kChunksOfASize, kMaxDoublings);
}

std::vector<WaitingChunk> rest_in_chunks(const FrontierChunk& chunk, std::int64_t first, std::int64_t step,
                                         std::span<const ChunkStart> starts, std::int64_t place) {
  const int width = chunk.table.width;
  std::vector<WaitingChunk> chunks;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::int64_t begin = first + static_cast<std::int64_t>(i) * step;
    const bool is_last = i + 1 == starts.size();
    const std::int64_t end = is_last ? chunk.last : begin + step;
    // The next chunk's first row is this one's last where the cut goes through its list.
    const std::int64_t end_row = is_last ? chunk.table.rows : starts[i + 1].row + (end > starts[i + 1].bound ? 1 : 0);
    chunks.push_back({place + (starts[i].row - starts[0].row) * width, end_row - starts[i].row, width,
                      begin - starts[i].bound, end - starts[i].bound, is_last ? std::optional(place) : std::nullopt});
  }
  return chunks;
}

}  // namespace warpbench::matching::fsig
