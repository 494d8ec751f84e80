// Run folders: the run directories that a path stands for. `run SUITE --out FOLDER` makes a folder with one run
// directory per experiment below it.
#pragma once

#include <filesystem>
#include <vector>

namespace warpbench::harness {

/// Whether the folder itself is a run directory: it holds results.jsonl, environment.json or spec.yaml, so that one
/// that lost some of them is still seen.
[[nodiscard]] bool is_run_directory(const std::filesystem::path& folder);

/// The run directories below a folder but for hidden ones, sorted.
[[nodiscard]] std::vector<std::filesystem::path> run_directories_below(const std::filesystem::path& folder);

/// `folder` if it is a run directory, else those below it but for hidden ones, sorted. Throws FileError if there is
/// none, or if `folder` is no folder.
[[nodiscard]] std::vector<std::filesystem::path> run_directories(const std::filesystem::path& folder);

}  // namespace warpbench::harness
