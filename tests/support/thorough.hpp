// How much a test tries: the preset nightly sets WARPBENCH_THOROUGH, CI does not.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace warpbench::testing {

inline bool is_thorough() {
  return std::getenv("WARPBENCH_THOROUGH") != nullptr;
}

/// The number of rounds or the size of an input, in CI and in the nightly target.
inline std::uint64_t usual_or_thorough(std::uint64_t usual, std::uint64_t thorough) {
  return is_thorough() ? thorough : usual;
}

}  // namespace warpbench::testing
