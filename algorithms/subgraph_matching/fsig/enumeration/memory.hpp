// The memory of fsig's tables of partial matches (yu2023 §5.3.3). The document has two halves, M_{i-1} with ub, cnt and
// res in one and M_i with its ub in the other, and moves blocks that wait to main memory. Here res and cnt have memory
// of their own, so that a table that fills its buffer can still be extended. Rows that wait stay on the device as long
// as there is room; only then do they go to main memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "algorithms/subgraph_matching/fsig/enumeration/small_levels.hpp"
#include "algorithms/subgraph_matching/fsig/enumeration/steps.hpp"
#include "device/arena.hpp"
#include "solvers/subgraph_matching/query_solver.hpp"

namespace warpbench::matching::fsig {

/// Rows that wait, last in, first out: a stack of vertices that begins on the device and goes on in page-locked memory
/// of the host. That is taken and copied in pieces: a second passes for a few gigabytes.
class ParkedRows {
 public:
  /// Nothing waits; `device` is where rows go first, and where they must stay unless they may `spill`.
  void begin(View<std::byte> device, bool spill = true);

  /// Copies rows, in stream order, and returns the place of the first vertex in the stack. Throws OutOfDeviceMemory
  /// where the host has no memory left, either, or none may be taken; GaveUp once `deadline` has passed, and so does
  /// copy().
  std::int64_t park(View<const Vertex> rows, const Deadline& deadline, Stream& stream);
  /// Copies what was parked from `place` on, in stream order.
  void copy(std::int64_t place, View<Vertex> rows, const Deadline& deadline, Stream& stream);
  /// Gives back all from `place` on. Copies of it that are under way are not disturbed.
  void release(std::int64_t place) { size_ = place; }

  /// Vertices now in the stack.
  [[nodiscard]] std::int64_t size() const { return size_; }
  /// Vertices that the device has room for yet.
  [[nodiscard]] std::int64_t device_room() const { return std::max<std::int64_t>(device_.size() - size_, 0); }
  /// Bytes now on the device, and in the memory of the host.
  [[nodiscard]] std::int64_t device_bytes() const { return std::min(bytes(), device_.bytes()); }
  [[nodiscard]] std::int64_t host_bytes() const { return bytes() - device_bytes(); }

 private:
  [[nodiscard]] std::int64_t bytes() const { return size_ * std::int64_t{sizeof(Vertex)}; }
  [[nodiscard]] View<Vertex> piece_at(std::int64_t place);
  template <typename Copy>
  void for_each_piece(std::int64_t place, std::int64_t count, const Deadline& deadline, Stream& stream,
                      const Copy& copy);

  View<Vertex> device_;
  std::vector<PinnedBuffer<Vertex>> pieces_;  ///< on the host; they stay for the next query
  std::int64_t size_ = 0;
  bool spill_ = true;
};

/// Memory for a table and its bounds: one of the two that take turns.
class FrontierBuffer {
 public:
  FrontierBuffer() = default;
  explicit FrontierBuffer(View<std::byte> memory) : memory_(memory) {}

  /// The most rows with bounds.
  [[nodiscard]] std::int64_t max_rows(int width) const;
  [[nodiscard]] View<Vertex> vertices(std::int64_t rows, int width) const;
  [[nodiscard]] MatchTable table(std::int64_t rows, int width) const { return {vertices(rows, width), rows, width}; }
  /// rows + 1 of them, behind the table.
  [[nodiscard]] View<std::int64_t> bounds(const MatchTable& table) const;
  static std::int64_t bytes(std::int64_t rows, int width);

 private:
  View<std::byte> memory_;
};

/// All memory of an enumeration. The page-locked part stays for the next query.
class EnumerationMemory {
 public:
  /// Takes `bytes` of `arena`, or a little more where they would not do for one row of `widest` columns. spill: rows
  /// that wait may go to the host.
  void begin(std::int64_t bytes, int widest, bool spill, Arena& arena);

  [[nodiscard]] const FrontierBuffer& buffer(std::size_t i) const { return buffers_[i]; }
  /// The number of list elements that can be joined at once: for cnt and, behind it, res where there is `with_results`.
  [[nodiscard]] std::int64_t max_elements(bool with_results) const;
  [[nodiscard]] View<std::int64_t> places(std::int64_t tiles) const;
  [[nodiscard]] View<Result> results(std::int64_t tiles) const;
  /// The beginnings of the chunks of `step` list elements of [first, last), as many as fit in place of cnt. Waits for
  /// the stream.
  [[nodiscard]] std::vector<ChunkStart> chunk_starts(View<const std::int64_t> bounds, std::int64_t first,
                                                     std::int64_t last, std::int64_t step, Stream& stream) const;
  /// The number of list elements of a small level, and of rows: for tables of any width in both buffers, and bounds in
  /// place of cnt.
  [[nodiscard]] std::int64_t max_small_elements() const;
  /// The levels with that memory.
  [[nodiscard]] SmallLevels small_levels(View<const DeviceLevel> levels, const Auxiliary& auxiliary,
                                         View<const Vertex> first_table, int last_width, Finish finish) const;
  ParkedRows& parked() { return parked_; }
  /// What is on the device. Waits for the stream.
  [[nodiscard]] std::int64_t read(View<const std::int64_t> number, Stream& stream);
  [[nodiscard]] SmallLevelsReport read(View<const SmallLevelsReport> report, Stream& stream);

 private:
  std::array<FrontierBuffer, 2> buffers_;
  View<std::byte> results_;
  ParkedRows parked_;
  int widest_ = 0;
  PinnedBuffer<std::int64_t> number_{1};
  PinnedBuffer<SmallLevelsReport> report_{1};
};

}  // namespace warpbench::matching::fsig
