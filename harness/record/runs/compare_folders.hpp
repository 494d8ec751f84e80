// Compares what two paths stand for: two runs, or two folders of runs experiment by experiment.
#pragma once

#include <filesystem>
#include <iosfwd>

#include "harness/record/compare.hpp"

namespace warpbench::harness {

/// As compare(), but either path may be a folder with one run directory per experiment below it, as a suite leaves it.
/// An experiment that only the old folder has counts as missing in the new one; a single run is compared with its
/// experiment alone. Experiments that cannot be compared are named on `err`, the others are compared, and the exit code
/// is 2. Nothing is compared, and it is 2, too, if a run cannot be read or a folder has two of one experiment.
int compare_folders(const std::filesystem::path& old_path, const std::filesystem::path& new_path,
                    const CompareOptions& options, std::ostream& out, std::ostream& err);

}  // namespace warpbench::harness
