#include "problems/simd.hpp"

#include "problems/solver.hpp"

namespace warpbench {

const char* to_string(Simd simd) {
  switch (simd) {
    case Simd::none:
      return "none";
    case Simd::avx2:
      return "avx2";
    case Simd::avx512:
      return "avx512";
  }
  return "?";
}

bool supported(Simd simd) {
  if (simd == Simd::none) return true;
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("popcnt")) return false;
  return simd == Simd::avx2 ? __builtin_cpu_supports("avx2") != 0 : __builtin_cpu_supports("avx512f") != 0;
#else
  return false;
#endif
}

Simd simd_from(const std::string& name) {
  if (name == "auto") {
    if (supported(Simd::avx512)) return Simd::avx512;
    return supported(Simd::avx2) ? Simd::avx2 : Simd::none;
  }
  const Simd simd = name == "avx512" ? Simd::avx512 : name == "avx2" ? Simd::avx2 : Simd::none;
  if (!supported(simd)) throw Unsupported("this CPU has no " + name);
  return simd;
}

}  // namespace warpbench
