// How much a test tries: the presets nightly, asan and cuda set WARPBENCH_THOROUGH, ci does not.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace warpbench::testing {

inline bool is_thorough() {
  return std::getenv("WARPBENCH_THOROUGH") != nullptr;
}

/// The number of rounds or the size of an input, in CI and where time is not short.
inline std::uint64_t usual_or_thorough(std::uint64_t usual, std::uint64_t thorough) {
  return is_thorough() ? thorough : usual;
}

}  // namespace warpbench::testing
