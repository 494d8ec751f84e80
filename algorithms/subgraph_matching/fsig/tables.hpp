// Where fsig's tables of partial matches lie (yu2023 §5.3.3). The document has two halves, M_{i-1} with ub, cnt and res
// in one and M_i with its ub in the other, and moves blocks that wait to main memory. Here res and cnt have a part of
// their own, so that a table that fills its part can still be extended, and another part keeps blocks that wait as long
// as there is room; only what does not fit there goes to main memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/subgraph_matching/fsig/memory.hpp"
#include "algorithms/subgraph_matching/fsig/steps.hpp"

namespace warpbench::matching::fsig {

/// Rows that wait, last in, first out.
class ParkedRows {
 public:
  /// Nothing waits; `device` is where rows go first.
  void begin(View<std::byte> device);

  /// What is above a mark is given back by release().
  struct Mark {
    std::int64_t device_used;
    std::size_t chunk;
    std::int64_t chunk_used;
  };
  struct Place {
    Vertex* rows;
    bool on_device;
  };
  [[nodiscard]] Mark mark() const { return mark_; }
  void release(const Mark& mark) { mark_ = mark; }
  /// Copies rows, in stream order. Throws OutOfDeviceMemory where the host has no memory left, either.
  Place park(View<const Vertex> rows, Stream& stream);
  /// Bytes now on the device.
  [[nodiscard]] std::int64_t device_bytes() const { return mark_.device_used; }

 private:
  Vertex* take_on_host(std::int64_t bytes);

  View<std::byte> device_;
  std::vector<PinnedBuffer<std::byte>> chunks_;  ///< stay for the next query
  Mark mark_{};
};

/// A table's memory and that of its bounds: one of the two parts that take turns.
class TablePart {
 public:
  TablePart() = default;
  explicit TablePart(View<std::byte> memory) : memory_(memory) {}

  /// The most rows with bounds.
  [[nodiscard]] std::int64_t most_rows(std::int64_t columns) const;
  [[nodiscard]] Table table(std::int64_t rows, std::int64_t columns) const;
  /// rows + 1 of them, behind the table.
  [[nodiscard]] View<std::int64_t> bounds(const Table& table) const;
  static std::int64_t bytes(std::int64_t rows, std::int64_t columns);

 private:
  View<std::byte> memory_;
};

class Tables {
 public:
  /// Takes `bytes` of `memory`, or a little more where they would not do for one row of `widest` columns.
  void begin(std::int64_t bytes, std::int64_t widest, QueryMemory& memory);

  [[nodiscard]] const TablePart& part(std::size_t i) const { return parts_[i]; }
  /// For cnt and, behind it, res where there is `with_results`: so many list elements can be joined at once.
  [[nodiscard]] std::int64_t most_elements(bool with_results) const;
  [[nodiscard]] View<std::int64_t> places(std::int64_t tiles) const;
  [[nodiscard]] View<Result> results(std::int64_t tiles) const;
  [[nodiscard]] View<BlockStart> block_starts(std::int64_t at_most) const;
  ParkedRows& parked() { return parked_; }

 private:
  std::array<TablePart, 2> parts_;
  View<std::byte> results_;
  ParkedRows parked_;
};

}  // namespace warpbench::matching::fsig
