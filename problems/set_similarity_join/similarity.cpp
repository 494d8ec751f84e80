#include "problems/set_similarity_join/similarity.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace warpbench::similarity {
namespace {

[[noreturn]] void refuse_threshold(double value) {
  throw std::invalid_argument(fmt::format(
      "expected a threshold above 0 and at most 1 that is a fraction with a denominator of at most {}, found {}",
      kMaxDenominator, value));
}

/// A convergent of a continued fraction.
struct Convergent {
  Uint128 numerator;
  Uint128 denominator;
};

}  // namespace

// A fraction of such a denominator that rounds to a double is so close to it that it is a convergent of the double's
// continued fraction, by Legendre's theorem; and no other one rounds to the same double.
Threshold fraction_of(double value) {
  if (!(value >= 1.0 / kMaxDenominator && value <= 1)) refuse_threshold(value);
  constexpr int kMantissaBits = 53;
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  auto rest = static_cast<Uint128>(std::ldexp(mantissa, kMantissaBits));  // value is rest / whole
  Uint128 whole = Uint128{1} << static_cast<unsigned>(kMantissaBits - exponent);
  Convergent before{0, 1};
  Convergent last{1, 0};
  while (whole != 0) {
    const Uint128 digit = rest / whole;
    const Convergent next{digit * last.numerator + before.numerator, digit * last.denominator + before.denominator};
    if (next.denominator > kMaxDenominator) break;
    if (static_cast<double>(next.numerator) / static_cast<double>(next.denominator) == value) {
      return {static_cast<std::uint32_t>(next.numerator), static_cast<std::uint32_t>(next.denominator)};
    }
    before = last;
    last = next;
    const Uint128 remainder = rest % whole;
    rest = whole;
    whole = remainder;
  }
  refuse_threshold(value);
}

}  // namespace warpbench::similarity
