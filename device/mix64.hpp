// mix64: the hash behind digests of answers, seeded random numbers and hash tables, the same on hosts and devices.
//
//   digest += mix64(place, value);     // order-independent: a digest is a sum of mixed tuples
//   slot = mix64(key) % slots;
#pragma once

#include <cstdint>

namespace warpbench {

/// 64 well-mixed bits of x: the finaliser of splitmix64 (Steele, Lea, Flood, OOPSLA 2014), a bijection.
[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t x) noexcept {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31U);
}

/// The mix of a pair in which order matters: a place and the value there.
[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t first, std::uint64_t second) noexcept {
  return mix64(mix64(first) ^ second);
}

}  // namespace warpbench
