// The candidates of all query vertices, as the filter of fsig makes them and as its other steps read them: bitmaps, and
// from these arrays and ranks by a scan (line 2 of Algorithm 7, yu2023 §5.3.1).
#pragma once

#include <cstdint>

#include "device/arena.hpp"
#include "device/stream.hpp"
#include "problems/subgraph_matching/graph.hpp"

namespace warpbench::matching::fsig {

/// 32 vertices of a bitmap, and how many members of the set come before them.
struct alignas(8) RankWord {
  std::uint32_t before;
  std::uint32_t bits;
};

/// C(u) of all query vertices: as bitmaps with ranks, and as arrays.
struct Candidates {
  View<RankWord> words;        ///< of query vertex u from u * words_per_set on
  View<Vertex> vertices;       ///< C'(u), ascending, one set after the other
  View<std::int64_t> offsets;  ///< of the sets in `vertices`: query vertices + 1
  std::int64_t words_per_set;
  std::int64_t query_vertices;
};

/// The sets as they are filtered: bitmaps, and the members in each part of kWordsPerPart words of them.
struct CandidateBitmaps {
  static constexpr std::int64_t kWordsPerPart = 512;

  View<std::uint32_t> bits;  ///< of query vertex u from u * words on
  View<std::uint32_t> part_counts;
  std::int64_t words;
  std::int64_t parts;  ///< of a bitmap
  std::int64_t query_vertices;
};

/// Memory for a set of data vertices for each query vertex.
[[nodiscard]] CandidateBitmaps take_bitmaps(std::int64_t query_vertices, std::int64_t data_vertices, Arena& arena);
/// The same in so many words of memory.
[[nodiscard]] std::int64_t words_of_bitmaps(std::int64_t query_vertices, std::int64_t data_vertices);
[[nodiscard]] CandidateBitmaps bitmaps_in(View<std::uint32_t> memory, std::int64_t query_vertices,
                                          std::int64_t data_vertices);
[[nodiscard]] Candidates take_candidates(const CandidateBitmaps& sets, std::int64_t max_candidates, Arena& arena);

/// Counts the members of each part from the bitmaps.
void count_members(const CandidateBitmaps& sets, Stream& stream);
/// Makes the arrays and ranks of the bitmaps, which stay as they are. `part_counts` must be those of the bitmaps: by
/// count_members(), or kept as bits are set and cleared.
void compact(const CandidateBitmaps& sets, const Candidates& candidates, Stream& stream);

}  // namespace warpbench::matching::fsig
