// naive's aggregate (bellas2022 §3.3.2, Algorithm 3.1): one sum in global memory for all matching pairs.
#pragma once

#include <memory>

#include "problems/theta_join/problem.hpp"
#include "solvers/solver.hpp"

namespace warpbench::theta {

[[nodiscard]] std::unique_ptr<Solver<ThetaJoin>> make_naive_aggregate(const Parameters& parameters);

}  // namespace warpbench::theta
