// Which bit of a signature a token toggles, for all that makes signatures or foresees them.
#pragma once

#include <cstdint>

#include "datasets/sets.hpp"
#include "device/view.hpp"

namespace warpbench::similarity {

/// Of `bits` bits, a power of two. Tokens are ranks by frequency, so that their lowest bits spread the frequent ones
/// evenly. So the signature of half as many bits is the exclusive or of the halves.
[[nodiscard]] WARPBENCH_HOST_DEVICE constexpr std::uint32_t signature_bit(datasets::Token token, std::uint32_t bits) {
  return token & (bits - 1);
}

}  // namespace warpbench::similarity
