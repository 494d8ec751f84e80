// sort-scan's aggregate: S is sorted and its x are summed up to each place, so that a tuple of R needs a search and a
// subtraction.
#pragma once

#include <memory>

#include "problems/theta_join/problem.hpp"
#include "solvers/solver.hpp"

namespace warpbench::theta {

[[nodiscard]] std::unique_ptr<Solver<ThetaJoin>> make_sorted_aggregate(const Parameters& parameters);

}  // namespace warpbench::theta
