// Shared by the loaders of edge lists: edges in the file's order become a graph.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// The number of lines, of which the last may lack its line feed.
[[nodiscard]] std::uint64_t line_count(std::string_view bytes);

/// Throws InputError at `line` if the highest of the file's ids is far above what so many edges may have.
void check_highest_id(const std::string& file, std::uint64_t id, std::uint64_t line, std::uint64_t edges);

/// The graph of edges between `vertices` vertices; with `compact` the ids that occur are numbered from 0, ascending,
/// and original_ids are those of the file. Self-loops and repeats are dropped and counted. Throws InputError if no
/// edge is left.
[[nodiscard]] Content edges_content(const Text& text, std::vector<Edge> edges, std::uint64_t vertices, bool compact,
                                    int threads);

}  // namespace warpbench::datasets
