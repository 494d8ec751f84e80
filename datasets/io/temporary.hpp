// Creates the temporary files that are written beside their final name and renamed.
#pragma once

#include <filesystem>

#include "datasets/io/descriptor.hpp"

namespace warpbench::datasets {

/// Creates a new, empty file beside `target`, open for reading and writing, and sets `name` to its path. It never opens
/// a file or follows a link that is already there: in a folder that others may write to, such a link could lead to a
/// file of this user. If that fails, the result is not open, errno says why, and `name` is the last name tried.
[[nodiscard]] Descriptor create_temporary(const std::filesystem::path& target, std::filesystem::path& name);

}  // namespace warpbench::datasets
