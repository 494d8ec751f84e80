// Merges folders of runs, as suites leave them, experiment by experiment.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/record/runs/merge.hpp"

namespace warpbench::harness {

/// Called after each merge: its new run directory, and how many directories it was made of.
using Merged = std::function<void(const std::filesystem::path& out, std::size_t directories, const MergeReport&)>;

/// merge_runs() of the run directories of each experiment below the folders, to `out`/EXPERIMENT: all of them, or none.
/// An experiment may be in some of the folders only, as with shares of few trials. Run directories without a finished
/// trial are passed over and returned. `run` makes an id for each merged run. Throws FileError if `out` exists, one of
/// the folders is itself a run directory or has two of one experiment, or an experiment would lie in another's
/// directory; else as merge_runs().
std::vector<std::filesystem::path> merge_folders(const std::vector<std::filesystem::path>& folders,
                                                 const std::filesystem::path& out, const MergeOptions& options,
                                                 const std::function<std::string()>& run, const Merged& merged);

}  // namespace warpbench::harness
