// The steps of fsig's enumeration (yu2023 Algorithm 8) on the device: upper bounds of a level, the join of partial
// matches with the lists of A, the output schemes, and the counts and digests of the matches.
//
// Lists are cut into tiles of kTile elements, found by binary search in the scanned bounds. A block takes a tile,
// whatever rows it belongs to, so that a long list keeps no warp busy alone. Hence `cnt` counts the results of a tile
// instead of a row's, and `res` says of each result which row it extends. Load and Intersect of Algorithm 8 are one
// pass: an element is tested against the row and then looked for in the lists of all other backward neighbours.
#pragma once

#include <algorithm>
#include <cstdint>

#include "algorithms/subgraph_matching/fsig/auxiliary.hpp"
#include "algorithms/subgraph_matching/match_table.hpp"
#include "device/integers.hpp"

namespace warpbench::matching::fsig {

inline constexpr std::int64_t kTile = 512;
/// The tiles of so many list elements.
constexpr std::int64_t tiles_of(std::int64_t elements) {
  return ceil_div(elements, kTile);
}

/// The way a level extends partial matches.
struct DeviceLevel {
  View<const BackwardEdge> backward;    ///< w first, then the others
  View<const std::uint32_t> colliding;  ///< columns that the new vertex must differ from
  Vertex vertex;
};

/// Enqueues bounds[r] = the elements of row r's list (ub of Algorithm 8), and a 0 behind the last: rows + 1 of them.
void find_bounds(const MatchTable& table, const DeviceLevel& level, const Auxiliary& auxiliary,
                 View<std::int64_t> bounds, Stream& stream);

/// A row and where its list begins, for list element first + i * step.
struct ChunkStart {
  std::int64_t row;
  std::int64_t bound;
};
void find_chunk_starts(View<const std::int64_t> bounds, std::int64_t first, std::int64_t step, View<ChunkStart> starts,
                       Stream& stream);

/// Enqueues rows [first, last) of a copy of the table in another order, of which any few rows that follow one another
/// come from all over the table. `rows` has room for them, and is none of the table's memory.
void spread_rows(const MatchTable& table, std::int64_t first, std::int64_t last, View<Vertex> rows, Stream& stream);

/// A data vertex that extends a partial match: res of Algorithm 8.
struct alignas(8) Result {
  std::uint32_t row;
  Vertex vertex;
};

/// The extension of a table by list elements [first, last). bounds[r]: the elements of all rows before r.
struct TableExtension {
  MatchTable table;
  View<const std::int64_t> bounds;
  std::int64_t first;
  std::int64_t last;
  DeviceLevel level;
  Auxiliary auxiliary;

  [[nodiscard]] constexpr std::int64_t elements() const { return last - first; }
  [[nodiscard]] constexpr std::int64_t tiles() const { return tiles_of(elements()); }
  /// Tiles [begin, end) alone.
  [[nodiscard]] TableExtension part(std::int64_t begin, std::int64_t end) const {
    TableExtension some = *this;
    some.first = first + begin * kTile;
    some.last = std::min(last, first + end * kTile);
    return some;
  }
};

/// Enqueue: places[t] = the results of tile t, and a 0 behind the last: tiles + 1 of them. collect_results() also keeps
/// the results, a tile's from t * kTile on.
void count_results(const TableExtension& extension, View<std::int64_t> places, Stream& stream);
void collect_results(const TableExtension& extension, View<Result> results, View<std::int64_t> places, Stream& stream);

/// Enqueue the rows that results make; places[t]: the results of all tiles before t. By joining once more (two_phase);
/// a thread writing a row (prealloc_combine); the threads of a block writing all its rows side by side from shared
/// memory (one_star, §5.3.2).
void write_by_joining(const TableExtension& extension, View<const std::int64_t> places, View<Vertex> rows,
                      Stream& stream);
void write_by_rows(const TableExtension& extension, View<const Result> results, View<const std::int64_t> places,
                   View<Vertex> rows, Stream& stream);
void write_together(const TableExtension& extension, View<const Result> results, View<const std::int64_t> places,
                    View<Vertex> rows, Stream& stream);

/// The sums over matches: [0] and [1] are a number of 128 bits, the lower ones first; [2] is a digest.
using Totals = View<unsigned long long>;

/// Enqueue: add the number of results of an extension; the number of matches whose last levels are `leaves` of the
/// rows.
void count_matches(const TableExtension& extension, Totals totals, Stream& stream);
void count_leaves(const MatchTable& table, View<const DeviceLevel> leaves, const Auxiliary& auxiliary, Totals totals,
                  Stream& stream);
/// Adds the digests of rows that are whole matches; columns[c]: the query vertex of column c. False once `deadline` has
/// passed.
[[nodiscard]] bool digest_rows(const MatchTable& table, View<const Vertex> columns, Totals totals,
                               const Deadline& deadline, Stream& stream);

}  // namespace warpbench::matching::fsig
