#include "harness/record/readable_duration.hpp"

#include <fmt/format.h>

#include <cmath>

namespace warpbench::harness {

std::string readable_duration(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 1.0) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds < 60.0) return fmt::format("{:.3g} s", seconds);
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace warpbench::harness
