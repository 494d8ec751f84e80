// The vector instructions that solvers on the CPU choose among at run time. Their kernels are written once, with
// Highway, and compiled for each of its targets (instruction sets) that the compiler knows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "problems/parameters.hpp"

namespace warpbench {

/// One of Highway's targets, by its bit; 0: no vectors.
struct Simd {
  std::int64_t target = 0;

  bool operator==(const Simd&) const = default;
};
inline constexpr Simd kNoSimd{};
/// 32-bit integers a vector at most, where instructions would take more.
inline constexpr std::size_t kMaxSimdWidth = 16;

/// Highway's name: "AVX2", "AVX3" (AVX-512), "NEON", …; "none".
std::string to_string(Simd simd);

/// Those that this program, on this CPU under this operating system, can run, the best first; without kNoSimd.
std::vector<Simd> supported_simd();

/// The number of 32-bit integers in a vector; 1 without vectors.
std::size_t simd_width(Simd simd);

/// "none", "avx2", "avx512", or "auto" for the best supported. Throws Unsupported where this CPU lacks it.
Simd simd_from(const std::string& name);

/// The parameter `simd`, which takes such names.
ParameterSpec simd_parameter(const std::string& meaning);

}  // namespace warpbench
