// The names in an archive, without its contents.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "datasets/source.hpp"

namespace warpbench::datasets {

/// The names of the regular files of a .tar or .tar.gz, in order; nothing if `path` is no archive, or one that unpacks
/// to more than `max_inflation` times its size. Contents are skipped: memory is that of the names, time that of
/// unpacking. The list ends with `last` where that is one of them: what follows is not read. Throws InputError for a
/// damaged archive, and for a file that is none where `last` is looked for.
[[nodiscard]] std::optional<std::vector<std::string>> archive_names(const std::filesystem::path& path,
                                                                    const std::string& last = {},
                                                                    std::int64_t max_inflation = kMaxInflation);

}  // namespace warpbench::datasets
