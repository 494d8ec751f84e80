// Integer arithmetic that hosts and kernels share.
//
//   ceil_div(10, 4)              3: how many parts of 4 cover 10
//   round_up(10, 4)              12: the next multiple of 4
//   kNone<std::uint32_t>         0xffffffff: the id that stands for "no id"
#pragma once

#include <concepts>
#include <type_traits>

namespace warpbench {

/// The quotient rounded up. count >= 0, unit > 0, and count + unit - 1 fits the common type of both.
template <std::integral Count, std::integral Unit>
[[nodiscard]] constexpr auto ceil_div(Count count, Unit unit) {
  using Common = std::common_type_t<Count, Unit>;
  return static_cast<Common>((static_cast<Common>(count) + static_cast<Common>(unit) - 1) / static_cast<Common>(unit));
}

/// The least multiple of `unit` that is not below `count`, under the same conditions.
template <std::integral Count, std::integral Unit>
[[nodiscard]] constexpr auto round_up(Count count, Unit unit) {
  using Common = std::common_type_t<Count, Unit>;
  return static_cast<Common>(ceil_div(count, unit) * static_cast<Common>(unit));
}

/// The one sentinel for "no id", "no place", "empty slot": all bits set, above every id that is in use.
template <std::unsigned_integral T>
inline constexpr T kNone = static_cast<T>(~T{0});

}  // namespace warpbench
