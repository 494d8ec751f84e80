#include "datasets/loaders/line_chunks.hpp"

#include <algorithm>

#include "datasets/parallel.hpp"

namespace warpbench::datasets {

std::vector<LineChunk> chunks_of_lines(std::string_view body, std::uint64_t first_line, int threads) {
  constexpr std::size_t kChunkBytes = std::size_t{1} << 22U;
  std::vector<LineChunk> chunks;
  for (std::size_t at = 0; at < body.size();) {
    std::size_t end = body.find('\n', std::min(at + kChunkBytes, body.size()) - 1);
    end = end == std::string_view::npos ? body.size() : end + 1;
    chunks.push_back({body.substr(at, end - at)});
    at = end;
  }
  std::vector<std::uint64_t> lines(chunks.size());
  for_chunks(chunks.size(), 1, threads, [&](std::size_t i, std::size_t, std::size_t) {
    lines[i] = static_cast<std::uint64_t>(std::count(chunks[i].bytes.begin(), chunks[i].bytes.end(), '\n'));
  });
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    chunks[i].first_line = first_line;
    first_line += lines[i];
  }
  return chunks;
}

}  // namespace warpbench::datasets
