// The home with the configs and registries that tests of specs and plans read.
#pragma once

#include <filesystem>

namespace warpbench::harness {

inline const std::filesystem::path kSpecHome =
    std::filesystem::path(WARPBENCH_SOURCE_DIR) / "tests" / "data" / "spec_home";

}  // namespace warpbench::harness
