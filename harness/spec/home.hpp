// Home: the folder that holds Warpbench's own files.
#pragma once

#include <filesystem>

namespace warpbench::harness {

/// Warpbench's own files (datasets/registry, configs, plots): $WARPBENCH_HOME, else the source tree this program was
/// built from, else the nearest folder above the program that holds datasets/registry.
/// Throws SpecError where none of them is there.
[[nodiscard]] std::filesystem::path home();

}  // namespace warpbench::harness
