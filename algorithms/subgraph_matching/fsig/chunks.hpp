// Chunks of fsig's tables (the blocks of yu2023 §5.3.3): rows, and which of their list elements extend them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/subgraph_matching/fsig/steps.hpp"
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

  [[nodiscard]] std::int64_t elements() const { return last - first; }
};

/// The most list elements of a chunk where only some matches are asked for and `ended` chunks have ended. Chunks are
/// small, so that the first match comes soon, and double with every eighth, so that a query of few matches does not
/// take ever so many.
[[nodiscard]] std::int64_t elements_of_first_chunks(std::int64_t ended);

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
