#include "datasets/named_files.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "datasets/input_error.hpp"
#include "datasets/loaders/archive_names.hpp"
#include "datasets/loaders/formats.hpp"
#include "datasets/loaders/graphs/query_files.hpp"
#include "datasets/loaders/text.hpp"

namespace warpbench::datasets {

namespace {

/// Throws InputError if the archive lacks the member.
void check_member(const std::filesystem::path& path, const std::string& member) {
  std::optional<std::vector<std::string>> names;
  try {
    names = archive_names(path, member);
  } catch (const InputError&) {
    static_cast<void>(read_text(path, member));  // which says of a damaged archive what load() says
    throw;
  }
  if (names && std::ranges::find(*names, member) == names->end()) throw_no_member(path.string(), member, *names);
}

}  // namespace

void check_named_files(const Source& source, const FileSource& file, const std::filesystem::path& data_dir) {
  const auto path = locate(file, data_dir);
  if (!path) return;
  if (!file.member.empty()) {
    check_member(*path, file.member);
    return;
  }
  const bool is_of_queries = source.queries && &source.queries->file == &file;
  if (!is_of_queries || format_named(source.name, file.format).kind != Kind::LabelledGraph) return;
  const auto names = query_names(*path, source.queries->match);
  if (names && std::cmp_less(names->size(), source.queries->first)) {
    throw InputError(path->string(), 0, "at least " + std::to_string(source.queries->first) + " queries",
                     std::to_string(names->size()),
                     source.queries->match.empty() ? "" : "match: \"" + source.queries->match + "\" selects no more");
  }
}

}  // namespace warpbench::datasets
