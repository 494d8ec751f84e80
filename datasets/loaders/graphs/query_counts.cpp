#include "datasets/loaders/graphs/query_counts.hpp"

#include <limits>

#include "datasets/loaders/line_reader.hpp"

namespace warpbench::datasets {

std::string_view stem_of(std::string_view name) noexcept {
  return name.substr(0, name.find('.'));
}

QueryCounts parse_query_counts(const Text& text) {
  QueryCounts counts;
  LineReader reader(text.bytes, text.file);
  while (reader.next()) {
    if (reader.at_end()) continue;
    const std::string_view name = reader.line().substr(0, reader.line().find_first_of(": \t"));
    if (stem_of(name).empty()) reader.fail("a query's name", quoted(reader.line()));
    // A reader without names parses the rest of the line, as a line of its own.
    LineReader rest(reader.line().substr(name.size()), text.file, reader.number());
    static_cast<void>(rest.next());
    static_cast<void>(rest.skip(':'));
    const std::uint64_t count = rest.number_field("a number of matches", 0, std::numeric_limits<std::uint64_t>::max());
    rest.expect_end();
    if (!counts.emplace(stem_of(name), count).second) reader.fail("each query once", quoted(name) + " again");
  }
  if (counts.empty()) reader.fail("at least one query's number of matches", "the end of the file");
  return counts;
}

}  // namespace warpbench::datasets
