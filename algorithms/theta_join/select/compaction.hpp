// Compaction: the document's compression of an output with a cell for each pair (bellas2022 §3.4.3): the rows of the
// cells whose pair matches, without gaps.
#pragma once

#include <cstdint>

#include "device/buffer.hpp"
#include "device/digest.cuh"
#include "device/stream.hpp"
#include "device/view.hpp"
#include "problems/theta_join/rows.hpp"

namespace warpbench::theta {

/// A cell a pair: its row, and whether it matches. A row without a match may hold anything.
struct Cells {
  View<Row> rows;
  View<std::uint8_t> matches;
};

class Compaction {
 public:
  /// Device bytes of a cell, with what the compaction of it takes; the copy for the compact rows is not among them.
  static constexpr std::int64_t kCellBytes = static_cast<std::int64_t>(kRowBytes) + 2;

  /// Cells for `count` pairs; the memory stays for as many as long as this object lives.
  [[nodiscard]] Cells cells(std::int64_t count, Stream& stream);
  /// Enqueues the rows of the last cells() that match to `rows`, in order, and their number to count[0].
  void compact(View<Row> rows, View<DigestWord> count, Stream& stream);

 private:
  std::int64_t count_ = 0;
  Buffer<Row> rows_;
  Buffer<std::uint8_t> matches_;
  Buffer<std::int32_t> tile_counts_;
  Buffer<std::int64_t> tile_places_;
};

}  // namespace warpbench::theta
