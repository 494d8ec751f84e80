// Home: the folder of Warpbench's own files.
#pragma once

#include <filesystem>

namespace warpbench::harness {

/// Warpbench's own files (datasets/registry, configs, plots): $WARPBENCH_HOME, otherwise the source tree this program
/// was built from, otherwise the nearest folder above the program that holds datasets/registry. Throws SpecError if
/// none of them exists.
[[nodiscard]] std::filesystem::path home();

}  // namespace warpbench::harness
