// Chunks of fsig's tables (the blocks of yu2023 §5.3.3): rows, and which of their list elements extend them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/subgraph_matching/fsig/enumeration/steps.hpp"
#include "algorithms/subgraph_matching/match_table.hpp"

namespace warpbench::matching::fsig {

/// A chunk's `last` where it is to be extended by all list elements, whose number only the device knows so far.
inline constexpr std::int64_t kUnread = -1;

/// Rows in one of the two buffers, to be extended by list elements [first, last).
struct FrontierChunk {
  std::size_t buffer;
  MatchTable table;
  std::int64_t last = kUnread;
  std::int64_t first = 0;
  std::int64_t kept_rows = kUnread;  ///< those behind them wait since the chunk was cut

  [[nodiscard]] std::int64_t elements() const { return last - first; }
  [[nodiscard]] std::int64_t end_row() const { return kept_rows == kUnread ? table.rows : kept_rows; }
  /// Leaves the list elements from `element` on, which is in the row of `start`, to others.
  void cut(const ChunkStart& start, std::int64_t element) {
    last = element;
    kept_rows = start.row + (element > start.bound ? 1 : 0);
  }
};

/// The room that a chunk finds which is to be extended to rows of `width` vertices.
struct ChunkRoom {
  std::int64_t elements;          ///< of the joined lists, in res and cnt
  std::int64_t rows;              ///< of the next table, with their bounds
  std::int64_t waiting_vertices;  ///< of rows that may wait on the device yet; below 0 where it has too little
  int width;
};

/// The most list elements of a chunk, by the estimate of Eq. 5.6: `alpha` rows an element. At least 1.
[[nodiscard]] std::int64_t max_chunk_elements(const ChunkRoom& room, double alpha);

/// The same where only some matches are asked for and `begun` chunks have begun. Chunks are small, so that the first
/// match comes soon, and double with every eighth, so that a query of few matches does not end in very many. Those that
/// wait keep their size. The smallest have 2^20 elements, or 1/64 of `room.elements` if that is less. All rows that a
/// larger chunk makes can wait in half of the room that is left, so that it sends none to the host: what waits takes no
/// more than the device's part and, for each level, the rows of the smallest chunk.
[[nodiscard]] std::int64_t max_first_chunk_elements(const ChunkRoom& room, double alpha, std::int64_t begun);

/// Rows that wait, among the parked ones or where the filter left them.
struct WaitingChunk {
  std::int64_t place;  ///< of the first vertex, among what is parked or, for rows of one vertex, in C(φ[1])
  std::int64_t rows;
  int width;
  std::int64_t first;
  std::int64_t last = kUnread;
  std::optional<std::int64_t> release;  ///< all that is parked from there on is done with once these are taken
};

/// The list elements of `chunk` from `first` on, `step` in each: they begin at `starts`, and the rows from the first of
/// these on are parked at `place`.
[[nodiscard]] std::vector<WaitingChunk> rest_in_chunks(const FrontierChunk& chunk, std::int64_t first,
                                                       std::int64_t step, std::span<const ChunkStart> starts,
                                                       std::int64_t place);

}  // namespace warpbench::matching::fsig
