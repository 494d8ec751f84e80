#include "algorithms/subgraph_matching/fsig/enumeration/memory.hpp"

#include <algorithm>

#include "device/backend/work_limit.hpp"

namespace warpbench::matching::fsig {
namespace {

constexpr std::int64_t kWord = sizeof(std::int64_t);
constexpr std::int64_t kTileBytes = kTile * static_cast<std::int64_t>(sizeof(Result));
/// Vertices of a piece on the host: 16 MiB, which some 10 ms suffice to lock.
constexpr std::int64_t kPieceVertices = std::int64_t{1} << 22;

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

/// The first of `values`, once the stream has come so far.
template <typename T>
T read_to(PinnedBuffer<T>& pinned, View<const T> values, Stream& stream) {
  runtime::copy(pinned.span().data(), values.data(), sizeof(T), runtime::Copy::kDownload, *stream.handle());
  stream.synchronize();
  return pinned[0];
}

}  // namespace

void ParkedRows::begin(View<std::byte> device, bool spill) {
  device_ = as<Vertex>(device, 0, device.size() / std::int64_t{sizeof(Vertex)});
  spill_ = spill;
  size_ = 0;
}

std::int64_t ParkedRows::park(View<const Vertex> rows, const Deadline& deadline, Stream& stream) {
  const std::int64_t place = size_;
  for_each_piece(place, rows.size(), deadline, stream, [&](View<Vertex> piece, std::int64_t done, bool on_device) {
    runtime::copy(piece.data(), rows.data() + done, piece.bytes(),
                  on_device ? runtime::Copy::kDeviceToDevice : runtime::Copy::kDownload, *stream.handle());
  });
  size_ += rows.size();
  return place;
}

void ParkedRows::copy(std::int64_t place, View<Vertex> rows, const Deadline& deadline, Stream& stream) {
  for_each_piece(place, rows.size(), deadline, stream, [&](View<Vertex> piece, std::int64_t done, bool on_device) {
    runtime::copy(rows.data() + done, piece.data(), piece.bytes(),
                  on_device ? runtime::Copy::kDeviceToDevice : runtime::Copy::kUpload, *stream.handle());
  });
}

/// The piece from `place` on: the rest of the device's memory, or of one of the host's pieces.
View<Vertex> ParkedRows::piece_at(std::int64_t place) {
  if (place < device_.size()) return device_.subview(place, device_.size() - place);
  if (!spill_) throw OutOfDeviceMemory((place + 1) * std::int64_t{sizeof(Vertex)}, device_.bytes());
  const std::int64_t on_host = place - device_.size();
  const auto piece = static_cast<std::size_t>(on_host / kPieceVertices);
  const std::int64_t used = on_host % kPieceVertices;
  while (pieces_.size() <= piece) pieces_.emplace_back(kPieceVertices);
  return {pieces_[piece].span().data() + used, kPieceVertices - used};
}

/// Calls copy(piece, vertices before it, whether it is on the device) for the pieces of `count` vertices.
template <typename Copy>
void ParkedRows::for_each_piece(std::int64_t place, std::int64_t count, const Deadline& deadline, Stream& stream,
                                const Copy& copy) {
  for (std::int64_t done = 0; done < count;) {
    if (deadline.passed()) throw GaveUp();
    const View<Vertex> rest = piece_at(place + done);
    const View<Vertex> piece = rest.first(std::min(rest.size(), count - done));
    const bool on_device = place + done < device_.size();
    copy(piece, done, on_device);
    if (!on_device) stream.synchronize();  // or the clock would be asked ahead of the copies
    done += piece.size();
  }
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

void EnumerationMemory::begin(std::int64_t bytes, int widest, bool spill, Arena& arena) {
  const auto share = [&](std::int64_t sixteenths, std::int64_t minimum) {
    return std::max(bytes / 16 * sixteenths / kWord * kWord, minimum);
  };
  for (FrontierBuffer& buffer : buffers_) {
    buffer = FrontierBuffer(arena.take<std::byte>(share(5, FrontierBuffer::bytes(1, widest) + kWord)));
  }
  results_ = arena.take<std::byte>(share(3, kTileBytes + 2 * kWord));
  widest_ = widest;
  parked_.begin(arena.take<std::byte>(std::min(share(3, 0), arena.left() / 256 * 256)), spill);
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

std::vector<ChunkStart> EnumerationMemory::chunk_starts(View<const std::int64_t> bounds, std::int64_t first,
                                                        std::int64_t last, std::int64_t step, Stream& stream) const {
  const std::int64_t room = results_.size() / static_cast<std::int64_t>(sizeof(ChunkStart));
  const auto device_starts = as<ChunkStart>(results_, 0, std::min(ceil_div(last - first, step), room));
  find_chunk_starts(bounds, first, step, device_starts, stream);
  std::vector<ChunkStart> starts(static_cast<std::size_t>(device_starts.size()));
  runtime::copy(starts.data(), device_starts.data(), device_starts.bytes(), runtime::Copy::kDownload, *stream.handle());
  stream.synchronize();
  return starts;
}

std::int64_t EnumerationMemory::max_small_elements() const {
  const std::int64_t rows = std::min(buffers_[0].max_rows(widest_), buffers_[1].max_rows(widest_));
  return std::min({kMaxSmallElements, rows, max_elements(false) / kTile});
}

SmallLevels EnumerationMemory::small_levels(View<const DeviceLevel> levels, const Auxiliary& auxiliary,
                                            View<const Vertex> first_table, int last_width, Finish finish) const {
  const std::int64_t most = max_small_elements();
  const auto table = [&](std::size_t i) { return buffers_[i].vertices(most, widest_); };
  return {levels, auxiliary, first_table, {table(0), table(1)}, places(most), most, last_width, finish};
}

std::int64_t EnumerationMemory::read(View<const std::int64_t> number, Stream& stream) {
  return read_to(number_, number, stream);
}

SmallLevelsReport EnumerationMemory::read(View<const SmallLevelsReport> report, Stream& stream) {
  return read_to(report_, report, stream);
}

}  // namespace warpbench::matching::fsig
