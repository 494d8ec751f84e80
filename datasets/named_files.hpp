// The files that a source names inside an archive or a folder, looked up before anything is loaded.
#pragma once

#include <filesystem>

#include "datasets/source.hpp"

namespace warpbench::datasets {

/// Throws InputError if `file` of `source` is there and lacks what the source names inside it: the member of an
/// archive, query graphs that `match` selects in an archive or a folder, or as many of them as `first` asks for. Lists
/// names and reads no contents.
void check_named_files(const Source& source, const FileSource& file, const std::filesystem::path& data_dir);

}  // namespace warpbench::datasets
