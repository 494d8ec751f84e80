#include "algorithms/subgraph_matching/fsig/tables.hpp"

#include <algorithm>

namespace warpbench::matching::fsig {
namespace {

constexpr std::int64_t kWord = sizeof(std::int64_t);
constexpr std::int64_t kTileBytes = kTile * static_cast<std::int64_t>(sizeof(Result));
constexpr std::int64_t kChunkBytes = std::int64_t{1} << 24;

template <typename T>
View<T> as(View<std::byte> memory, std::int64_t offset, std::int64_t count) {
  const View<std::byte> range = memory.subview(offset, count * static_cast<std::int64_t>(sizeof(T)));
  return {reinterpret_cast<T*>(range.data()), count};
}

std::int64_t whole_words(std::int64_t bytes) {
  return (bytes + kWord - 1) / kWord * kWord;
}

std::int64_t table_bytes(std::int64_t rows, std::int64_t columns) {
  return whole_words(rows * columns * static_cast<std::int64_t>(sizeof(Vertex)));
}

}  // namespace

void ParkedRows::begin(View<std::byte> device) {
  device_ = device;
  mark_ = {};
}

ParkedRows::Place ParkedRows::park(View<const Vertex> rows, Stream& stream) {
  const std::int64_t bytes = whole_words(rows.bytes());
  const bool on_device = bytes <= device_.size() - mark_.device_used;
  Vertex* to = nullptr;
  if (on_device) {
    to = reinterpret_cast<Vertex*>(device_.data() + mark_.device_used);
    mark_.device_used += bytes;
  } else {
    to = take_on_host(bytes);
  }
  runtime::copy(to, rows.data(), rows.bytes(), on_device ? runtime::Copy::kDeviceToDevice : runtime::Copy::kDownload,
                *stream.handle());
  return {to, on_device};
}

Vertex* ParkedRows::take_on_host(std::int64_t bytes) {
  const auto room = [&] {
    return mark_.chunk < chunks_.size() ? chunks_[mark_.chunk].size() - mark_.chunk_used : std::int64_t{0};
  };
  if (room() < bytes) {
    if (mark_.chunk_used > 0) ++mark_.chunk;
    mark_.chunk_used = 0;
    if (mark_.chunk == chunks_.size()) chunks_.emplace_back();
    if (room() < bytes) {
      chunks_[mark_.chunk] = {};  // before the larger one is there
      try {
        chunks_[mark_.chunk] = PinnedBuffer<std::byte>(std::max(bytes, kChunkBytes));
      } catch (const DeviceError&) {
        throw OutOfDeviceMemory(bytes, 0);  // costs this query, not the trial
      }
    }
  }
  std::byte* const at = chunks_[mark_.chunk].span().data() + mark_.chunk_used;
  mark_.chunk_used += bytes;
  return reinterpret_cast<Vertex*>(at);
}

std::int64_t TablePart::bytes(std::int64_t rows, std::int64_t columns) {
  return table_bytes(rows, columns) + (rows + 1) * kWord;
}

std::int64_t TablePart::most_rows(std::int64_t columns) const {
  const std::int64_t row = columns * static_cast<std::int64_t>(sizeof(Vertex)) + kWord;
  return std::max<std::int64_t>((memory_.size() - 2 * kWord) / row, 0);  // rounding up, and the last bound
}

Table TablePart::table(std::int64_t rows, std::int64_t columns) const {
  return {as<Vertex>(memory_, 0, rows * columns), rows, columns};
}

View<std::int64_t> TablePart::bounds(const Table& table) const {
  return as<std::int64_t>(memory_, table_bytes(table.count, table.columns), table.count + 1);
}

void Tables::begin(std::int64_t bytes, std::int64_t widest, QueryMemory& memory) {
  const auto share = [&](std::int64_t sixteenths, std::int64_t least) {
    return std::max(bytes / 16 * sixteenths / kWord * kWord, least);
  };
  for (TablePart& part : parts_) {
    part = TablePart(memory.take<std::byte>(share(5, TablePart::bytes(1, widest) + kWord)));
  }
  results_ = memory.take<std::byte>(share(3, kTileBytes + 2 * kWord));
  parked_.begin(memory.take<std::byte>(std::min(share(3, 0), memory.left() / 256 * 256)));
}

std::int64_t Tables::most_elements(bool with_results) const {
  const std::int64_t tile = kWord + (with_results ? kTileBytes : 0);
  return (results_.size() - kWord) / tile * kTile;
}

View<std::int64_t> Tables::places(std::int64_t tiles) const {
  return as<std::int64_t>(results_, 0, tiles + 1);
}

View<Result> Tables::results(std::int64_t tiles) const {
  return as<Result>(results_, (tiles + 1) * kWord, tiles * kTile);
}

View<BlockStart> Tables::block_starts(std::int64_t at_most) const {
  return as<BlockStart>(results_, 0,
                        std::min(at_most, results_.size() / static_cast<std::int64_t>(sizeof(BlockStart))));
}

}  // namespace warpbench::matching::fsig
