// load(): source → file or generator → transforms → checks → cache.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "datasets/generators/generators.hpp"
#include "datasets/input_error.hpp"
#include "datasets/io/cache.hpp"
#include "datasets/io/digest.hpp"
#include "datasets/io/mapped_file.hpp"
#include "datasets/loaders/formats.hpp"
#include "datasets/loaders/graphs/query_files.hpp"
#include "datasets/loaders/kind_rules.hpp"
#include "datasets/loaders/source_file.hpp"
#include "datasets/source.hpp"
#include "datasets/transforms/transforms.hpp"

namespace warpbench::datasets {
namespace {

/// A source with every name checked and every default filled in; it holds nothing that does not affect the data.
struct Resolved {
  const Source* source = nullptr;
  std::string where;
  Kind kind = Kind::None;
  Kind kind_of_file = Kind::None;  // kind before queries are added, if there are any
  Options options;                 // options of the format
  Options query_options;           // options of the queries' format
  Properties parameters;           // parameters of the generator
  std::vector<Properties> transforms;
};

std::string place_of(const Source& source) {
  return (source.declared_at.empty() ? "" : source.declared_at + ": ") + "dataset " + source.name;
}

void resolve_queries(const QueriesSource& queries, Resolved& resolved) {
  const std::string where = resolved.where + ", " + queries.key;
  const KindRules& of_kind = rules_of(resolved.kind);
  const QueryRules* rules = of_kind.queries;
  if (!std::holds_alternative<FileSource>(resolved.source->from) || rules == nullptr) {
    throw InputError(where, 0, "a file of vectors, of ratings, of a relation or of a labelled graph beside them",
                     "another source");
  }
  if (queries.key != of_kind.queries_key) {
    throw InputError(where, 0,
                     "the key \"" + of_kind.queries_key + "\" beside " + std::string(to_string(resolved.kind)),
                     '"' + queries.key + '"');
  }
  resolved.query_options = resolved.options;
  rules->resolve(where, queries, resolved.query_options);
  resolved.kind_of_file = std::exchange(resolved.kind, rules->gives());
  if (queries.first < 0) throw InputError(where, 0, "first: 0 (all) or more", std::to_string(queries.first));
}

Resolved resolve_source(const Source& source) {
  Resolved resolved;
  resolved.source = &source;
  resolved.where = place_of(source);
  if (const auto* file = std::get_if<FileSource>(&source.from)) {
    resolved.kind = resolve_file(resolved.where, *file, resolved.options);
  } else {
    const auto& from = std::get<GeneratorSource>(source.from);
    const Generator& generator = generator_named(resolved.where, from.generator);
    resolved.kind = generator.kind;
    resolved.parameters = resolve(resolved.where, generator.parameters, from.parameters);
  }
  if (source.queries) resolve_queries(*source.queries, resolved);
  for (const TransformSource& one : source.transforms) {
    const TransformEntry& entry = transform_named(resolved.where, one.name);
    resolved.transforms.push_back(resolve(resolved.where, entry.parameters, one.parameters));
    if (entry.gives != Kind::None) resolved.kind = entry.gives;
  }
  if (source.kind && *source.kind != resolved.kind) {
    throw InputError(resolved.where, 0, "kind " + std::string(to_string(*source.kind)),
                     std::string(to_string(resolved.kind)));
  }
  return resolved;
}

void add(Digest& digest, const Properties& values) {
  digest.add(static_cast<std::uint64_t>(values.size()));
  for (const auto& [name, value] : values) {
    digest.add(name);
    digest.add(static_cast<std::uint64_t>(value.index()));
    digest.add(to_string(value));
  }
}

/// Paths of a source's files; empty for files that it does not have.
struct Paths {
  std::filesystem::path data;
  std::filesystem::path queries;
  std::filesystem::path counts;
};

void add_file(Digest& digest, const FileSource& file, const Options& options, const std::filesystem::path& path) {
  const auto raw = MappedFile::open(path);
  digest.add(static_cast<std::uint64_t>(raw->bytes().size()));
  digest.add(raw->bytes());
  // A file that the cache knows by its content must still have the SHA-256 that this source declares.
  digest.add(std::string_view(has_sha256() ? file.sha256 : ""));
  digest.add(file.format);
  digest.add(file.member);
  for (const auto& [name, value] : options) {
    digest.add(name);
    digest.add(value);
  }
}

/// The cache key: everything that decides the data.
/// Then what lies in the cache was checked, too.
bool is_checked_before(const Resolved& resolved, std::size_t transform) {
  return !resolved.source->expected.empty() && resolved.source->expected_before == transform;
}

std::string key_of(const Resolved& resolved, const Paths& paths) {
  Digest digest;
  digest.add(kCacheVersion);
  if (const auto* file = std::get_if<FileSource>(&resolved.source->from)) {
    digest.add("file");
    digest.add(kLoaderVersion);
    add_file(digest, *file, resolved.options, paths.data);
    if (const auto& queries = resolved.source->queries) {
      digest.add("queries");
      digest.add(static_cast<std::uint64_t>(queries->first));
      digest.add(queries->match);
      for (const auto& path : query_paths(paths.queries, queries->match)) {
        digest.add(path.filename().string());
        add_file(digest, queries->file, resolved.query_options, path);
      }
      if (queries->counts) add_file(digest, *queries->counts, {}, paths.counts);
    }
  } else {
    const auto& generator = std::get<GeneratorSource>(resolved.source->from);
    digest.add("generator");
    digest.add(kGeneratorVersion);
    digest.add(generator.generator);
    digest.add(generator.seed);
    add(digest, resolved.parameters);
  }
  for (std::size_t i = 0; i < resolved.transforms.size(); ++i) {
    if (is_checked_before(resolved, i)) {
      digest.add("expected");
      add(digest, resolved.source->expected);
    }
    digest.add(resolved.source->transforms[i].name);
    add(digest, resolved.transforms[i]);
  }
  return digest.hex();
}

void notify(const LoadOptions& options, const std::string& text) {
  if (options.notice) options.notice(text);
}

bool agree(const Property& expected, const Property& found) {
  const auto number = [](const Property& value) {
    const auto* real = std::get_if<double>(&value);
    return real != nullptr ? *real : static_cast<double>(std::get<std::int64_t>(value));
  };
  if (expected.index() == found.index() && !std::holds_alternative<double>(expected)) return expected == found;
  if (std::holds_alternative<std::string>(expected) || std::holds_alternative<std::string>(found)) return false;
  return std::abs(number(expected) - number(found)) <= 1e-3 * std::abs(number(expected));
}

void check_expected(const Resolved& resolved, const Properties& found) {
  for (const auto& [name, value] : resolved.source->expected) {
    const auto property = found.find(name);
    if (property == found.end()) {
      std::vector<std::string> names;
      for (const auto& [known, ignored] : found) names.push_back(known);
      throw_unknown(resolved.where, "a property that this kind of data has", name, names);
    }
    if (!agree(value, property->second)) {
      throw InputError(resolved.where, 0, name + " = " + to_string(value), to_string(property->second),
                       "the data are not those described");
    }
  }
}

/// Straight into `make_room` where the generator can, and nothing is made of what it generates.
Content generated(const Resolved& resolved, int threads, const MakeRoom& make_room) {
  const auto& from = std::get<GeneratorSource>(resolved.source->from);
  const Generator& generator = generator_named(resolved.where, from.generator);
  if (generator.generate_into == nullptr || !resolved.transforms.empty()) {
    return generator.generate(resolved.parameters, from.seed, threads);
  }
  return generator.generate_into(resolved.parameters, from.seed, threads, make_room);
}

Content make(const Resolved& resolved, const Paths& paths, const LoadOptions& options, const MakeRoom& make_room) {
  Content content;
  if (const auto* file = std::get_if<FileSource>(&resolved.source->from)) {
    content = parse_file(*file, resolved.options, paths.data, options);
    if (const auto& queries = resolved.source->queries) {
      const LocatedQueries located{*queries,   resolved.query_options, resolved.options, resolved.where,
                                   paths.data, paths.queries,          paths.counts};
      content = rules_of(resolved.kind_of_file).queries->add(std::move(content), located, options);
    }
  } else {
    content = generated(resolved, options.threads, make_room);
  }
  for (std::size_t i = 0; i < resolved.transforms.size(); ++i) {
    if (is_checked_before(resolved, i)) {
      Properties whole = content.properties;
      whole.merge(describe(content.data));
      check_expected(resolved, whole);
    }
    content = transform_named(resolved.where, resolved.source->transforms[i].name)
                  .apply(std::move(content), resolved.transforms[i], options.threads);
  }
  content.properties.merge(describe(content.data));
  return content;
}

/// A cache file that is made once something goes into it. A failure to write it is a notice, not an error.
class NewCache {
 public:
  NewCache(std::filesystem::path path, const Resolved& resolved, const LoadOptions& options)
      : path_(std::move(path)), resolved_(resolved), options_(options) {}

  /// In the file, or in memory where that fails.
  ArrayRoom room(std::size_t bytes) {
    std::optional<ArrayRoom> room;
    unless_failed([&] { room = draft().room(bytes); });
    return room ? std::move(*room) : room_in_memory(bytes);
  }
  /// The entry as it is read back from the file, so that first and later runs use memory alike.
  std::optional<CacheEntry> commit(const CacheEntry& entry) {
    std::optional<CacheEntry> mapped;
    unless_failed([&] {
      draft().commit(entry);
      mapped = read_cache(path_);
    });
    return mapped;
  }

 private:
  CacheDraft& draft() {
    if (!draft_) {
      std::filesystem::create_directories(options_.cache_dir);
      draft_ = std::make_unique<CacheDraft>(path_);
    }
    return *draft_;
  }

  template <typename Body>
  void unless_failed(const Body& body) {
    if (failed_) return;
    try {
      body();
    } catch (const std::system_error& failure) {
      failed_ = true;
      draft_.reset();
      notify(options_, std::string("dataset ") + resolved_.source->name + " is not cached: " + failure.what());
    }
  }

  std::filesystem::path path_;
  const Resolved& resolved_;
  const LoadOptions& options_;
  std::unique_ptr<CacheDraft> draft_;
  bool failed_ = false;
};

/// Reads the data from the cache if possible; otherwise makes and caches them.
CacheEntry cached(const Resolved& resolved, const Paths& paths, const LoadOptions& options) {
  const auto fresh = [&](const MakeRoom& make_room) {
    CacheEntry entry{make(resolved, paths, options, make_room), {}};
    entry.digest = digest_of(entry.content.data);
    return entry;
  };
  if (options.cache_dir.empty()) return fresh(room_in_memory);
  const std::filesystem::path cache = options.cache_dir / (key_of(resolved, paths) + ".warpdata");
  try {
    if (auto entry = read_cache(cache)) return std::move(*entry);
  } catch (const InputError& damage) {
    notify(options, std::string("damaged cache is rebuilt: ") + damage.what());
  }
  NewCache file(cache, resolved, options);
  CacheEntry entry = fresh([&file](std::size_t bytes) { return file.room(bytes); });
  auto mapped = file.commit(entry);
  return mapped ? std::move(*mapped) : std::move(entry);
}

std::filesystem::path located(const FileSource& file, const Source& source, const LoadOptions& options) {
  if (auto found = locate(file, options.data_dir)) return *std::move(found);
  throw InputError((options.data_dir / file.path).string(), 0, "the file of dataset " + source.name,
                   "no such file, nor with .gz",
                   file.url.empty() ? "set the data directory, --data or WARPBENCH_DATA"
                                    : "warpbench datasets fetch " + source.name);
}

}  // namespace

std::vector<const FileSource*> files_of(const Source& source) {
  std::vector<const FileSource*> files;
  if (const auto* file = std::get_if<FileSource>(&source.from)) files.push_back(file);
  if (source.queries) files.push_back(&source.queries->file);
  if (source.queries && source.queries->counts) files.push_back(&*source.queries->counts);
  return files;
}

std::optional<std::filesystem::path> locate(const FileSource& file, const std::filesystem::path& data_dir) {
  const std::filesystem::path path = data_dir / file.path;  // an absolute file.path wins
  std::filesystem::path packed = path;
  packed += ".gz";
  std::error_code ignored;  // an unreadable folder counts as a missing file; open() says why
  if (std::filesystem::exists(path, ignored)) return path;
  if (std::filesystem::exists(packed, ignored)) return packed;
  return std::nullopt;
}

std::filesystem::path fetch_destination(const FileSource& file, const std::filesystem::path& data_dir) {
  const std::filesystem::path path = std::filesystem::path(file.path).lexically_normal();
  if (path.empty() || path.is_absolute() || *path.begin() == "..") {
    throw InputError(file.path, 0, "a path inside the data folder", "one that leads out of it",
                     "correct `file` of the registry's entry");
  }
  // A compressed URL yields a compressed file, and a loader asked for PATH also accepts PATH.gz.
  const bool compressed = file.url.ends_with(".gz") && !file.path.ends_with(".gz");
  return data_dir / (path.string() + (compressed ? ".gz" : ""));
}

bool is_available(const Source& source, const LoadOptions& options) {
  const auto files = files_of(source);
  return std::ranges::all_of(files,
                             [&](const FileSource* file) { return locate(*file, options.data_dir).has_value(); });
}

std::vector<std::filesystem::path> contents_of(const Source& source, const FileSource& file,
                                               const std::filesystem::path& data_dir) {
  const auto path = locate(file, data_dir);
  if (!path) return {};
  const bool queries = source.queries && &source.queries->file == &file;
  return queries ? query_paths(*path, source.queries->match) : std::vector{*path};
}

void validate(const Source& source) {
  static_cast<void>(resolve_source(source));
}

Kind kind_of(const Source& source) {
  return resolve_source(source).kind;
}

Dataset load(const Source& source, const LoadOptions& options) {
  const Resolved resolved = resolve_source(source);
  Paths paths;
  if (const auto* file = std::get_if<FileSource>(&source.from)) paths.data = located(*file, source, options);
  if (source.queries) paths.queries = located(source.queries->file, source, options);
  if (source.queries && source.queries->counts) paths.counts = located(*source.queries->counts, source, options);
  CacheEntry entry = cached(resolved, paths, options);
  Dataset dataset;
  dataset.name = source.name;
  dataset.digest = std::move(entry.digest);
  dataset.stand_in = source.stand_in;
  dataset.kind = resolved.kind;
  dataset.properties = std::move(entry.content.properties);
  dataset.data = std::move(entry.content.data);
  dataset.original_ids = std::move(entry.content.original_ids);
  dataset.query_names = std::move(entry.content.query_names);
  if (!source.expected_before) check_expected(resolved, dataset.properties);
  for (const auto& [name, value] : source.published) dataset.properties["published_" + name] = value;
  return dataset;
}

}  // namespace warpbench::datasets
