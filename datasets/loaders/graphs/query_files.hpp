// Query graphs as they are published: a `.graph` file each, in a folder or in one .tar or .tar.gz.
#pragma once

#include <cstdint>
#include <filesystem>
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

/// Whether `left` comes before `right` where runs of digits count as numbers: q_2 before q_10.
[[nodiscard]] bool natural_less(std::string_view left, std::string_view right) noexcept;

/// The files to read at `path`: those of a folder whose names begin with `match` and end in .graph, in natural
/// order; of anything else itself. Throws InputError where a folder holds none.
[[nodiscard]] std::vector<std::filesystem::path> query_paths(const std::filesystem::path& path,
                                                             const std::string& match);

/// The query graphs at `path`, a folder, an archive (or of one only `member`) or a single file, whose names begin with
/// `match`, in natural order. Hidden files are left out. Throws InputError where there are none, or as read_text().
[[nodiscard]] std::vector<QueryFile> read_query_files(const std::filesystem::path& path, const std::string& member,
                                                      const std::string& match);

/// `data` with the graphs of the first `first` files (0: all) as queries, and their names. Throws InputError, with the
/// file, where one is no connected graph in format `graph`, has edge labels where the data graph has none (label 0
/// on every edge counts as none then) or the reverse, and where there are fewer files.
[[nodiscard]] Content with_query_files(LabelledGraph data, const std::vector<QueryFile>& files, std::int64_t first,
                                       const std::string& where);

}  // namespace warpbench::datasets
