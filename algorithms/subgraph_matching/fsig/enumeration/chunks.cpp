#include "algorithms/subgraph_matching/fsig/enumeration/chunks.hpp"

#include <algorithm>

namespace warpbench::matching::fsig {

std::int64_t max_chunk_elements(const ChunkRoom& room, double alpha) {
  const auto rows = static_cast<double>(room.rows);
  const bool fits = alpha * static_cast<double>(room.elements) <= rows;
  return std::max<std::int64_t>(fits ? room.elements : static_cast<std::int64_t>(rows / alpha), 1);
}

std::int64_t max_first_chunk_elements(const ChunkRoom& room, double alpha, std::int64_t begun) {
  const std::int64_t smallest = std::clamp<std::int64_t>(room.elements / 64, 1, std::int64_t{1} << 20);
  constexpr std::int64_t kChunksOfASize = 8;
  constexpr std::int64_t kMaxDoublings = 10;
  const std::int64_t grown = smallest << std::min(begun / kChunksOfASize, kMaxDoublings);
  const std::int64_t can_wait = std::max(smallest, room.waiting_vertices / 2 / room.width);
  return std::min({max_chunk_elements(room, alpha), grown, can_wait});
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
    const std::int64_t end_row = is_last ? chunk.end_row() : starts[i + 1].row + (end > starts[i + 1].bound ? 1 : 0);
    chunks.push_back({place + (starts[i].row - starts[0].row) * width, end_row - starts[i].row, width,
                      begin - starts[i].bound, end - starts[i].bound, is_last ? std::optional(place) : std::nullopt});
  }
  return chunks;
}

}  // namespace warpbench::matching::fsig
