// launch(kernel, grid, stream, arguments…): the one way to start a kernel on either backend, with every launch
// checked, arguments converted to the kernel's parameter types and large shared memory opted into by itself.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "device/backend/runtime.hpp"
#include "device/error.hpp"
#include "device/integers.hpp"
#include "device/stream.hpp"

namespace warpbench {

/// One to three extents, x fastest; any integer converts. Limits are checked by launch(), not here.
struct Dim3 {
  std::int64_t x = 1;
  std::int64_t y = 1;
  std::int64_t z = 1;

  constexpr Dim3() = default;
  template <std::integral X, std::integral Y = int, std::integral Z = int>
  // Implicit, so that Grid{1024, 256} reads as it does in CUDA.
  constexpr Dim3(X x_extent, Y y_extent = 1, Z z_extent = 1)
      : x(static_cast<std::int64_t>(x_extent)),
        y(static_cast<std::int64_t>(y_extent)),
        z(static_cast<std::int64_t>(z_extent)) {}

  constexpr std::int64_t count() const { return x * y * z; }
  friend constexpr bool operator==(const Dim3&, const Dim3&) = default;
};

/// Blocks of a launch, threads of a block, bytes of dynamic shared memory of a block.
struct Grid {
  Dim3 blocks;
  Dim3 threads;
  std::size_t shared_bytes = 0;
};

inline constexpr std::int64_t kAnyBlocks = std::numeric_limits<std::int64_t>::max();

/// Blocks of `threads` threads, a thread for each of `count` elements; at most `max_blocks`, whose threads then take
/// several in turn (grid::strided). No blocks for no elements.
constexpr Grid grid_for(std::int64_t count, int threads = 256, std::int64_t max_blocks = kAnyBlocks) {
  return Grid{std::min(ceil_div(count, threads), max_blocks), threads, 0};
}
/// The same with a warp for each element (grid::per_warp).
constexpr Grid warp_grid_for(std::int64_t count, int threads = 256, std::int64_t max_blocks = kAnyBlocks) {
  return Grid{std::min(ceil_div(count, threads / 32), max_blocks), threads, 0};
}

namespace detail {

/// The value in 64 bits, since std::cmp_equal takes no character types.
template <std::integral T>
constexpr auto widened(T value) {
  return static_cast<std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>(value);
}

/// Converts one argument; an integer that the kernel's parameter type cannot hold is a DeviceError, not a wrap.
template <typename Parameter, typename Argument>
Parameter convert_argument(Argument&& argument) {
  using From = std::remove_cvref_t<Argument>;
  constexpr bool kIntegers = std::is_integral_v<Parameter> && std::is_integral_v<From> &&
                             !std::is_same_v<Parameter, bool> && !std::is_same_v<From, bool>;
  if constexpr (kIntegers) {
    const auto converted = static_cast<Parameter>(argument);
    if (!std::cmp_equal(widened(converted), widened(argument))) {
      throw DeviceError("launch: the argument " + std::to_string(argument) +
                        " does not fit the kernel's parameter of " + std::to_string(sizeof(Parameter)) + " bytes");
    }
    return converted;
  } else if constexpr (std::is_arithmetic_v<Parameter> && std::is_arithmetic_v<From>) {
    return static_cast<Parameter>(argument);
  } else {
    return std::forward<Argument>(argument);
  }
}

}  // namespace detail

/// Starts `kernel` on `stream`. No blocks: nothing happens. Throws DeviceError at once for a grid or shared memory
/// beyond the device's limits; what happens inside the kernel is thrown by the stream's next synchronising call.
template <typename... Parameters, typename... Arguments>
requires(sizeof...(Parameters) == sizeof...(Arguments)) void launch(void (*kernel)(Parameters...), const Grid& grid,
                                                                    Stream& stream, Arguments&&... arguments) {
  static_assert((std::is_trivially_copyable_v<Parameters> && ...), "kernel parameters are copied bytewise");
  using Values = std::tuple<std::remove_cv_t<Parameters>...>;
#if defined(WARPBENCH_CUDA)
  Values values{detail::convert_argument<std::remove_cv_t<Parameters>>(std::forward<Arguments>(arguments))...};
  // One more than needed, since an array of no pointers has no data().
  std::array<void*, sizeof...(Parameters) + 1> pointers{};
  std::apply([&](auto&... value) { pointers = {static_cast<void*>(&value)..., nullptr}; }, values);
  runtime::launch(reinterpret_cast<const void*>(kernel), grid, *stream.handle(), pointers.data());
#else
  runtime::KernelCall call;
  call.kernel = reinterpret_cast<const void*>(kernel);
  call.parameters = std::make_shared<const Values>(
      detail::convert_argument<std::remove_cv_t<Parameters>>(std::forward<Arguments>(arguments))...);
  call.parameter_bytes = static_cast<std::int64_t>(sizeof(Values));
  call.body = [](const void* function, const void* parameters) {
    std::apply(reinterpret_cast<void (*)(Parameters...)>(const_cast<void*>(function)),
               *static_cast<const Values*>(parameters));
  };
  runtime::launch(std::move(call), grid, *stream.handle());
#endif
}

/// Blocks of `threads` threads and `shared_bytes` dynamic shared memory that run at once on the current device.
/// On cuda occupancy times multiprocessors; on simt the number of pool threads, so a grid-wide wait can end there.
template <typename... Parameters>
std::int64_t max_resident_blocks(void (*kernel)(Parameters...), std::int64_t threads, std::size_t shared_bytes = 0) {
  return runtime::max_resident_blocks(reinterpret_cast<const void*>(kernel), threads, shared_bytes);
}

}  // namespace warpbench
