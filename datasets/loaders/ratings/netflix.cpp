#include "datasets/loaders/ratings/netflix.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "datasets/loaders/ratings/rating_rows.hpp"

namespace warpbench::datasets {
namespace {

bool is_movie(std::string_view line) {
  return line.ends_with(':');
}

/// Whether the text has the form 2005-09-06.
bool is_day(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00";
  return std::ranges::equal(
      text, kForm, [](char found, char wanted) { return wanted == '-' ? found == '-' : found >= '0' && found <= '9'; });
}

std::uint32_t movie_of(const LineReader& line, std::uint64_t lowest) {
  const std::string_view text = line.line();
  return static_cast<std::uint32_t>(
      number_of_field(line, text.substr(0, text.size() - 1), "a movie id before the colon", lowest, kMaxRatingId));
}

/// The movie of a rating at the begin of a chunk: that of the last movie line before it. If a line before the chunk is
/// malformed, its own chunk's refusal is the one that counts.
std::uint32_t movie_before(const LineReader& rating, std::string_view before, std::uint64_t lowest) {
  const std::size_t colon = before.rfind(':');
  if (colon == std::string_view::npos) rating.fail("a movie before the first rating", quoted(rating.line()));
  before = before.substr(0, colon + 1);
  LineReader movie(before.substr(before.rfind('\n') + 1), rating.file());
  static_cast<void>(movie.next());
  return movie_of(movie, lowest);
}

}  // namespace

Content parse_netflix(const Text& text, const Options& options, int threads) {
  const RatingIds ids = rating_ids_of(options);
  const std::uint64_t lowest = lowest_id(ids);
  auto chunks = read_rating_chunks(text.bytes, 1, text.file, threads, [&](LineReader& lines, RatingChunk& chunk) {
    const auto start = static_cast<std::size_t>(lines.rest().data() - text.bytes.data());
    std::optional<std::uint32_t> movie;
    std::array<std::string_view, 3> fields;
    while (lines.next()) {
      if (is_movie(lines.line())) {
        movie = movie_of(lines, lowest);
        continue;
      }
      split_fields(lines, ",", "a movie id and a colon, or 3 fields, customer,rating,day", fields);
      const auto customer =
          static_cast<std::uint32_t>(number_of_field(lines, fields[0], "a customer id", lowest, kMaxRatingId));
      const float rating = rating_of_field(lines, fields[1]);
      if (!is_day(fields[2])) lines.fail("a day such as 2005-09-06", quoted(fields[2]));
      if (!movie) movie = movie_before(lines, text.bytes.substr(0, start), lowest);
      chunk.add({customer, *movie, rating}, lines.number());
    }
  });
  return ratings_content(text.file, std::move(chunks), ids, {}, threads);
}

}  // namespace warpbench::datasets
