// Divisor: divides by a number that is known before a launch, by two multiplications. A division of 64 bits is a
// routine that takes many more instructions, and so many registers that fewer blocks may run at once.
//
//   const Divisor by_columns(columns);        on the host; a kernel takes it by value
//   const std::int64_t row = by_columns.quotient(i), column = i - row * columns;
#pragma once

#include <cstdint>

#include "device/kernel.hpp"

namespace warpbench::sets {

/// For numbers of 0 to 2^63 - 1.
class Divisor {
 public:
  /// divisor > 0.
  explicit Divisor(std::int64_t divisor)
      : divisor_(static_cast<std::uint64_t>(divisor)), reciprocal_(~std::uint64_t{0} / divisor_) {}

  /// Rounded down. The upper half of the product with the reciprocal, which is rounded down too, is that or one less.
  [[nodiscard]] __device__ std::int64_t quotient(std::int64_t number) const {
    const auto dividend = static_cast<std::uint64_t>(number);
    const std::uint64_t least = __umul64hi(dividend, reciprocal_);
    return static_cast<std::int64_t>(least + ((least + 1) * divisor_ <= dividend ? 1 : 0));
  }

 private:
  std::uint64_t divisor_;
  std::uint64_t reciprocal_;
};

}  // namespace warpbench::sets
