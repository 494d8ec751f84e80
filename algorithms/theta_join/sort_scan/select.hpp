// sort-scan's select: S is sorted, so that the matches of a tuple of R are a range, and a scan of the ranges' sizes
// gives each row its place before any is written.
#pragma once

#include <memory>

#include "problems/theta_join/problem.hpp"
#include "solvers/solver.hpp"

namespace warpbench::theta {

/// Has no parameters.
[[nodiscard]] std::unique_ptr<Solver<ThetaJoin>> make_sorted_select(const Parameters& parameters);

}  // namespace warpbench::theta
