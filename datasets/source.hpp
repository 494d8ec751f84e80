// Source: the content of a registry entry, or of a dataset that a spec describes; and load(), which turns it into a
// Dataset.
//
// The harness fills these plain structs from YAML; nothing here knows YAML. Values are checked here, not in the
// harness: an unknown generator, format, transform, option or parameter is an InputError that names the nearest known
// one.
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
  std::string url;     // where `datasets fetch` gets it; empty: not available
  std::string sha256;  // of the file as stored (64 hex digits); empty: not known
  std::string member;  // the file inside a .tar or .tar.gz; empty: the file itself
  Options options;     // of the format
};

struct GeneratorSource {
  std::string generator;  // generators() in generators/generators.hpp: rmat, uniform, social, …
  Properties parameters;
  std::uint64_t seed = 1;
};

/// A second file with the queries. Beside vectors its points are the queries; it may have options of its own, but takes
/// the points' metric. Beside ratings its ratings are the test ratings, and its ids mean the same users and items.
/// Beside a relation its tuples are S; without options of its own it is read with those of R.
/// Beside a labelled graph it is one query graph, or a folder, .tar or .tar.gz of them, in format `graph`, read in
/// natural order of their names (q_2 before q_10). A folder has no sha256.
struct QueriesSource {
  FileSource file;
  std::int64_t first = 0;  // use only this many from the front; 0: all
  std::string match{};     // use only query graphs whose file name begins with this: query_dense_8_; empty: all
  // Published numbers of matches (loaders/query_counts.hpp); only query graphs with a number are used.
  std::optional<FileSource> counts{};
  std::string key = "queries";  // under which it was given; of ratings "test", of a relation "s"
};

struct TransformSource {
  std::string name;  // transforms() in transforms/transforms.hpp: degree_descending, labels, …
  Properties parameters;
};

struct Source {
  std::string name;
  std::optional<Kind> kind;  // if given, checked against the kind that the file or generator gives
  bool stand_in = false;
  std::string title;
  std::string citation;
  std::string licence;
  std::variant<FileSource, GeneratorSource> from;
  std::optional<QueriesSource> queries;        // only beside a FileSource whose kind has QueryRules
  std::vector<TransformSource> transforms;     // in order, after the queries were added
  Properties expected;                         // checked: whole numbers exactly, reals within 0.1 %
  std::optional<std::size_t> expected_before;  // the transform, by place, before which they are; none: after all
  Properties published;                        // documented, not checked; become properties named published_<name>
  std::string declared_at;                     // FILE:LINE of the entry, for messages; may be empty
};

/// A few bytes can be made to unpack to gigabytes. Text that people publish takes a third to a twentieth of its size.
inline constexpr std::int64_t kMaxInflation = 64;

struct LoadOptions {
  std::filesystem::path data_dir;
  std::filesystem::path cache_dir;                 // empty: no cache
  int threads = 0;                                 // 0 = all cores; never changes the result
  std::int64_t max_inflation = kMaxInflation;      // a compressed file may unpack to so many times its size
  std::function<void(const std::string&)> notice;  // a damaged cache was rebuilt, a check could not be made
};

/// Loads the dataset that a source describes. It comes from the cache if that has exactly this content and description;
/// otherwise it is parsed or generated, transformed, checked and cached. Throws InputError if the file is missing,
/// damaged or has another SHA-256 than declared, or if a property differs from the expected one.
[[nodiscard]] Dataset load(const Source& source, const LoadOptions& options);

/// The files of a source: none for a generator, otherwise the data's and, if given, the queries' and their counts'.
[[nodiscard]] std::vector<const FileSource*> files_of(const Source& source);

/// Whether load() could start: a generator always can, a file if it is under data_dir.
[[nodiscard]] bool is_available(const Source& source, const LoadOptions& options);

/// The file that load() would read (path, or path + ".gz"); nothing if neither exists.
[[nodiscard]] std::optional<std::filesystem::path> locate(const FileSource& file,
                                                          const std::filesystem::path& data_dir);

/// Where `datasets fetch` puts the file: its path under `data_dir`, with .gz if only the URL ends so. Throws InputError
/// if the path would lead out of `data_dir`.
[[nodiscard]] std::filesystem::path fetch_destination(const FileSource& file, const std::filesystem::path& data_dir);

/// The files whose content decides the data of `file`, if it can be located: the file itself, or the files that
/// `source` selects in a folder of query graphs. Throws InputError if such a folder has none.
[[nodiscard]] std::vector<std::filesystem::path> contents_of(const Source& source, const FileSource& file,
                                                             const std::filesystem::path& data_dir);

/// Checks names, options and parameters without reading or generating anything; throws InputError.
void validate(const Source& source);

/// The kind of data that load() would give, after queries and transforms. Throws like validate().
[[nodiscard]] Kind kind_of(const Source& source);

}  // namespace warpbench::datasets
