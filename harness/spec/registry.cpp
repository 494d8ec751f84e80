#include "harness/spec/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "datasets/input_error.hpp"
#include "datasets/loaders/kind_rules.hpp"
#include "harness/spec/spec.hpp"
#include "harness/spec/yaml_values.hpp"

namespace warpbench::harness {
namespace {

/// The words, and the keys of second files.
std::vector<std::string> and_second_files(std::vector<std::string> words) {
  words.insert(words.end(), datasets::second_file_keys().begin(), datasets::second_file_keys().end());
  return words;
}

const std::vector<std::string>& entry_keys() {
  static const std::vector<std::string> kKeys =
      and_second_files({"kind", "stand_in", "title", "citation", "licence", "file", "format", "url", "sha256", "member",
                        "options", "generator", "parameters", "seed", "transforms", "expected", "published"});
  return kKeys;
}

/// A text, or "" (not known) if the key is missing or null.
std::string optional_text(const Section& section, const std::string& key, const std::string& what) {
  const YamlEntry* entry = section.find(key);
  if (entry == nullptr || entry->value->type == YamlNode::Type::null) return {};
  return read_text(*entry->value, what + ", " + key);
}

datasets::Properties properties_of(const YamlEntry* entry, const std::string& what) {
  return entry == nullptr ? datasets::Properties() : read_properties(*entry->value, what);
}

datasets::FileSource read_file(const Section& section, const std::string& what) {
  datasets::FileSource file;
  file.path = read_text(*section.need("file").value, what + ", file");
  file.format = read_text(*section.need("format").value, what + ", format");
  file.url = optional_text(section, "url", what);
  file.sha256 = optional_text(section, "sha256", what);
  file.member = optional_text(section, "member", what);
  if (const YamlEntry* options = section.find("options"))
    file.options = read_options(*options->value, what + ", options");
  return file;
}

datasets::GeneratorSource read_generator(const Section& section, const std::string& what) {
  datasets::GeneratorSource generator;
  generator.generator = read_text(*section.need("generator").value, what + ", generator");
  generator.parameters = properties_of(section.find("parameters"), what + ", parameters");
  if (const YamlEntry* seed = section.find("seed")) {
    generator.seed = static_cast<std::uint64_t>(
        read_integer(*seed->value, what + ", seed", 0, std::numeric_limits<std::int64_t>::max()));
  }
  return generator;
}

/// Refuses keys of the other origin, such as a URL for a generator or a seed for a file.
void check_origin(const Section& section, bool is_file, const std::string& what) {
  const std::vector<std::string> other = is_file ? std::vector<std::string>{"generator", "parameters", "seed"}
                                                 : and_second_files({"format", "url", "sha256", "member", "options"});
  for (const std::string& key : other) {
    if (const YamlEntry* extra = section.find(key))
      refuse(extra->place, fmt::format("{}: '{}' does not go with '{}'", what, key, is_file ? "file" : "generator"));
  }
}

datasets::Source read_entry(const YamlEntry& entry) {
  const std::string what = fmt::format("dataset '{}'", entry.key);
  const Section section(entry.value, what, entry_keys());
  datasets::Source source;
  source.name = entry.key;
  source.declared_at = fmt::format("{}:{}", *entry.place.file, entry.place.line);
  if (const YamlEntry* kind = section.find("kind")) {
    const std::string name = read_text(*kind->value, what + ", kind");
    source.kind = datasets::kind_from_string(name);
    if (!source.kind) {
      refuse(kind->value->place,
             fmt::format("{}: unknown kind '{}'{}", what, name, did_you_mean(name, datasets::kind_names())));
    }
  }
  if (const YamlEntry* stand_in = section.find("stand_in"))
    source.stand_in = read_flag(*stand_in->value, what + ", stand_in");
  source.title = optional_text(section, "title", what);
  source.citation = optional_text(section, "citation", what);
  source.licence = optional_text(section, "licence", what);
  const bool is_file = section.find("file") != nullptr;
  if (!is_file && section.find("generator") == nullptr)
    refuse(entry.place, fmt::format("{}: expected a key 'file' or 'generator', found none", what));
  check_origin(section, is_file, what);
  if (is_file) {
    const datasets::FileSource file = read_file(section, what);
    for (const std::string& key : datasets::second_file_keys()) {
      const YamlEntry* queries = section.find(key);
      if (queries == nullptr) continue;
      if (source.queries)
        refuse(queries->place, fmt::format("{}: expected '{}' or '{}', found both", what, source.queries->key, key));
      source.queries = read_queries(*queries, what, file);
    }
    source.from = file;
  } else {
    source.from = read_generator(section, what);
  }
  if (const YamlEntry* transforms = section.find("transforms")) source.transforms = read_transforms(*transforms->value);
  source.expected = properties_of(section.find("expected"), what + ", expected");
  source.published = properties_of(section.find("published"), what + ", published");
  try {
    datasets::validate(source);
  } catch (const datasets::InputError& error) {
    refuse(entry.place, fmt::format("{}: expected {}, found {}{}", what, error.expected(), error.found(),
                                    error.fix().empty() ? "" : " (" + error.fix() + ')'));
  }
  return source;
}

}  // namespace

datasets::Property read_property(const YamlNode& node, const std::string& what) {
  struct Convert {
    datasets::Property operator()(bool value) const { return std::int64_t{value ? 1 : 0}; }
    datasets::Property operator()(std::int64_t value) const { return value; }
    datasets::Property operator()(double value) const { return value; }
    datasets::Property operator()(const std::string& value) const { return value; }
  };
  return std::visit(Convert{}, read_value(node, what));
}

std::string read_option(const YamlNode& node, const std::string& what) {
  if (node.type != YamlNode::Type::list) return warpbench::to_string(read_value(node, what));
  std::string text;
  for (const Yaml& item : read_list(node, what))
    text += (text.empty() ? "" : ", ") + warpbench::to_string(read_value(*item, what));
  return text;
}

datasets::Options read_options(const YamlNode& map, const std::string& what) {
  datasets::Options options;
  for (const YamlEntry& entry : read_map(map, what))
    options[entry.key] = read_option(*entry.value, what + ", " + entry.key);
  return options;
}

datasets::QueriesSource read_queries(const YamlEntry& entry, const std::string& of,
                                     const datasets::FileSource& points) {
  const std::string what = of + ", " + entry.key;
  const Section section(entry.value, what,
                        {"file", "format", "url", "sha256", "member", "options", "match", "first", "counts"});
  datasets::QueriesSource queries;
  queries.key = entry.key;
  if (section.find("file") != nullptr) {
    queries.file.path = read_text(*section.need("file").value, what + ", file");
    queries.file.url = optional_text(section, "url", what);
    queries.file.sha256 = optional_text(section, "sha256", what);
  } else {
    queries.file.path = points.path;
    queries.file.url = points.url;
    queries.file.sha256 = points.sha256;
    static_cast<void>(section.need("member"));
  }
  const std::string format = optional_text(section, "format", what);
  queries.file.format = format.empty() ? points.format : format;
  queries.file.member = optional_text(section, "member", what);
  queries.match = optional_text(section, "match", what);
  if (const YamlEntry* counts = section.find("counts")) {
    const Section of_counts(counts->value, what + ", counts", {"file", "url", "sha256"});
    queries.counts.emplace();
    queries.counts->path = read_text(*of_counts.need("file").value, what + ", counts, file");
    queries.counts->url = optional_text(of_counts, "url", what + ", counts");
    queries.counts->sha256 = optional_text(of_counts, "sha256", what + ", counts");
  }
  if (const YamlEntry* options = section.find("options"))
    queries.file.options = read_options(*options->value, what + ", options");
  if (const YamlEntry* first = section.find("first"))
    queries.first = read_integer(*first->value, what + ", first", 1, std::numeric_limits<std::int64_t>::max());
  return queries;
}

datasets::Properties read_properties(const YamlNode& map, const std::string& what) {
  datasets::Properties properties;
  for (const YamlEntry& entry : read_map(map, what))
    properties[entry.key] = read_property(*entry.value, what + ", " + entry.key);
  return properties;
}

std::vector<datasets::TransformSource> read_transforms(const YamlNode& list) {
  std::vector<datasets::TransformSource> transforms;
  for (const Yaml& item : read_list(list, "transforms")) {
    if (item->type != YamlNode::Type::map) {
      transforms.push_back({read_text(*item, "transforms"), {}});
      continue;
    }
    if (item->entries.size() != 1)
      refuse(item->place, "transforms: expected a name or a map with one key, the transform");
    const YamlEntry& entry = item->entries[0];
    transforms.push_back({entry.key, read_properties(*entry.value, fmt::format("transform '{}'", entry.key))});
  }
  return transforms;
}

Registry read_registry(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  Registry registry;
  for (const auto& file : files) {
    const Yaml tree = parse_yaml(read_yaml_text(file), file.string());
    for (const YamlEntry& entry : read_map(*tree, "registry")) {
      datasets::Source source = read_entry(entry);
      const auto [first, fresh] = registry.emplace(entry.key, std::move(source));
      if (!fresh)
        refuse(entry.place,
               fmt::format("dataset '{}' is given twice, first at {}", entry.key, first->second.declared_at));
    }
  }
  return registry;
}

const Registry& registry(const std::filesystem::path& folder) {
  static std::map<std::filesystem::path, Registry> known;
  const auto found_at = known.find(folder);
  if (found_at != known.end()) return found_at->second;
  return known.emplace(folder, read_registry(folder / "datasets" / "registry")).first->second;
}

std::vector<std::string> names_of(const Registry& registry) {
  std::vector<std::string> names;
  for (const auto& [name, source] : registry) names.push_back(name);
  return names;
}

}  // namespace warpbench::harness
