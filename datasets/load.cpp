// load(): source → file or generator → transforms → checks → cache.
#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "datasets/cache.hpp"
#include "datasets/digest.hpp"
#include "datasets/generators/generators.hpp"
#include "datasets/input_error.hpp"
#include "datasets/loaders/formats.hpp"
#include "datasets/loaders/query_counts.hpp"
#include "datasets/loaders/query_files.hpp"
#include "datasets/mapped_file.hpp"
#include "datasets/source.hpp"
#include "datasets/transforms/transforms.hpp"
#include "datasets/transforms/vectors.hpp"

namespace warpbench::datasets {
namespace {

/// A source with every name known and every default filled in: what is done, and nothing else.
struct Resolved {
  const Source* source = nullptr;
  std::string where;
  Kind kind = Kind::None;
  Options options;        // of the format
  Options query_options;  // of the queries' format
  Properties parameters;  // of the generator
  std::vector<Properties> transforms;
};

std::string place_of(const Source& source) {
  return (source.declared_at.empty() ? "" : source.declared_at + ": ") + "dataset " + source.name;
}

/// The kind that a file's format gives; `options` become its resolved options.
Kind resolve_file(const std::string& where, const FileSource& file, Options& options) {
  const Format& format = format_named(where, file.format);
  options = resolve_options(where, format.options, file.options);
  if (file.path.empty()) throw InputError(where, 0, "a path", "none");
  if (!file.sha256.empty() &&
      (file.sha256.size() != 64 || file.sha256.find_first_not_of("0123456789abcdef") != std::string::npos)) {
    throw InputError(where, 0, "a sha256 of 64 hex digits, lower case", '"' + file.sha256 + '"');
  }
  return format.kind;
}

void resolve_vector_queries(const std::string& where, const QueriesSource& queries, Resolved& resolved) {
  if (const Kind kind = resolve_file(where, queries.file, resolved.query_options); kind != Kind::Vectors) {
    throw InputError(where, 0, "kind vectors", std::string(to_string(kind)));
  }
  if (queries.file.options.contains("metric")) {
    throw InputError(where, 0, "no option \"metric\", as the points' holds",
                     '"' + queries.file.options.at("metric") + '"');
  }
  if (!queries.match.empty()) {
    throw InputError(where, 0, "no \"match\", which chooses among query graphs", '"' + queries.match + '"');
  }
  if (queries.counts) throw InputError(where, 0, "no \"counts\", which are of query graphs", "some");
  resolved.query_options["metric"] = to_string(Metric::euclidean);  // any will do: only the rows are taken
}

void resolve_graph_queries(const std::string& where, const QueriesSource& queries, Resolved& resolved) {
  static_cast<void>(resolve_file(where, queries.file, resolved.query_options));
  if (queries.file.format != "graph") {
    throw InputError(where, 0, "queries in format graph", '"' + queries.file.format + '"', "say format: graph");
  }
  if (!queries.match.empty() && !queries.file.member.empty()) {
    throw InputError(where, 0, "\"member\", one file of an archive, or \"match\"", "both");
  }
  resolved.kind = Kind::GraphQueries;
}

void resolve_queries(const QueriesSource& queries, Resolved& resolved) {
  const std::string where = resolved.where + ", queries";
  if (!std::holds_alternative<FileSource>(resolved.source->from) ||
      (resolved.kind != Kind::Vectors && resolved.kind != Kind::LabelledGraph)) {
    throw InputError(where, 0, "a file of vectors or of a labelled graph beside them", "another source");
  }
  if (resolved.kind == Kind::Vectors) {
    resolve_vector_queries(where, queries, resolved);
  } else {
    resolve_graph_queries(where, queries, resolved);
  }
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

/// Where the files of a source lie; empty where it has none.
struct Paths {
  std::filesystem::path data;
  std::filesystem::path queries;
  std::filesystem::path counts;
};

void add_file(Digest& digest, const FileSource& file, const Options& options, const std::filesystem::path& path) {
  const auto raw = MappedFile::open(path);
  digest.add(static_cast<std::uint64_t>(raw->bytes().size()));
  digest.add(raw->bytes());
  digest.add(file.format);
  digest.add(file.member);
  for (const auto& [name, value] : options) {
    digest.add(name);
    digest.add(value);
  }
}

/// The cache key: everything that decides the data.
std::string key_of(const Resolved& resolved, const Paths& paths) {
  Digest digest;
  digest.add(kCacheVersion);
  if (const auto* file = std::get_if<FileSource>(&resolved.source->from)) {
    digest.add("file");
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
    digest.add(resolved.source->transforms[i].name);
    add(digest, resolved.transforms[i]);
  }
  return digest.hex();
}

void notify(const LoadOptions& options, const std::string& text) {
  if (options.notice) options.notice(text);
}

void check_sha256(const FileSource& file, const std::filesystem::path& path, const LoadOptions& options) {
  if (file.sha256.empty()) return;
  if (!has_sha256()) {
    notify(options, path.string() + ": its SHA-256 is not checked: this program was built without OpenSSL");
    return;
  }
  if (const std::string found = sha256_file(path); found != file.sha256) {
    throw InputError(path.string(), 0, "SHA-256 " + file.sha256, found,
                     "the file is not the one described: fetch it again, or correct the entry");
  }
}

Content parse_file(const FileSource& file, const Options& format_options, const std::filesystem::path& path,
                   const LoadOptions& options) {
  check_sha256(file, path, options);
  return format_named(file.path, file.format).parse(read_text(path, file.member), format_options, options.threads);
}

/// The rows of the queries' file become the queries of `points`.
void add_queries(const Resolved& resolved, const Paths& paths, const LoadOptions& options, VectorSet& points) {
  // NOLINTNEXTLINE(bugprone-unchecked-optional-access): called for a source that has some
  const QueriesSource& source = *resolved.source->queries;
  const std::string file = paths.queries.string();
  if (!points.queries.empty()) {
    throw InputError(resolved.where, 0, "queries from one place", "queries in " + paths.data.string() + " and " + file);
  }
  const Content content = parse_file(source.file, resolved.query_options, paths.queries, options);
  const auto& queries = std::get<VectorSet>(content.data);
  if (queries.dimension() != points.dimension()) {
    throw InputError(file, 0, "queries of dimension " + std::to_string(points.dimension()) + ", that of the points",
                     std::to_string(queries.dimension()));
  }
  if (queries.count() < source.first) {
    throw InputError(file, 0, "at least " + std::to_string(source.first) + " queries", std::to_string(queries.count()));
  }
  points.queries = source.first == 0 ? queries.points : first_rows(queries.points, queries.dimension(), source.first);
}

/// `data` with the query graphs of the source beside it.
Content graph_queries(const Resolved& resolved, const Paths& paths, const LoadOptions& options, LabelledGraph data) {
  // NOLINTNEXTLINE(bugprone-unchecked-optional-access): called for a source that has some
  const QueriesSource& source = *resolved.source->queries;
  const std::string where = paths.queries.string();
  if (!std::filesystem::is_directory(paths.queries)) {
    check_sha256(source.file, paths.queries, options);
  } else if (!source.file.sha256.empty() || !source.file.member.empty()) {
    throw InputError(where, 0, "of a folder of queries neither \"sha256\" nor \"member\"",
                     source.file.sha256.empty() ? "a member" : "a sha256");
  }
  std::vector<QueryFile> files = read_query_files(paths.queries, source.file.member, source.match);
  if (!source.counts) return with_query_files(std::move(data), files, source.first, where);
  check_sha256(*source.counts, paths.counts, options);
  const QueryCounts counts = parse_query_counts(read_text(paths.counts));
  std::erase_if(files, [&](const QueryFile& file) { return !counts.contains(stem_of(file.name)); });
  if (files.empty()) throw InputError(paths.counts.string(), 0, "counts of queries in " + where, "none of any");
  Content content = with_query_files(std::move(data), files, source.first, where);
  auto& graphs = std::get<GraphQueries>(content.data);
  std::vector<std::uint64_t> of_queries;
  for (std::size_t i = 0; i < static_cast<std::size_t>(graphs.count()); ++i) {
    of_queries.push_back(counts.find(stem_of(files[i].name))->second);
  }
  graphs.published_counts = std::move(of_queries);
  return content;
}

Content make(const Resolved& resolved, const Paths& paths, const LoadOptions& options) {
  Content content;
  if (const auto* file = std::get_if<FileSource>(&resolved.source->from)) {
    content = parse_file(*file, resolved.options, paths.data, options);
    if (resolved.source->queries) {
      if (auto* graph = std::get_if<LabelledGraph>(&content.data)) {
        Content both = graph_queries(resolved, paths, options, std::move(*graph));
        content.data = std::move(both.data);
        content.query_names = std::move(both.query_names);
      } else {
        add_queries(resolved, paths, options, std::get<VectorSet>(content.data));
      }
    }
  } else {
    const auto& from = std::get<GeneratorSource>(resolved.source->from);
    content = generator_named(resolved.where, from.generator).generate(resolved.parameters, from.seed, options.threads);
  }
  for (std::size_t i = 0; i < resolved.transforms.size(); ++i) {
    content = transform_named(resolved.where, resolved.source->transforms[i].name)
                  .apply(std::move(content), resolved.transforms[i], options.threads);
  }
  content.properties.merge(describe(content.data));
  return content;
}

/// From the cache where it can serve, else made and put there. A cache that cannot be written costs a
/// notice, not the load.
CacheEntry cached(const Resolved& resolved, const Paths& paths, const LoadOptions& options) {
  const auto fresh = [&] {
    CacheEntry entry{make(resolved, paths, options), {}};
    entry.digest = digest_of(entry.content.data);
    return entry;
  };
  if (options.cache_dir.empty()) return fresh();
  const std::filesystem::path cache = options.cache_dir / (key_of(resolved, paths) + ".warpdata");
  try {
    if (auto entry = read_cache(cache)) return std::move(*entry);
  } catch (const InputError& damage) {
    notify(options, std::string("damaged cache is rebuilt: ") + damage.what());
  }
  CacheEntry entry = fresh();
  try {
    std::filesystem::create_directories(options.cache_dir);
    write_cache(cache, entry);
    // Served from the mapping even now, so that a first and a later run use memory alike.
    if (auto mapped = read_cache(cache)) return std::move(*mapped);
  } catch (const std::system_error& failure) {
    notify(options, std::string("dataset ") + resolved.source->name + " is not cached: " + failure.what());
  }
  return entry;
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
  std::error_code ignored;  // an unreadable folder is the same as no file here; open() says why
  if (std::filesystem::exists(path, ignored)) return path;
  if (std::filesystem::exists(packed, ignored)) return packed;
  return std::nullopt;
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
  check_expected(resolved, dataset.properties);
  for (const auto& [name, value] : source.published) dataset.properties["published_" + name] = value;
  return dataset;
}

}  // namespace warpbench::datasets
