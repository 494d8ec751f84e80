// sort-scan: S is sorted by what θ compares, so that the matches of a tuple of R are a range of it, found by binary
// search. Ours; the document's solvers know nothing of θ, and look at every pair.
//
// aggregate: prefix sums of x turn a range into a subtraction: O((|R| + |S|) log |S|). A conjunction asks for a range
// in each of two orders; a wavelet matrix over S has their sum in O(log |S|) for each tuple of R (rank_sums.cuh), so
// the time stays the same, and its memory is 12 |S| log |S| bytes.
//
// select: the ranges' sizes give each row its place before any is written: O((|R| + |S|) log |S| + rows). Of a
// conjunction the matches of a tuple are up to 2 log |S| runs on the levels of a wavelet matrix (rank_rows.cuh), so
// that no pair is looked at that is not in the result.
#include "algorithms/theta_join/sort_scan/aggregate.hpp"
#include "algorithms/theta_join/sort_scan/select.hpp"
#include "solvers/theta_join/query_solver.hpp"

namespace warpbench::theta {
namespace {

class SortScan final : public QuerySolver {
 public:
  explicit SortScan(const Parameters& parameters)
      : QuerySolver(make_sorted_aggregate, make_sorted_select, parameters) {}
};

WARPBENCH_SOLVER(ThetaJoin, SortScan,
                 {.id = "sort-scan",
                  .title = "Sorts S, and finds a tuple's matches by binary search",
                  .source = "this project",
                  .role = Role::proposed,
                  .device = Target::gpu,
                  .ours = true,
                  .exact = true})

}  // namespace
}  // namespace warpbench::theta
