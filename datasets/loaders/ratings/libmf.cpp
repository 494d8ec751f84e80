#include "datasets/loaders/ratings/libmf.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "datasets/input_error.hpp"
#include "datasets/loaders/ratings/rating_rows.hpp"

namespace warpbench::datasets {
namespace {

struct LibmfHead {
  std::string_view body;
  std::uint64_t entries = 0;
  std::optional<DeclaredShape> shape{};
};

/// A shape that ids are compacted in costs no memory: a test file may declare the whole matrix.
LibmfHead read_libmf_head(const Text& text, RatingIds ids) {
  constexpr std::uint64_t kMaxIds = kMaxRatingId + 1;
  LineReader reader(text.bytes, text.file);
  static_cast<void>(reader.next());
  DeclaredShape shape;
  shape.users = reader.number_field("a number of rows", 1, kMaxIds);
  shape.items = reader.number_field("a number of columns", 1, kMaxIds);
  const std::uint64_t possible = (reader.rest().size() + 1) / 6;  // shortest line: `0 0 1\n`
  const std::uint64_t entries = reader.number_field("a number of entries", 1, kMaxIds * kMaxIds);
  reader.expect_end();
  if (entries > possible) {
    reader.fail("at most " + std::to_string(possible) + " entries, as many as fit the file", std::to_string(entries));
  }
  for (const auto& [what, size] : {std::pair{" rows", shape.users}, std::pair{" columns", shape.items}}) {
    if (ids == RatingIds::compact || size <= max_ids(entries)) continue;
    reader.fail("at most " + std::to_string(max_ids(entries)) + what + " for that many entries", std::to_string(size));
  }
  return {reader.rest(), entries, shape};
}

}  // namespace

Content parse_libmf(const Text& text, const Options& options, int threads) {
  const RatingIds ids = rating_ids_of(options);
  const std::uint64_t lowest = lowest_id(ids);
  const bool counted = options.at("header") == "counts";
  const LibmfHead head = counted ? read_libmf_head(text, ids) : LibmfHead{text.bytes};
  // Ids that are to be compacted may begin with 0 or 1.
  const std::uint64_t first = ids == RatingIds::compact ? 1 : lowest;
  const std::uint64_t last_row = head.shape ? head.shape->users - 1 + first : kMaxRatingId;
  const std::uint64_t last_column = head.shape ? head.shape->items - 1 + first : kMaxRatingId;
  auto chunks =
      read_rating_chunks(head.body, counted ? 2 : 1, text.file, threads, [&](LineReader& lines, RatingChunk& chunk) {
        while (lines.next()) {
          const auto row = static_cast<std::uint32_t>(lines.number_field("a row", lowest, last_row));
          const auto column = static_cast<std::uint32_t>(lines.number_field("a column", lowest, last_column));
          const float value = rating_of_field(lines, lines.field());
          lines.expect_end();
          chunk.add({row, column, value}, lines.number());
        }
      });
  std::uint64_t entries = 0;
  for (const RatingChunk& chunk : chunks) entries += chunk.rows.size();
  if (counted && entries != head.entries) {
    throw InputError(text.file, 1, std::to_string(entries) + " entries, as many as follow",
                     std::to_string(head.entries), "the file is cut or its first line is no header");
  }
  return ratings_content(text.file, std::move(chunks), ids, head.shape, threads);
}

}  // namespace warpbench::datasets
