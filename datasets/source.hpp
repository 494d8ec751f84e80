// Source: what a registry entry, or a dataset given by file in a spec, says; and load(), which turns
// it into a Dataset.
//
// The harness fills these plain structs from YAML; nothing here knows YAML. Values are checked here,
// not there: an unknown generator, format, transform, option or parameter is an InputError that names
// the nearest known one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "datasets/dataset.hpp"

namespace warpbench::datasets {

using Options = std::map<std::string, std::string>;

struct FileSource {
  std::string path;    // relative to LoadOptions::data_dir, or absolute; `path` or `path`.gz must exist
  std::string format;  // formats() in loaders/formats.hpp: snap, graph, fvecs, …
  std::string url;     // where `datasets fetch` gets it; empty: nowhere
  std::string sha256;  // of the file as stored (64 hex digits); empty: not known
  std::string member;  // the file inside a .tar or .tar.gz; empty: the file itself
  Options options;     // of the format
};

struct GeneratorSource {
  std::string generator;  // generators() in generators/generators.hpp: rmat, uniform, social, …
  Properties parameters;
  std::uint64_t seed = 1;
};

/// A second file with the queries. Beside vectors its points are the queries: its options may differ from the first's,
/// its metric is the first's. Beside a labelled graph it is one query graph, or a folder, .tar or .tar.gz of them, in
/// format `graph`; they come in natural order of their names (q_2 before q_10). A folder has no sha256.
struct QueriesSource {
  FileSource file;
  std::int64_t first = 0;              // so many from its front; 0: all
  std::string match{};                 // of query graphs those whose file's name begins so: query_dense_8_; empty: all
  std::optional<FileSource> counts{};  // of query graphs: how many matches they have (loaders/query_counts.hpp); only
                                       // queries that it counts are taken
};

struct TransformSource {
  std::string name;  // transforms() in transforms/transforms.hpp: degree_descending, labels, …
  Properties parameters;
};

struct Source {
  std::string name;
  std::optional<Kind> kind;  // checked against what the file or generator gives, where it is said
  bool stand_in = false;
  std::string title;
  std::string citation;
  std::string licence;
  std::variant<FileSource, GeneratorSource> from;
  std::optional<QueriesSource> queries;     // only beside a FileSource of vectors or of a labelled graph
  std::vector<TransformSource> transforms;  // in order, after the queries have come in
  Properties expected;                      // checked: whole numbers exactly, reals within 0.1 %
  Properties published;                     // documented, not checked; become properties named published_<name>
  std::string declared_at;                  // FILE:LINE of the entry, for messages; may be empty
};

struct LoadOptions {
  std::filesystem::path data_dir;
  std::filesystem::path cache_dir;                 // empty: no cache
  int threads = 0;                                 // 0 = all cores; never changes the result
  std::function<void(const std::string&)> notice;  // a damaged cache was rebuilt, a check could not be made
};

/// The dataset a source describes: from the cache where it holds exactly this content and
/// description, else parsed or generated, transformed, checked and put into the cache.
/// Throws InputError when the file is missing, damaged, not of its declared SHA-256, or when a
/// property differs from the expected.
[[nodiscard]] Dataset load(const Source& source, const LoadOptions& options);

/// The files of a source: none, one, and those of the queries and of their counts where there are some.
[[nodiscard]] std::vector<const FileSource*> files_of(const Source& source);

/// Whether load() could start: a generator always can, a file when it lies under data_dir.
[[nodiscard]] bool is_available(const Source& source, const LoadOptions& options);

/// The file that load() would read (path, or path + ".gz"); nothing when neither exists.
[[nodiscard]] std::optional<std::filesystem::path> locate(const FileSource& file,
                                                          const std::filesystem::path& data_dir);

/// The files with the data of `file`, where it can be located: one, or those of a folder of query graphs that `source`
/// asks for. What they hold decides what load() gives. Throws InputError where such a folder has none.
[[nodiscard]] std::vector<std::filesystem::path> contents_of(const Source& source, const FileSource& file,
                                                             const std::filesystem::path& data_dir);

/// Checks names, options and parameters without reading or generating anything; throws InputError.
void validate(const Source& source);

/// The kind of data that load() would give: what the file or the generator gives, and queries and transforms make of
/// it. Throws as validate().
[[nodiscard]] Kind kind_of(const Source& source);

}  // namespace warpbench::datasets
