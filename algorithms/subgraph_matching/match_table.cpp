#include "algorithms/subgraph_matching/match_table.hpp"

#include "solvers/subgraph_matching/slices.hpp"

namespace warpbench::matching {

bool append_matches(const MatchTable& table, std::span<const Vertex> columns, std::vector<Vertex>& matches,
                    const Deadline& deadline, Stream& stream) {
  constexpr SliceSizes kRows{std::int64_t{1} << 20, std::int64_t{1} << 20};
  const std::size_t width = columns.size();
  std::vector<Vertex> rows;
  return in_slices(table.rows, kRows, deadline, stream, [&](std::int64_t first, std::int64_t last) {
    const MatchTable part = table.part(first, last);
    rows.resize(static_cast<std::size_t>(part.rows) * width);
    runtime::copy(rows.data(), part.vertices.data(), part.rows * part.width * std::int64_t{sizeof(Vertex)},
                  runtime::Copy::kDownload, *stream.handle());
    stream.synchronize();
    const std::size_t begin = matches.size();
    matches.resize(begin + rows.size());
    for (std::size_t i = 0; i < rows.size(); i += width) {
      for (std::size_t c = 0; c < width; ++c) matches[begin + i + columns[c]] = rows[i + c];
    }
  });
}

}  // namespace warpbench::matching
