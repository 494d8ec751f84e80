// A thread for each pair (bellas2022 §3.3.2, §3.3.3): what naive and partial-sums share.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "algorithms/theta_join/aggregate/aggregate_solver.hpp"
#include "algorithms/theta_join/aggregate/block_shape.hpp"

namespace warpbench::theta {

/// The cells that matching pairs add S.x to.
enum class SumCells { one, one_per_block };

/// A 2D grid of 2D blocks, 32 tuples of R wide, over the join matrix. Each thread evaluates θ of one pair, and adds S.x
/// to a sum of 64 bits in global memory by atomicAdd where it holds. A launch covers at most kMaxPairs, so that this
/// sum is exact: 2^32 times |S.x| <= 2^31 are at most 2^63.
class PairSums : public AggregateSolver {
 public:
  static constexpr std::int64_t kMaxPairs = std::int64_t{1} << 32;

  /// Tests give less `pairs_per_launch`.
  PairSums(const Parameters& parameters, SumCells cells, std::int64_t pairs_per_launch = kMaxPairs);

  void configure(const Parameters& parameters) override;
  [[nodiscard]] std::map<std::string, double> counters() const override;

 private:
  void add_up(View<SumWord> total, Phases& phases) override;
  /// Tuples of S that a launch covers.
  [[nodiscard]] std::int64_t strip() const;

  SumCells cells_;
  std::int64_t pairs_per_launch_;
  BlockShape block_;
};

}  // namespace warpbench::theta
