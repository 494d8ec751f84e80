#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/simd.cpp"
#include <hwy/foreach_target.h>  // includes this file once for each other target, and goes on with the last
#include <hwy/highway.h>

#include "solvers/simd.hpp"
#include "solvers/simd_dispatch.hpp"
#include "solvers/solver.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpbench::HWY_NAMESPACE {

std::size_t width() {
  return hwy::HWY_NAMESPACE::Lanes(hwy::HWY_NAMESPACE::CappedTag<std::uint32_t, kMaxSimdWidth>());
}

}  // namespace warpbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpbench {
namespace {

HWY_EXPORT(width);

constexpr std::int64_t kAllTargets = -1;
/// Highway's targets for AVX-512, which differ in its extensions. The better a target, the lower its bit.
constexpr std::int64_t kAvx512Targets = HWY_AVX2 - 1;

/// The best supported of some targets.
Simd best_of(std::int64_t targets) {
  for (const Simd simd : supported_simd()) {
    if ((simd.target & targets) != 0) return simd;
  }
  return kNoSimd;
}

}  // namespace

std::string to_string(Simd simd) {
  return simd == kNoSimd ? "none" : hwy::TargetName(simd.target);
}

std::vector<Simd> supported_simd() {
  std::vector<Simd> all;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    if (target != HWY_SCALAR && target != HWY_EMU128) all.push_back({target});
  }
  return all;
}

std::size_t simd_width(Simd simd) {
  return simd == kNoSimd ? 1 : function_for(simd, HWY_DISPATCH_TABLE(width))();
}

Simd simd_from(const std::string& name) {
  if (name == "none") return kNoSimd;
  if (name == "auto") return best_of(kAllTargets);
  const Simd simd = best_of(name == "avx512" ? kAvx512Targets : HWY_AVX2);
  if (simd == kNoSimd) throw Unsupported("this CPU has no " + name);
  return simd;
}

ParameterSpec simd_parameter(const std::string& meaning) {
  return parameter("simd", "auto").one_of({"auto", "none", "avx2", "avx512"}).means(meaning);
}

}  // namespace warpbench
#endif
