// QuerySample: queries whose exact neighbours are known, by which `auto` estimates the recall of an approximate search.
#pragma once

#include <cstdint>
#include <vector>

#include "problems/nearest_neighbors/problem.hpp"
#include "solvers/solver.hpp"

namespace warpbench::nearest_neighbors {

class QuerySample {
 public:
  using Input = NearestNeighbors::Input;
  using Answer = NearestNeighbors::Answer;

  /// `size` of the queries of `input`, by a fixed seed. Where there are fewer queries, points are asked instead that
  /// are held out: a point that is in a graph is found more easily than a new one. At most a tenth of the points are
  /// held out; of fewer than ten points the sample is empty. `exact` answers the sample exactly. `input` outlives this.
  QuerySample(const Input& input, std::int64_t size, Solver<NearestNeighbors>& exact);
  QuerySample(const QuerySample&) = delete;
  QuerySample& operator=(const QuerySample&) = delete;
  ~QuerySample() = default;

  /// The points and queries for which a solver is prepared that answers the sample: those of `input`, or the points
  /// that are left, with those that are held out as queries.
  [[nodiscard]] const Input& batch() const { return batch_; }
  [[nodiscard]] bool is_held_out() const { return !held_out_.queries.empty(); }
  /// Rows of an answer to batch() that the sample is.
  [[nodiscard]] const std::vector<std::int64_t>& rows() const { return rows_; }
  [[nodiscard]] std::int64_t places() const { return static_cast<std::int64_t>(rows_.size()) * batch_.places(); }

  /// The recall that the judge would find, of the sample alone; 0 of an empty one. O(places × dimension).
  [[nodiscard]] double recall(const Answer& answer) const;

 private:
  void find_exact(Solver<NearestNeighbors>& exact);

  datasets::VectorSet held_out_;
  Input batch_;
  std::vector<std::int64_t> rows_;
  std::vector<double> farthest_;  ///< by row, the distance of the k-th nearest point
};

/// The recall that a sample has to show for one of at least `wanted` of all queries. A sample of `places` independent
/// places of recall p shows p with a standard deviation of sqrt(p (1 - p) / places), as its hits are binomial. So
/// `wanted` and z of these deviations are demanded, with z = 2.33: a search of less recall passes in one case of 100.
/// Misses of a query come together; where that doubles the variance, it passes in one of 20. At most 1: a sample that
/// is too small to tell has to hit every place.
double demanded_recall(double wanted, std::int64_t places);

}  // namespace warpbench::nearest_neighbors
