#include "datasets/loaders/ratings/csv_ratings.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "datasets/input_error.hpp"
#include "datasets/loaders/delimited/table.hpp"
#include "datasets/loaders/name_numbers.hpp"
#include "datasets/loaders/ratings/rating_rows.hpp"

namespace warpbench::datasets {
namespace {

const std::array<std::string, 3> kParts{"user", "item", "rating"};

float rating_of(const Table& table, const LineReader& lines, std::string_view field, std::size_t column) {
  double rating = 0;
  if (parse_whole(field, rating) && std::abs(rating) <= double{std::numeric_limits<float>::max()})
    return static_cast<float>(rating);
  table.fail_field(lines, "a finite number that a float holds", field, column, kParts[2]);
}

/// Ratings of users and items that have names. They are numbered in the file's order, so one thread reads them.
RatingChunk named_ratings(const std::string& file, const Table& table, std::span<const std::size_t> columns) {
  std::array<NameNumbers, 2> names;
  RatingChunk ratings;
  LineReader reader(table.body(), file, table.first_line());
  table.each_row(reader, columns, [&](std::span<const std::string_view> fields) {
    refuse_zero_byte(reader);
    std::array<std::uint32_t, 2> pair{};
    for (std::size_t c = 0; c < pair.size(); ++c) {
      if (fields[c].empty()) table.fail_field(reader, "a name", fields[c], columns[c], kParts[c]);
      pair[c] = names[c].number_of(fields[c]);
      if (names[c].size() > kMaxRatingId) reader.fail("at most " + std::to_string(kMaxRatingId) + " names", "more");
    }
    ratings.add({pair[0], pair[1], rating_of(table, reader, fields[2], columns[2])}, reader.number());
  });
  return ratings;
}

}  // namespace

std::vector<OptionDeclaration> csv_ratings_options() {
  std::vector<OptionDeclaration> all{
      {kParts[0],
       {"ask"},
       "the column of the users: its number, counted from 0, or with header: names its name; ask: the first of three",
       true},
      {kParts[1], {"ask"}, "the column of the items, likewise", true},
      {kParts[2], {"ask"}, "the column of the ratings, likewise", true},
      relabel_option(RatingIds::compact),
      ids_option("users, and likewise items,")};
  for (OptionDeclaration& option : table_options()) all.push_back(std::move(option));
  return all;
}

Content parse_csv_ratings(const Text& text, const Options& options, int threads) {
  const RatingIds ids = rating_ids_of(options);
  const std::uint64_t lowest = lowest_id(ids);
  const Table table(text, options, "rating");
  const std::vector<std::size_t> columns = table.columns_of(options, kParts);
  if (options.at("ids") == "names") {
    if (ids == RatingIds::from_one)
      throw InputError(text.file, 0, "ids that count from 1", "names", "leave out relabel");
    return ratings_content(text.file, {named_ratings(text.file, table, columns)}, ids, std::nullopt, threads);
  }
  const auto read = [&](LineReader& lines, RatingChunk& chunk) {
    table.each_row(lines, columns, [&](std::span<const std::string_view> fields) {
      std::array<std::uint32_t, 2> pair{};
      for (std::size_t c = 0; c < pair.size(); ++c) {
        if (parse_whole(fields[c], pair[c]) && pair[c] >= lowest && pair[c] <= kMaxRatingId) continue;
        table.fail_field(lines, "an id from " + std::to_string(lowest) + " to " + std::to_string(kMaxRatingId),
                         fields[c], columns[c], kParts[c], kSayNames);
      }
      chunk.add({pair[0], pair[1], rating_of(table, lines, fields[2], columns[2])}, lines.number());
    });
  };
  return ratings_content(text.file, read_rating_chunks(table.body(), table.first_line(), text.file, threads, read), ids,
                         std::nullopt, threads);
}

}  // namespace warpbench::datasets
