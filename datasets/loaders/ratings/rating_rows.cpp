#include "datasets/loaders/ratings/rating_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "datasets/input_error.hpp"
#include "datasets/loaders/line_chunks.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

constexpr std::size_t kIdGrain = std::size_t{1} << 16U;

/// The rows of all chunks in order as three arrays, ids less the lowest one.
RatingList joined(std::vector<RatingChunk>& chunks, std::uint32_t lowest, int threads) {
  std::vector<std::size_t> starts{0};
  for (const RatingChunk& chunk : chunks) starts.push_back(starts.back() + chunk.rows.size());
  std::vector<std::uint32_t> users(starts.back());
  std::vector<std::uint32_t> items(starts.back());
  std::vector<float> values(starts.back());
  for_chunks(chunks.size(), 1, threads, [&](std::size_t c, std::size_t, std::size_t) {
    std::size_t at = starts[c];
    for (const RatingRow& row : chunks[c].rows) {
      users[at] = row.user - lowest;
      items[at] = row.item - lowest;
      values[at++] = row.value;
    }
    chunks[c].rows = {};
  });
  return {std::move(users), std::move(items), std::move(values)};
}

struct Highest {
  std::uint64_t id = 0;
  std::uint64_t line = 0;
};

/// The first line with the highest of the chunks' ids.
Highest highest_of(const std::vector<RatingChunk>& chunks, std::uint32_t RatingChunk::*id,
                   std::uint64_t RatingChunk::*line) {
  Highest highest;
  for (const RatingChunk& chunk : chunks) {
    if (chunk.*line != 0 && (highest.line == 0 || chunk.*id > highest.id)) highest = {chunk.*id, chunk.*line};
  }
  return highest;
}

/// The different ids, ascending.
std::vector<std::uint32_t> distinct_ids(const Array<std::uint32_t>& all) {
  std::vector<std::uint32_t> ids(all.begin(), all.end());
  std::ranges::sort(ids);
  ids.erase(std::ranges::unique(ids).begin(), ids.end());
  ids.shrink_to_fit();
  return ids;
}

}  // namespace

Content compacted_ratings(Ratings ratings, int threads) {
  std::vector<std::uint32_t> original = distinct_ids(ratings.train.users);
  const std::vector<std::uint32_t> items = distinct_ids(ratings.train.items);
  ratings.shape = std::vector<std::uint64_t>{original.size(), items.size()};
  ratings.train.users = places_of(ratings.train.users.span(), original, threads);
  ratings.train.items = places_of(ratings.train.items.span(), items, threads);
  original.insert(original.end(), items.begin(), items.end());
  return {std::move(ratings), {}, std::move(original)};
}

namespace {

void check_highest(const std::string& file, const char* what, const Highest& highest, std::uint64_t ratings) {
  if (highest.id < max_ids(ratings)) return;
  throw InputError(file, highest.line,
                   std::string(what) + " ids below " + std::to_string(max_ids(ratings)) + " for " +
                       std::to_string(ratings) + " ratings",
                   std::to_string(highest.id), "set relabel: compact");
}

}  // namespace

void RatingChunk::add(const RatingRow& row, std::uint64_t line) {
  rows.push_back(row);
  if (row.user > highest_user || highest_user_line == 0) {
    highest_user = row.user;
    highest_user_line = line;
  }
  if (row.item > highest_item || highest_item_line == 0) {
    highest_item = row.item;
    highest_item_line = line;
  }
}

OptionDeclaration relabel_option(RatingIds first) {
  std::vector<std::string> choices{"compact", "none", "from_one"};
  std::swap(choices[0], choices[static_cast<std::size_t>(first)]);
  return {"relabel", std::move(choices),
          "number the ids that occur from 0, ascending; keep ids (users = highest id + 1); or take 1 from each"};
}

RatingIds rating_ids_of(const Options& options) {
  const std::string& word = options.at("relabel");
  return word == "compact" ? RatingIds::compact : word == "none" ? RatingIds::none : RatingIds::from_one;
}

std::vector<RatingChunk> read_rating_chunks(std::string_view body, std::uint64_t first_line, const std::string& file,
                                            int threads,
                                            const std::function<void(LineReader& lines, RatingChunk& chunk)>& read) {
  const std::vector<LineChunk> lines = chunks_of_lines(body, first_line, threads);
  std::vector<RatingChunk> chunks(lines.size());
  for_chunks(lines.size(), 1, threads, [&](std::size_t i, std::size_t, std::size_t) {
    LineReader reader(lines[i].bytes, file, lines[i].first_line);
    read(reader, chunks[i]);
  });
  return chunks;
}

Content ratings_content(const std::string& file, std::vector<RatingChunk> chunks, RatingIds ids,
                        const std::optional<DeclaredShape>& declared, int threads) {
  const Highest user = highest_of(chunks, &RatingChunk::highest_user, &RatingChunk::highest_user_line);
  const Highest item = highest_of(chunks, &RatingChunk::highest_item, &RatingChunk::highest_item_line);
  if (user.line == 0) throw InputError(file, 0, "at least one rating", "none");
  Ratings ratings;
  ratings.train = joined(chunks, static_cast<std::uint32_t>(lowest_id(ids)), threads);
  if (ids == RatingIds::compact) return compacted_ratings(std::move(ratings), threads);
  if (declared) {
    ratings.shape = std::vector<std::uint64_t>{declared->users, declared->items};
  } else {
    const auto count = static_cast<std::uint64_t>(ratings.train.count());
    check_highest(file, "user", user, count);
    check_highest(file, "item", item, count);
    ratings.shape = std::vector<std::uint64_t>{user.id + 1 - lowest_id(ids), item.id + 1 - lowest_id(ids)};
  }
  return {std::move(ratings), {}, {}};
}

Array<std::uint32_t> looked_up(const Array<std::uint32_t>& ids, std::span<const std::uint32_t> table, int threads) {
  std::vector<std::uint32_t> values(ids.size());
  for_chunks(ids.size(), kIdGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) values[i] = table[ids[i]];
  });
  return values;
}

std::vector<std::uint32_t> places_of(std::span<const std::uint32_t> ids, std::span<const std::uint32_t> sorted,
                                     int threads) {
  std::vector<std::uint32_t> places(ids.size());
  for_chunks(ids.size(), kIdGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      places[i] = static_cast<std::uint32_t>(std::ranges::lower_bound(sorted, ids[i]) - sorted.begin());
    }
  });
  return places;
}

void split_fields(const LineReader& line, std::string_view separator, std::string_view what,
                  std::span<std::string_view> fields) {
  std::string_view rest = line.line();
  std::size_t found = 1;
  for (;; ++found) {
    const std::size_t end = rest.find(separator);
    if (found <= fields.size()) fields[found - 1] = rest.substr(0, end);
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + separator.size());
  }
  if (found == fields.size()) return;
  line.fail(std::string(what),
            line.line().empty() ? "a blank line" : std::to_string(found) + (found == 1 ? " field" : " fields"));
}

std::uint64_t number_of_field(const LineReader& line, std::string_view field, std::string_view what, std::uint64_t low,
                              std::uint64_t high) {
  std::uint64_t number = 0;
  if (!parse_whole(field, number) || number < low || number > high) {
    line.fail(std::string(what) + " from " + std::to_string(low) + " to " + std::to_string(high), shown_field(field));
  }
  return number;
}

float rating_of_field(const LineReader& line, std::string_view field) {
  double rating = 0;
  // std::from_chars takes no plus, which the programs that read these files do.
  const std::string_view digits = field.starts_with('+') && !field.starts_with("+-") ? field.substr(1) : field;
  if (!parse_whole(digits, rating) || !(std::abs(rating) <= double{std::numeric_limits<float>::max()})) {
    line.fail("a finite number that a float holds as a rating", shown_field(field));
  }
  return static_cast<float>(rating);
}

}  // namespace warpbench::datasets
