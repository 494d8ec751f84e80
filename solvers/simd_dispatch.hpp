// Run-time dispatch: calls the version built for the widest instruction set of this CPU.
#pragma once

#include <hwy/targets.h>

#include <cstddef>

#include "solvers/simd.hpp"

namespace warpbench {

/// The function for `simd`, which this CPU supports, in the table that HWY_EXPORT makes. HWY_DYNAMIC_DISPATCH takes it
/// for the CPU, out of the same table.
template <typename Function, std::size_t kSize>
Function function_for(Simd simd, const Function (&table)[kSize]) {
  if constexpr (kSize == 1) return table[0];  // compiled for a single target
  hwy::ChosenTarget chosen;
  chosen.Update(simd.target);
  return table[chosen.GetIndex()];
}

}  // namespace warpbench
