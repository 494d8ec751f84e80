#include "algorithms/subgraph_matching/fsig/enumeration_memory.hpp"

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
  return round_up(bytes, kWord);
}

std::int64_t table_bytes(std::int64_t rows, int width) {
  return whole_words(rows * width * static_cast<std::int64_t>(sizeof(Vertex)));
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

std::int64_t FrontierBuffer::bytes(std::int64_t rows, int width) {
  return table_bytes(rows, width) + (rows + 1) * kWord;
}

std::int64_t FrontierBuffer::max_rows(int width) const {
  const std::int64_t row = width * static_cast<std::int64_t>(sizeof(Vertex)) + kWord;
  return std::max<std::int64_t>((memory_.size() - 2 * kWord) / row, 0);  // rounding up, and the last bound
}

View<Vertex> FrontierBuffer::vertices(std::int64_t rows, int width) const {
  return as<Vertex>(memory_, 0, rows * width);
}

View<std::int64_t> FrontierBuffer::bounds(const MatchTable& table) const {
  return as<std::int64_t>(memory_, table_bytes(table.rows, table.width), table.rows + 1);
}

void EnumerationMemory::begin(std::int64_t bytes, int widest, Arena& arena) {
  const auto share = [&](std::int64_t sixteenths, std::int64_t minimum) {
    return std::max(bytes / 16 * sixteenths / kWord * kWord, minimum);
  };
  for (FrontierBuffer& buffer : buffers_) {
    buffer = FrontierBuffer(arena.take<std::byte>(share(5, FrontierBuffer::bytes(1, widest) + kWord)));
  }
  results_ = arena.take<std::byte>(share(3, kTileBytes + 2 * kWord));
  parked_.begin(arena.take<std::byte>(std::min(share(3, 0), arena.left() / 256 * 256)));
}

std::int64_t EnumerationMemory::max_elements(bool with_results) const {
  const std::int64_t tile = kWord + (with_results ? kTileBytes : 0);
  return (results_.size() - kWord) / tile * kTile;
}

View<std::int64_t> EnumerationMemory::places(std::int64_t tiles) const {
  return as<std::int64_t>(results_, 0, tiles + 1);
}

View<Result> EnumerationMemory::results(std::int64_t tiles) const {
  return as<Result>(results_, (tiles + 1) * kWord, tiles * kTile);
}

View<ChunkStart> EnumerationMemory::chunk_starts(std::int64_t wanted) const {
  const std::int64_t room = results_.size() / static_cast<std::int64_t>(sizeof(ChunkStart));
  return as<ChunkStart>(results_, 0, std::min(wanted, room));
}

std::int64_t EnumerationMemory::read(View<const std::int64_t> number, Stream& stream) {
  runtime::copy(number_.span().data(), number.data(), number.bytes(), runtime::Copy::kDownload, *stream.handle());
  stream.synchronize();
  return number_[0];
}

}  // namespace warpbench::matching::fsig
