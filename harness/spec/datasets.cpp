// `datasets:` of a spec: names in the registry, registry entries with changed parameters, the user's own files, and
// data generated in place.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <span>

#include "datasets/generators/generators.hpp"
#include "datasets/input_error.hpp"
#include "datasets/io/digest.hpp"
#include "datasets/io/mapped_file.hpp"
#include "datasets/loaders/formats.hpp"
#include "datasets/loaders/kind_rules.hpp"
#include "datasets/transforms/transforms.hpp"
#include "harness/spec/spec.hpp"
#include "harness/spec/yaml_values.hpp"

namespace warpbench::harness {
namespace {

/// Holds parameters of the task for one dataset alone; no part of the data.
const std::string kTaskKey = "task";

/// Transforms that take a part of the data, and the keys that stand for them.
const std::set<std::string> kParts{"first", "largest"};

/// Keys besides the data that a problem may need. They are passed on as given, nested keys joined by dots.
const std::vector<std::string> kExtraKeys{"queries"};

bool is_extra(const std::string& key) {
  return std::ranges::find(kExtraKeys, key) != kExtraKeys.end();
}

void flatten(const YamlNode& node, const std::string& path, std::map<std::string, Value>& out) {
  if (node.type == YamlNode::Type::map) {
    for (const YamlEntry& entry : read_map(node, path)) flatten(*entry.value, path + '.' + entry.key, out);
  } else if (node.type == YamlNode::Type::list) {
    std::size_t index = 0;
    for (const Yaml& item : read_list(node, path)) flatten(*item, fmt::format("{}.{}", path, index++), out);
  } else {
    out[path] = read_value(node, path);
  }
}

template <typename Entry>
const Entry* entry_named(std::span<const Entry> all, const std::string& name) {
  const auto found_at = std::ranges::find(all, name, &Entry::name);
  return found_at == all.end() ? nullptr : &*found_at;
}

/// The kind of data that a source's format or generator gives; None for an unknown name.
datasets::Kind kind_from(const datasets::Source& source) {
  if (const auto* file = std::get_if<datasets::FileSource>(&source.from)) {
    const auto* format = entry_named(datasets::formats(), file->format);
    return format == nullptr ? datasets::Kind::None : format->kind;
  }
  const auto* generator =
      entry_named(datasets::generators(), std::get<datasets::GeneratorSource>(source.from).generator);
  return generator == nullptr ? datasets::Kind::None : generator->kind;
}

/// The kind of data after the source's queries and the transforms read so far.
datasets::Kind kind_so_far(const datasets::Source& source) {
  datasets::Kind kind = kind_from(source);
  if (const auto* queries = datasets::rules_of(kind).queries; source.queries && queries != nullptr) {
    kind = queries->gives();
  }
  for (const datasets::TransformSource& transform : source.transforms) {
    const auto* known = entry_named(datasets::transforms(), transform.name);
    if (known != nullptr && known->gives != datasets::Kind::None) kind = known->gives;
  }
  return kind;
}

/// Reads one dataset from a map.
class DatasetReader {
 public:
  DatasetReader(const YamlNode& map, const Registry& registry) : map_(map), registry_(registry) {}

  NamedDataset read() {
    choose_origin();
    for (const YamlEntry& entry : map_.entries) take(entry);
    name_it();
    return std::move(dataset_);
  }

 private:
  void choose_origin() {
    const YamlEntry* name = map_.find("name");
    const YamlEntry* file = map_.find("file");
    const YamlEntry* generator = map_.find("generator");
    if (file != nullptr && generator != nullptr)
      refuse(generator->place, "dataset: expected 'file' or 'generator', found both");
    if (file != nullptr) {
      own_file(*file->value);
    } else if (generator != nullptr) {
      dataset_.source.from = datasets::GeneratorSource{read_text(*generator->value, "dataset, generator"), {}, 1};
      dataset_.source.name = dataset_.source.title = generator->value->text;
    } else if (name != nullptr) {
      dataset_.source = registered(*name->value);
      return;
    } else {
      refuse(map_.place, "dataset: expected a key 'name', 'file' or 'generator', found none");
    }
    if (name != nullptr) given_name_ = read_text(*name->value, "dataset, name");
  }

  void own_file(const YamlNode& node) {
    datasets::FileSource file;
    file.path = read_text(node, "dataset, file");
    const YamlEntry* format = map_.find("format");
    if (format == nullptr)
      refuse(map_.place, fmt::format("dataset '{}': expected a key 'format', found none", file.path));
    file.format = read_text(*format->value, "dataset, format");
    dataset_.source.name = dataset_.source.title = file.path;
    dataset_.source.from = std::move(file);
  }

  const datasets::Source& registered(const YamlNode& node) const {
    const std::string name = read_text(node, "dataset, name");
    const auto found_at = registry_.find(name);
    if (found_at == registry_.end())
      refuse(node.place, fmt::format("unknown dataset '{}'{}", name, did_you_mean(name, names_of(registry_))));
    return found_at->second;
  }

  void take(const YamlEntry& entry) {
    if (kParts.contains(entry.key) && takes_part(entry)) return;
    static const std::set<std::string> kOrigin{"name", "file", "generator", "format", kTaskKey};
    if (kOrigin.contains(entry.key) && !(entry.key == "format" && !own_file())) return;
    if (is_extra(entry.key) && !belongs_to_data(entry)) return flatten(*entry.value, entry.key, dataset_.extra);
    if (entry.key == "transforms") {
      if (!own_file()) expect_before_next();
      for (datasets::TransformSource& transform : read_transforms(*entry.value)) {
        if (kParts.contains(transform.name)) expect_before_next();
        change(transform.name);
        for (const auto& [name, value] : transform.parameters)
          change(fmt::format("{}={}", name, datasets::to_string(value)));
        dataset_.source.transforms.push_back(std::move(transform));
      }
      if (own_file()) return;
      dataset_.source.kind.reset();  // the kind may change too; whether the problem accepts it is checked at the end
      return;
    }
    if (entry.key == "expected" && own_file()) {
      dataset_.source.expected = read_properties(*entry.value, "dataset, expected");
      return;
    }
    if (entry.key == "options" && own_file()) {
      std::get<datasets::FileSource>(dataset_.source.from)
          .options.merge(read_options(*entry.value, "dataset, options"));
      return;
    }
    if (auto* file = std::get_if<datasets::FileSource>(&dataset_.source.from)) {
      if (std::ranges::count(datasets::second_file_keys(), entry.key) > 0) return take_queries(*file, entry);
      take_file_option(*file, entry);
    } else {
      take_parameter(std::get<datasets::GeneratorSource>(dataset_.source.from), entry);
    }
    const bool listed = entry.value->type == YamlNode::Type::list;
    change(fmt::format("{}={}", entry.key,
                       listed ? read_option(*entry.value, "dataset, " + entry.key) : entry.value->text));
    if (own_file()) return;
    dataset_.source.expected.clear();  // the registry's facts describe its unchanged entry
    dataset_.source.published.clear();
  }

  /// Turns `first: N` and `largest: N` into the transforms of these names. Returns false if the kind of data has none.
  bool takes_part(const YamlEntry& entry) {
    const datasets::KindRules& rules = datasets::rules_of(kind_so_far(dataset_.source));
    const std::string& part = entry.key == "first" ? rules.first : rules.largest;
    if (part.empty()) return false;
    const std::int64_t count =
        read_integer(*entry.value, "dataset, " + entry.key, 1, std::numeric_limits<std::uint32_t>::max() - 1);
    expect_before_next();
    dataset_.source.transforms.push_back({entry.key, {{part, count}}});
    change(fmt::format("{}={}", entry.key, count));
    if (!own_file()) dataset_.source.published.clear();
    return true;
  }

  /// `expected` describes a file or an entry of the registry as it is, before the transforms that follow.
  void expect_before_next() {
    datasets::Source& source = dataset_.source;
    if (!source.expected_before) source.expected_before = source.transforms.size();
  }

  /// Whether `queries` are part of the data: files beside a file of data that may have queries, or their number for a
  /// generator with such a parameter. Other queries belong to the problem.
  [[nodiscard]] bool belongs_to_data(const YamlEntry& entry) const {
    if (std::holds_alternative<datasets::FileSource>(dataset_.source.from)) {
      return datasets::rules_of(kind_from(dataset_.source)).queries != nullptr &&
             entry.value->type != YamlNode::Type::list;
    }
    const auto* generator =
        entry_named(datasets::generators(), std::get<datasets::GeneratorSource>(dataset_.source.from).generator);
    return generator != nullptr && entry.value->type == YamlNode::Type::scalar &&
           std::ranges::find(generator->parameters, entry.key, &datasets::ParameterDeclaration::name) !=
               generator->parameters.end();
  }

  /// Reads a complete description, or changes which and how many queries of a registered dataset are asked: `{match:
  /// query_dense_8_, first: 100}`.
  void take_queries(const datasets::FileSource& points, const YamlEntry& entry) {
    const bool partly =
        !entry.value->entries.empty() && std::ranges::all_of(entry.value->entries, [](const YamlEntry& one) {
          return one.key == "first" || one.key == "match";
        });
    if (dataset_.source.queries && dataset_.source.queries->key != entry.key) {
      refuse(entry.place, fmt::format("dataset: expected '{}', which this one has, found '{}'",
                                      dataset_.source.queries->key, entry.key));
    }
    const YamlEntry* const match = entry.value->find("match");
    const YamlEntry* const first = entry.value->find("first");
    if (partly && dataset_.source.queries) {
      if (match != nullptr)
        dataset_.source.queries->match = read_text(*match->value, "dataset, " + entry.key + ", match");
      if (first != nullptr) {
        dataset_.source.queries->first = read_integer(*first->value, "dataset, " + entry.key + ", first", 1,
                                                      std::numeric_limits<std::int64_t>::max());
      }
    } else {
      dataset_.source.queries = read_queries(entry, "dataset", points);
    }
    if (own_file()) return;
    if (match != nullptr) change(fmt::format("match={}", match->value->text));
    if (first != nullptr) change(fmt::format("{}={}", entry.key, first->value->text));
    if (match == nullptr && first == nullptr) change(entry.key);
    dataset_.source.expected.clear();
    dataset_.source.published.clear();
  }

  void take_file_option(datasets::FileSource& file, const YamlEntry& entry) const {
    const std::string text = read_option(*entry.value, "dataset, " + entry.key);
    if (own_file() && entry.key == "sha256") {
      file.sha256 = text;
    } else if (own_file() && entry.key == "member") {
      file.member = text;
    } else {
      file.options[entry.key] = text;
    }
  }

  static void take_parameter(datasets::GeneratorSource& generator, const YamlEntry& entry) {
    if (entry.key == "seed") {
      generator.seed = static_cast<std::uint64_t>(
          read_integer(*entry.value, "dataset, seed", 0, std::numeric_limits<std::int64_t>::max()));
    } else {
      generator.parameters[entry.key] = read_property(*entry.value, "dataset, " + entry.key);
    }
  }

  /// Adds `what`, a difference from the registry's entry, to the dataset's name.
  void change(const std::string& what) { changes_ += (changes_.empty() ? "" : ",") + what; }

  void name_it() {
    dataset_.name = !given_name_.empty() ? given_name_
                    : changes_.empty()   ? dataset_.source.name
                                         : fmt::format("{}({})", dataset_.source.name, changes_);
    dataset_.source.name = dataset_.name;
  }

  [[nodiscard]] bool own_file() const { return map_.find("file") != nullptr; }

  const YamlNode& map_;
  const Registry& registry_;
  NamedDataset dataset_;
  std::string given_name_;
  std::string changes_;  // `scale=0.01,seed=7,degree_descending`
};

/// The first key or value in the node that equals `word`, or nullptr.
const Place* find_word(const YamlNode& node, const std::string& word) {
  if (node.type == YamlNode::Type::scalar && node.text == word) return &node.place;
  for (const Yaml& item : node.items) {
    if (const Place* place = find_word(*item, word)) return place;
  }
  for (const YamlEntry& entry : node.entries) {
    if (entry.key == word) return &entry.place;
    if (const Place* place = find_word(*entry.value, word)) return place;
  }
  return nullptr;
}

/// The place in the spec that an InputError about a dataset means: the first word of its message that occurs in the
/// dataset's map, found words before expected ones; or else the dataset itself.
Place place_of(const datasets::InputError& error, const YamlNode& node) {
  std::vector<std::string> words{error.found().substr(0, error.found().find(':'))};  // `a: 3.5`
  for (const std::string& text : {error.found(), error.expected()}) {
    const auto open = text.find('"');
    const auto close = text.find('"', open + 1);
    if (open != std::string::npos && close != std::string::npos)
      words.push_back(text.substr(open + 1, close - open - 1));
  }
  for (const std::string& word : words) {
    if (const Place* place = find_word(node, word)) return *place;
  }
  return node.place;
}

/// How a graph without queries gets them, where the problem wants some; empty otherwise.
std::string_view way_to_queries(datasets::Kind kind, const ProblemEntry& problem) {
  if (std::ranges::find(problem.info.accepts, datasets::Kind::GraphQueries) == problem.info.accepts.end()) return "";
  if (kind == datasets::Kind::LabelledGraph) {
    return " (name a file of queries as 'queries', or add the transform random_walk_queries)";
  }
  return kind == datasets::Kind::Graph ? " (add the transforms labels and random_walk_queries)" : "";
}

void check(const NamedDataset& dataset, const YamlNode& node, const ProblemEntry& problem) {
  datasets::Kind kind{};
  try {
    kind = datasets::kind_of(dataset.source);
  } catch (const datasets::InputError& error) {
    refuse(place_of(error, node), fmt::format("dataset '{}': expected {}, found {}{}", dataset.name, error.expected(),
                                              error.found(), error.fix().empty() ? "" : " (" + error.fix() + ')'));
  }
  if (std::ranges::find(problem.info.accepts, kind) != problem.info.accepts.end()) return;
  std::vector<std::string> accepted;
  accepted.reserve(problem.info.accepts.size());
  for (const datasets::Kind k : problem.info.accepts) accepted.emplace_back(datasets::to_string(k));
  refuse(node.place,
         fmt::format("dataset '{}' is of kind {}; problem {} accepts {}{}", dataset.name, datasets::to_string(kind),
                     problem.info.id, listed(accepted), way_to_queries(kind, problem)));
}

/// XXH3-128 of the file's bytes. Throws InputError if it is no regular file or cannot be read.
std::string content_of(const std::filesystem::path& file) {
  datasets::Digest digest;
  digest.add(datasets::MappedFile::open(file)->bytes());
  return digest.hex();
}

std::string own_content(const datasets::Source& source, const std::filesystem::path& data) {
  std::string contents;
  for (const datasets::FileSource* file : datasets::files_of(source)) {
    if (!file->sha256.empty()) continue;
    try {
      const auto paths = datasets::contents_of(source, *file, data);
      for (const auto& path : paths) contents += (paths.size() > 1 ? path.filename().string() : "") + content_of(path);
    } catch (const datasets::InputError&) {  // an unreadable file, a folder without the requested queries: loading
                                             // reports it
    }
  }
  return contents;
}

}  // namespace

std::vector<DatasetRequest> read_datasets(const YamlNode& list, const ProblemEntry& problem, const Registry& registry,
                                          const std::filesystem::path& data) {
  std::vector<DatasetRequest> requests;
  std::set<std::string> names;
  for (const Yaml& item : read_list(list, "datasets")) {
    YamlNode map = *item;
    if (item->type == YamlNode::Type::scalar) {  // a bare name means {name: NAME}
      map.type = YamlNode::Type::map;
      map.entries = {{"name", item->place, item}};
    } else if (item->type != YamlNode::Type::map || item->entries.empty()) {
      refuse(item->place, fmt::format("datasets: expected a name or a map, found {}", found(*item)));
    }
    DatasetRequest request{DatasetReader(map, registry).read(), {}, {}, item->place};
    if (const YamlEntry* task = map.find(kTaskKey)) {
      request.task =
          read_axes(*task->value, fmt::format("dataset '{}', task", request.dataset.name), problem.info.task);
    }
    check(request.dataset, map, problem);
    if (!names.insert(request.dataset.name).second)
      refuse(item->place, fmt::format("dataset '{}' is listed twice", request.dataset.name));
    request.content = own_content(request.dataset.source, data);
    requests.push_back(std::move(request));
  }
  return requests;
}

}  // namespace warpbench::harness
