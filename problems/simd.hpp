// The vector instructions that solvers on the CPU choose among at run time.
#pragma once

#include <string>

namespace warpbench {

enum class Simd { none, avx2, avx512 };

const char* to_string(Simd simd);

/// Whether this program, on this CPU under this operating system, can run it.
bool supported(Simd simd);

/// "none", "avx2", "avx512", or "auto" for the widest one supported. Throws Unsupported where this CPU lacks it.
Simd simd_from(const std::string& name);

}  // namespace warpbench
