// Shared by the loaders of ratings: rows of a user, an item and a value, read in chunks of lines, become Ratings.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/loaders/formats.hpp"
#include "datasets/loaders/line_reader.hpp"

namespace warpbench::datasets {

inline constexpr std::uint64_t kMaxRatingId = static_cast<std::uint64_t>(kMaxRatingIds) - 1;

/// The maximum number of users, or of items, that a file with `ratings` ratings may claim: one without ratings costs a
/// file nothing, but memory in every solver.
[[nodiscard]] constexpr std::uint64_t max_ids(std::uint64_t ratings) noexcept {
  constexpr std::uint64_t kIdsPerRating = 64;
  constexpr std::uint64_t kIdsForAnyFile = 4096;
  return kIdsPerRating * ratings + kIdsForAnyFile;
}

struct RatingRow {
  std::uint32_t user = 0;
  std::uint32_t item = 0;
  float value = 0;
};

/// The ratings of a chunk of lines, with ids as in the file.
struct RatingChunk {
  std::vector<RatingRow> rows;
  std::uint32_t highest_user = 0;
  std::uint32_t highest_item = 0;
  std::uint64_t highest_user_line = 0;  // 0: no ratings
  std::uint64_t highest_item_line = 0;

  void add(const RatingRow& row, std::uint64_t line);
};

/// What a file's ids mean.
enum class RatingIds {
  compact,   // those that occur are numbered from 0, ascending
  none,      // they are the numbers of users and items
  from_one,  // the same plus 1
};

/// Option `relabel`, its default `first`.
[[nodiscard]] OptionDeclaration relabel_option(RatingIds first);
/// The choice of `relabel` in resolved options.
[[nodiscard]] RatingIds rating_ids_of(const Options& options);
/// The smallest id that a file may have.
[[nodiscard]] constexpr std::uint64_t lowest_id(RatingIds ids) noexcept {
  return ids == RatingIds::from_one ? 1 : 0;
}

/// Numbers of users and items that a file's header declares.
struct DeclaredShape {
  std::uint64_t users = 0;
  std::uint64_t items = 0;
};

/// Calls read(lines, chunk) for each run of whole lines of `body`, whose first line has number `first_line`; it adds
/// their rows to the chunk.
[[nodiscard]] std::vector<RatingChunk> read_rating_chunks(
    std::string_view body, std::uint64_t first_line, const std::string& file, int threads,
    const std::function<void(LineReader& lines, RatingChunk& chunk)>& read);

/// Makes Ratings, all for training, of a file's chunks. Their ids are at least the lowest one and, where a header
/// declares a shape, within it. Compacted, original_ids are those of the users, then those of the items. Throws
/// InputError if there are no ratings or, with the line of the highest id, too few for the ids.
/// O(ratings log ratings) if compacted, else O(ratings).
[[nodiscard]] Content ratings_content(const std::string& file, std::vector<RatingChunk> chunks, RatingIds ids,
                                      const std::optional<DeclaredShape>& declared, int threads);

/// Numbers the users and items that the training ratings name from 0, ascending by id; there are no test ratings.
/// original_ids are those of the users, then those of the items. O(ratings log ratings).
[[nodiscard]] Content compacted_ratings(Ratings ratings, int threads);

/// table[id] for each id.
[[nodiscard]] Array<std::uint32_t> looked_up(const Array<std::uint32_t>& ids, std::span<const std::uint32_t> table,
                                             int threads);

/// For each of `ids` its place in `sorted`, which has them all.
[[nodiscard]] std::vector<std::uint32_t> places_of(std::span<const std::uint32_t> ids,
                                                   std::span<const std::uint32_t> sorted, int threads);

/// Sets `fields` to the parts of the line between separators; refuses another number of them. `what` describes the line
/// in messages.
void split_fields(const LineReader& line, std::string_view separator, std::string_view what,
                  std::span<std::string_view> fields);

/// A field as a whole number from `low` to `high`; `what` names it in messages.
[[nodiscard]] std::uint64_t number_of_field(const LineReader& line, std::string_view field, std::string_view what,
                                            std::uint64_t low, std::uint64_t high);

/// A field as a finite number that a float holds.
[[nodiscard]] float rating_of_field(const LineReader& line, std::string_view field);

}  // namespace warpbench::datasets
