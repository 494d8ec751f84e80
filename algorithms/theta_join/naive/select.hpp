// The select query of `naive` (bellas2022 §3.4.1).
#pragma once

#include <memory>

#include "problems/theta_join/problem.hpp"
#include "solvers/solver.hpp"

namespace warpbench::theta {

/// Reads `layout`, `threads_per_block` and `output` (atomic or compressed).
[[nodiscard]] std::unique_ptr<Solver<ThetaJoin>> make_naive_select(const Parameters& parameters);

}  // namespace warpbench::theta
