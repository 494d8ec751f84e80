// Counts and digests of matches, on the host and on a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>

#include "device/mix64.hpp"

namespace warpbench::matching {

/// The part of a match's digest that comes from query vertex u, mapped to data vertex v.
constexpr std::uint64_t digest_part(std::uint32_t u, std::uint32_t v) {
  return mix64((std::uint64_t{u} << 32) | v);
}
/// The digest of a match, from the sum of its parts: vertices may be matched in any order.
constexpr std::uint64_t digest_of_match(std::uint64_t sum_of_parts) {
  return mix64(sum_of_parts);
}
/// The same of a match given by the images of query vertices 0, 1, ….
constexpr std::uint64_t digest_of_match(std::span<const std::uint32_t> images) {
  std::uint64_t sum = 0;
  for (std::size_t u = 0; u < images.size(); ++u) sum += digest_part(static_cast<std::uint32_t>(u), images[u]);
  return digest_of_match(sum);
}

/// Counts of matches are 64-bit; more is an error, never a wrap. Throws std::overflow_error.
inline std::uint64_t checked_add(std::uint64_t a, std::uint64_t b) {
  if (b > std::numeric_limits<std::uint64_t>::max() - a) throw std::overflow_error("more than 2^64 - 1 matches");
  return a + b;
}
inline std::uint64_t checked_multiply(std::uint64_t a, std::uint64_t b) {
  if (b != 0 && a > std::numeric_limits<std::uint64_t>::max() / b) {
    throw std::overflow_error("more than 2^64 - 1 matches");
  }
  return a * b;
}

}  // namespace warpbench::matching
