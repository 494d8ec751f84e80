// Sums of S.x: 64 bits hold those of one tuple of R, not those of a join.
#pragma once

#include <cstdint>

namespace warpbench::theta {

__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

/// A 128-bit signed integer in two halves: a sum of S.x over up to 2^62 pairs fits.
struct Sum {
  std::uint64_t low = 0;
  std::int64_t high = 0;

  friend bool operator==(const Sum&, const Sum&) = default;
};

[[nodiscard]] constexpr Sum sum_of(Int128 value) {
  return {static_cast<std::uint64_t>(value), static_cast<std::int64_t>(value >> 64)};
}
[[nodiscard]] constexpr Int128 value_of(const Sum& sum) {
  return static_cast<Int128>(static_cast<Uint128>(static_cast<Int128>(sum.high)) << 64U | sum.low);
}

}  // namespace warpbench::theta
