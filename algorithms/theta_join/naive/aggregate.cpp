#include "algorithms/theta_join/naive/aggregate.hpp"

#include "algorithms/theta_join/aggregate/pair_sums.hpp"

namespace warpbench::theta {

std::unique_ptr<Solver<ThetaJoin>> make_naive_aggregate(const Parameters& parameters) {
  return std::make_unique<PairSums>(parameters, SumCells::one);
}

}  // namespace warpbench::theta
