#include "datasets/loaders/graphs/query_files.hpp"

#include <algorithm>
#include <span>
#include <system_error>
#include <utility>

#include "datasets/input_error.hpp"
#include "datasets/loaders/archive_names.hpp"
#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {
namespace {

bool is_digit(char character) noexcept {
  return character >= '0' && character <= '9';
}

/// Takes the run of digits at the front of `text`, without leading zeros.
std::string_view take_number(std::string_view& text) noexcept {
  std::size_t length = 0;
  while (length < text.size() && is_digit(text[length])) ++length;
  std::string_view digits = text.substr(0, length);
  text.remove_prefix(length);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

bool is_tar_name(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return name.find(".tar") != std::string::npos || name.ends_with(".tgz");
}

bool is_wanted(std::string_view name, const std::string& match) noexcept {
  const bool graph = name.ends_with(".graph") || name.ends_with(".igraph");
  return graph && !name.starts_with('.') && name.starts_with(match);
}

std::string name_of(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);  // npos + 1 is 0
}

[[noreturn]] void refuse_none(const std::string& file, const std::string& match, std::size_t others) {
  throw InputError(file, 0,
                   match.empty()
                       ? "query graphs, files that end in .graph or .igraph"
                       : "query graphs, files whose names begin with \"" + match + "\" and end in .graph or .igraph",
                   others == 0 ? "none" : std::to_string(others) + " others");
}

std::vector<QueryFile> files_of_archive(const Text& archive, const std::string& match) {
  std::vector<QueryFile> files;
  std::size_t others = 0;
  visit_tar(archive.bytes, archive.file, [&](const std::string& path, std::string_view bytes) {
    std::string name = name_of(path);
    if (is_wanted(name, match)) {
      files.push_back({std::move(name), {archive.owner, bytes, archive.file + ':' + path}});
    } else {
      ++others;
    }
    return true;
  });
  if (files.empty()) refuse_none(archive.file, match, others);
  std::ranges::sort(files, natural_less, &QueryFile::name);
  return files;
}

/// Drops the queries' edge labels if all are 0 and the data have none: the study's query graphs have label 0 on every
/// edge.
void drop_labels_that_say_nothing(const LabelledGraph& data, LabelledGraph& query) {
  const auto says_nothing = [](std::uint32_t label) { return label == 0; };
  if (!data.has_edge_labels() && std::ranges::all_of(query.edge_labels, says_nothing)) query.edge_labels = {};
}

LabelledGraph parse_query(const QueryFile& file, const QueryFormat& format, const LabelledGraph& data) {
  Content content = parse(file.text, format.name, format.options, 1);
  auto& query = std::get<LabelledGraph>(content.data);
  if (const std::int64_t reached = reached_from_first(query.graph); reached != query.vertices()) {
    throw InputError(
        file.text.file, 0, "a connected query",
        "one of whose " + std::to_string(query.vertices()) + " vertices " + std::to_string(reached) + " hang together",
        "ask for each part by itself");
  }
  drop_labels_that_say_nothing(data, query);
  if (query.edges() > 0 && data.edges() > 0 && query.has_edge_labels() != data.has_edge_labels()) {
    throw InputError(
        file.text.file, 0,
        data.has_edge_labels() ? "edge labels, as the data graph has" : "no edge labels, as in the data graph",
        data.has_edge_labels() ? "none" : "some");
  }
  return std::move(query);
}

}  // namespace

bool natural_less(std::string_view left, std::string_view right) noexcept {
  std::string_view a = left;
  std::string_view b = right;
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const std::string_view m = take_number(a);
      const std::string_view n = take_number(b);
      if (m.size() != n.size()) return m.size() < n.size();
      if (m != n) return m < n;
    } else {
      if (a.front() != b.front()) return static_cast<unsigned char>(a.front()) < static_cast<unsigned char>(b.front());
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  if (a.empty() != b.empty()) return a.empty();
  return left < right;  // equal as numbers, such as 01 and 1
}

std::vector<std::filesystem::path> query_paths(const std::filesystem::path& path, const std::string& match) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<std::filesystem::path> paths;
  std::size_t others = 0;
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(path, failure)) {
    if (is_wanted(entry.path().filename().string(), match)) {
      paths.push_back(entry.path());
    } else {
      ++others;
    }
  }
  if (failure) throw InputError(path.string(), 0, "a readable folder", failure.message());
  if (paths.empty()) refuse_none(path.string(), match, others);
  std::ranges::sort(paths, natural_less, [](const auto& one) { return one.filename().string(); });
  return paths;
}

std::optional<std::vector<std::string>> query_names(const std::filesystem::path& path, const std::string& match) {
  std::vector<std::string> names;
  if (std::filesystem::is_directory(path)) {
    for (const auto& one : query_paths(path, match)) names.push_back(one.filename().string());
    return names;
  }
  const std::optional<std::vector<std::string>> archived = archive_names(path);
  if (!archived) {
    if (is_tar_name(path)) return std::nullopt;  // a packed one that unpacks to very much
    if (!path.filename().string().starts_with(match)) refuse_none(path.string(), match, 1);
    return std::vector{path.filename().string()};
  }
  for (const std::string& one : *archived) {
    if (std::string name = name_of(one); is_wanted(name, match)) names.push_back(std::move(name));
  }
  if (names.empty()) refuse_none(path.string(), match, archived->size());
  std::ranges::sort(names, natural_less);
  return names;
}

std::vector<QueryFile> read_query_files(const std::filesystem::path& path, const std::string& member,
                                        const std::string& match, std::int64_t max_inflation) {
  if (std::filesystem::is_directory(path)) {
    std::vector<QueryFile> files;
    for (const auto& one : query_paths(path, match)) {
      files.push_back({one.filename().string(), read_text(one, {}, max_inflation)});
    }
    return files;
  }
  Text text = read_text(path, member, max_inflation);
  if (member.empty() && is_tar(text.bytes)) return files_of_archive(text, match);
  std::string name = name_of(member.empty() ? path.string() : member);
  if (!name.starts_with(match)) refuse_none(text.file, match, 1);
  return {{std::move(name), std::move(text)}};
}

Content with_query_files(LabelledGraph data, const std::vector<QueryFile>& files, std::int64_t first,
                         const QueryFormat& format, const std::string& where) {
  if (first > static_cast<std::int64_t>(files.size())) {
    throw InputError(where, 0, "at least " + std::to_string(first) + " queries", std::to_string(files.size()));
  }
  const std::size_t count = first == 0 ? files.size() : static_cast<std::size_t>(first);
  std::vector<LabelledGraph> queries;
  std::vector<char> names;
  for (const QueryFile& file : std::span(files).first(count)) {
    queries.push_back(parse_query(file, format, data));
    names.insert(names.end(), file.name.begin(), file.name.end());
    names.push_back('\n');
  }
  Content content;
  content.data = with_queries(std::move(data), queries);
  content.query_names = std::move(names);
  return content;
}

}  // namespace warpbench::datasets
