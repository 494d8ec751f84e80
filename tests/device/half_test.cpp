// Half precision as storage: every finite half is exact both ways, and rounding is to nearest, ties to even.
#include "device/half.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace warpbench {
namespace {

TEST(Half, HoldsEveryFiniteHalfExactly) {
  for (std::uint32_t bits = 0; bits < 0x10000U; ++bits) {
    if ((bits & 0x7c00U) == 0x7c00U) continue;  // infinities and NaNs
    const Half half{static_cast<std::uint16_t>(bits)};
    EXPECT_EQ(to_half(to_float(half)).bits, bits);
  }
}

TEST(Half, HasTheValuesOfTheStandard) {
  EXPECT_EQ(to_float(Half{0x3c00}), 1.0F);
  EXPECT_EQ(to_float(Half{0xc000}), -2.0F);
  EXPECT_EQ(to_float(Half{0x7bff}), 65504.0F);
  EXPECT_EQ(to_float(Half{0x0400}), std::ldexp(1.0F, -14));
  EXPECT_EQ(to_float(Half{0x0001}), std::ldexp(1.0F, -24));
}

TEST(Half, TwoAreAWordWithTheFirstInItsLowBits) {
  EXPECT_EQ(to_halves(1.0F, -2.0F), 0xc0003c00U);
}

TEST(Half, RoundsToNearestAndTiesToEven) {
  for (std::uint16_t bits = 0; bits < 0x7bff; ++bits) {
    const float low = to_float(Half{bits});
    const float high = to_float(Half{static_cast<std::uint16_t>(bits + 1)});
    const float middle = (low + high) / 2;
    const auto even = static_cast<std::uint16_t>(bits % 2 == 0 ? bits : bits + 1);
    ASSERT_EQ(to_half(middle).bits, even) << low;
    ASSERT_EQ(to_half(std::nextafter(middle, 0.0F)).bits, bits) << low;
    ASSERT_EQ(to_half(std::nextafter(middle, 1e9F)).bits, bits + 1) << low;
    ASSERT_EQ(to_half(-middle).bits, even | 0x8000) << low;
  }
}

}  // namespace
}  // namespace warpbench
