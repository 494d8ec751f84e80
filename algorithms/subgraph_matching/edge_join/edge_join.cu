#include "algorithms/subgraph_matching/edge_join/edge_join.cuh"

#include <algorithm>
#include <limits>
#include <utility>

#include "device/device.hpp"

namespace warpbench::matching::edge_join {

JoinRun::JoinRun(const Graph& query, const SubgraphMatching::Input& input, std::uint64_t max_degree,
                 const Deadline& deadline, std::span<std::int64_t> read_back, Stream& stream)
    : input_(input),
      max_degree_(max_degree),
      deadline_(deadline),
      stream_(stream),
      read_back_(read_back),
      column_of_(static_cast<std::size_t>(query.vertices()), -1) {}

bool JoinRun::start(Vertex u, View<const Vertex> candidates) {
  if (deadline_.passed()) return false;
  Buffer<Vertex> table(candidates.size(), stream_);
  table.copy_from(candidates, stream_);
  replace(std::move(table), candidates.size(), u);
  return true;
}

std::int64_t JoinRun::column(Vertex u) const {
  return column_of_[u];
}

std::int64_t JoinRun::vertices_of(std::int64_t rows, std::size_t width) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max() / std::int64_t{sizeof(Vertex)};
  const auto columns = static_cast<std::int64_t>(width);
  if (rows > kMax / columns) throw OutOfDeviceMemory(std::numeric_limits<std::int64_t>::max(), free_memory());
  return rows * columns;
}

std::int64_t JoinRun::scan(Buffer<std::int64_t>& counts) {
  const std::int64_t zero = 0;
  counts.upload(std::span(&zero, 1), stream_, counts.size() - 1);
  exclusive_scan(counts.view(), counts.view(), stream_);
  counts.download(read_back_.first(1), stream_, counts.size() - 1);
  stream_.synchronize();
  return read_back_[0];
}

void JoinRun::replace(Buffer<Vertex> table, std::int64_t rows, std::optional<Vertex> added) {
  table_ = std::move(table);
  rows_ = rows;
  largest_ = std::max(largest_, rows);
  if (!added) return;
  column_of_[*added] = static_cast<std::int64_t>(columns_.size());
  columns_.push_back(*added);
}

/// The device adds up matches in 64 bits, and a row gives at most max_degree_ of them.
void JoinRun::require_countable() const {
  static_cast<void>(checked_multiply(static_cast<std::uint64_t>(rows_), 2 * max_degree_));
}

}  // namespace warpbench::matching::edge_join
