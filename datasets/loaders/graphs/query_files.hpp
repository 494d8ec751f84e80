// Published query graphs: one `.graph` file each, in a folder or in one .tar or .tar.gz.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/dataset.hpp"
#include "datasets/loaders/text.hpp"

namespace warpbench::datasets {

struct QueryFile {
  std::string name;  // without its folder
  Text text;
};

/// Whether `left` comes before `right` if runs of digits compare as numbers: q_2 before q_10.
[[nodiscard]] bool natural_less(std::string_view left, std::string_view right) noexcept;

/// The files to read at `path`. For a folder: those whose names begin with `match` and end in .graph or .igraph, in
/// natural order; otherwise `path` itself. Throws InputError if a folder holds none.
[[nodiscard]] std::vector<std::filesystem::path> query_paths(const std::filesystem::path& path,
                                                             const std::string& match);

/// The names of the files that read_query_files() would read at `path`, in natural order, without their contents;
/// nothing if that cannot be told. Throws InputError if there are none.
[[nodiscard]] std::optional<std::vector<std::string>> query_names(const std::filesystem::path& path,
                                                                  const std::string& match);

/// The query graphs at `path` whose names begin with `match`, in natural order. `path` is a folder, an archive (of
/// which `member` may select one file) or a single file. Hidden files are left out. Throws InputError if there are
/// none, or as read_text() does.
[[nodiscard]] std::vector<QueryFile> read_query_files(const std::filesystem::path& path, const std::string& member,
                                                      const std::string& match,
                                                      std::int64_t max_inflation = kMaxInflation);

/// How query graphs are read: format `graph` or `igraph`, and its options.
struct QueryFormat {
  std::string name;
  Options options;
};

/// `data` with the graphs of the first `first` files (0: all) as queries, and their names. Throws InputError with the
/// file if a query is not a connected graph in `format`, or if only one of query and data graph has edge labels;
/// label 0 on all edges of a query counts as none. Throws it if there are too few files, too.
[[nodiscard]] Content with_query_files(LabelledGraph data, const std::vector<QueryFile>& files, std::int64_t first,
                                       const QueryFormat& format, const std::string& where);

}  // namespace warpbench::datasets
