#include "datasets/loaders/ratings/movielens.hpp"

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "datasets/loaders/ratings/rating_rows.hpp"

namespace warpbench::datasets {
namespace {

struct MovielensForm {
  std::string_view separator;
  std::string_view what;  // a line, in messages
  bool has_header = false;
};

MovielensForm form_of(LineReader& first) {
  constexpr std::string_view kHeader = "userId,movieId,rating,timestamp";
  static_cast<void>(first.next());
  if (first.line() == kHeader) return {",", "4 fields, userId,movieId,rating,timestamp", true};
  if (first.line().find("::") != std::string_view::npos) return {"::", "4 fields, user::item::rating::timestamp"};
  if (first.line().find('\t') != std::string_view::npos) {
    return {"\t", "4 fields, user, item, rating and timestamp, between tabs"};
  }
  first.fail("user::item::rating::timestamp, the same between tabs, or the header " + std::string(kHeader),
             first.line().empty() ? "a blank line" : quoted(first.line()));
}

}  // namespace

Content parse_movielens(const Text& text, const Options& options, int threads) {
  constexpr std::uint64_t kMaxTime = std::numeric_limits<std::int64_t>::max();
  const RatingIds ids = rating_ids_of(options);
  LineReader first(text.bytes, text.file);
  const MovielensForm form = form_of(first);
  const std::string_view body = form.has_header ? first.rest() : text.bytes;
  auto chunks =
      read_rating_chunks(body, form.has_header ? 2 : 1, text.file, threads, [&](LineReader& lines, RatingChunk& chunk) {
        std::array<std::string_view, 4> fields;
        while (lines.next()) {
          split_fields(lines, form.separator, form.what, fields);
          const auto id = [&](std::string_view field, std::string_view what) {
            return static_cast<std::uint32_t>(number_of_field(lines, field, what, lowest_id(ids), kMaxRatingId));
          };
          const RatingRow row{id(fields[0], "a user id"), id(fields[1], "an item id"),
                              rating_of_field(lines, fields[2])};
          static_cast<void>(number_of_field(lines, fields[3], "a timestamp", 0, kMaxTime));
          chunk.add(row, lines.number());
        }
      });
  return ratings_content(text.file, std::move(chunks), ids, {}, threads);
}

}  // namespace warpbench::datasets
