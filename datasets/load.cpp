// load(): source → file or generator → transforms → checks → cache.
#include <cmath>
#include <system_error>
#include <utility>

#include "datasets/cache.hpp"
#include "datasets/digest.hpp"
#include "datasets/generators/generators.hpp"
#include "datasets/input_error.hpp"
#include "datasets/loaders/formats.hpp"
#include "datasets/mapped_file.hpp"
#include "datasets/source.hpp"
#include "datasets/transforms/transforms.hpp"

namespace warpbench::datasets {
namespace {

/// A source with every name known and every default filled in: what is done, and nothing else.
struct Resolved {
  const Source* source = nullptr;
  std::string where;
  Kind kind = Kind::None;
  Options options;        // of the format
  Properties parameters;  // of the generator
  std::vector<Properties> transforms;
};

std::string place_of(const Source& source) {
  return (source.declared_at.empty() ? "" : source.declared_at + ": ") + "dataset " + source.name;
}

Resolved resolve_source(const Source& source) {
  Resolved resolved;
  resolved.source = &source;
  resolved.where = place_of(source);
  if (const auto* file = std::get_if<FileSource>(&source.from)) {
    const Format& format = format_named(resolved.where, file->format);
    resolved.kind = format.kind;
    resolved.options = resolve_options(resolved.where, format.options, file->options);
    if (file->path.empty()) throw InputError(resolved.where, 0, "a path", "none");
    if (!file->sha256.empty() &&
        (file->sha256.size() != 64 || file->sha256.find_first_not_of("0123456789abcdef") != std::string::npos)) {
      throw InputError(resolved.where, 0, "a sha256 of 64 hex digits, lower case", '"' + file->sha256 + '"');
    }
  } else {
    const auto& from = std::get<GeneratorSource>(source.from);
    const Generator& generator = generator_named(resolved.where, from.generator);
    resolved.kind = generator.kind;
    resolved.parameters = resolve(resolved.where, generator.parameters, from.parameters);
  }
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

/// The cache key: everything that decides the data. `content` is empty for a generator.
std::string key_of(const Resolved& resolved, std::span<const std::byte> content) {
  Digest digest;
  digest.add(kCacheVersion);
  if (const auto* file = std::get_if<FileSource>(&resolved.source->from)) {
    digest.add("file");
    digest.add(static_cast<std::uint64_t>(content.size()));
    digest.add(content);
    digest.add(file->format);
    digest.add(file->member);
    for (const auto& [name, value] : resolved.options) {
      digest.add(name);
      digest.add(value);
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

Content make(const Resolved& resolved, const std::filesystem::path& path, const LoadOptions& options) {
  Content content;
  if (const auto* file = std::get_if<FileSource>(&resolved.source->from)) {
    check_sha256(*file, path, options);
    content = format_named(resolved.where, file->format)
                  .parse(read_text(path, file->member), resolved.options, options.threads);
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
CacheEntry cached(const Resolved& resolved, const std::filesystem::path& path, const LoadOptions& options) {
  const auto fresh = [&] {
    CacheEntry entry{make(resolved, path, options), {}};
    entry.digest = digest_of(entry.content.data);
    return entry;
  };
  if (options.cache_dir.empty()) return fresh();
  std::shared_ptr<const MappedFile> raw;
  if (!path.empty()) raw = MappedFile::open(path);
  const std::filesystem::path cache =
      options.cache_dir / (key_of(resolved, raw ? raw->bytes() : std::span<const std::byte>{}) + ".warpdata");
  raw.reset();
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

}  // namespace

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
  const auto* file = std::get_if<FileSource>(&source.from);
  return file == nullptr || locate(*file, options.data_dir).has_value();
}

void validate(const Source& source) {
  static_cast<void>(resolve_source(source));
}

Dataset load(const Source& source, const LoadOptions& options) {
  const Resolved resolved = resolve_source(source);
  std::filesystem::path path;
  if (const auto* file = std::get_if<FileSource>(&source.from)) {
    const auto found = locate(*file, options.data_dir);
    if (!found) {
      throw InputError((options.data_dir / file->path).string(), 0, "the file of dataset " + source.name,
                       "no such file, nor with .gz",
                       file->url.empty() ? "set the data directory, --data or WARPBENCH_DATA"
                                         : "warpbench datasets fetch " + source.name);
    }
    path = *found;
  }
  CacheEntry entry = cached(resolved, path, options);
  Dataset dataset;
  dataset.name = source.name;
  dataset.digest = std::move(entry.digest);
  dataset.stand_in = source.stand_in;
  dataset.kind = resolved.kind;
  dataset.properties = std::move(entry.content.properties);
  dataset.data = std::move(entry.content.data);
  dataset.original_ids = std::move(entry.content.original_ids);
  check_expected(resolved, dataset.properties);
  for (const auto& [name, value] : source.published) dataset.properties["published_" + name] = value;
  return dataset;
}

}  // namespace warpbench::datasets
