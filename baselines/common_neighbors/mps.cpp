// MPS: merge with pivot skip on the CPU (che2019, "Two Algorithms" to "Limitation of Pivot Skip Merge", "OpenMP
// Skeleton of MPS"). An edge whose degrees differ by more than the skew threshold is counted by pivot-skip merge, any
// other by the vectorized block-wise merge. Differs from the document: blocks are vectors, 8x8 with AVX2 and 16x16 with
// AVX-512; the document draws 4x4. The last partial blocks are padded instead of merged one by one. The galloping
// search is scalar; the published code probes its first window with SIMD.
#include "baselines/common_neighbors/edge_solver.hpp"
#include "baselines/common_neighbors/intersect_simd.hpp"
#include "solvers/solver.hpp"

namespace warpbench::common_neighbors {
namespace {

/// IntersectMPS of the "Extension for BMP": one way or the other, by the ratio of the list lengths.
class Hybrid {
 public:
  explicit Hybrid(const Parameters& parameters)
      : skew_threshold_(static_cast<std::uint64_t>(parameters.integer("skew_threshold"))),
        simd_(simd_from(parameters.text("simd"))),
        vectorized_(block_merge(simd_, parameters.flag("count_operations"))) {}

  template <bool kCounting>
  std::uint32_t operator()(List a, List b, Meter<kCounting>& meter) const {
    const std::size_t shorter = std::min(a.size(), b.size());
    const std::size_t longer = std::max(a.size(), b.size());
    if (skew_threshold_ != 0 && longer > skew_threshold_ * shorter) return count_pivot_skip(a, b, meter);
    if (vectorized_ == nullptr) return count_merge(a, b, meter);
    std::uint64_t block_pairs = 0;
    const std::uint32_t count = vectorized_(a, b, &block_pairs);
    meter.add(&Operations::block_pairs, block_pairs);
    return count;
  }
  [[nodiscard]] std::map<std::string, double> counters() const {
    return {{"simd_width", static_cast<double>(simd_width(simd_))}};
  }

 private:
  std::uint64_t skew_threshold_;  ///< 0: never skip
  Simd simd_;
  BlockMerge vectorized_;  ///< nullptr: scalar merge
};

using Mps = EdgeSolver<Hybrid>;

WARPBENCH_SOLVER(CommonNeighbors, Mps,
                 {.id = "mps",
                  .title = "Merge with pivot skip: vectorized block merge, galloping for skewed degrees (MPS)",
                  .source = "che2019, 'Our Solution' to 'Parallelization on CPUs'",
                  .role = Role::proposed,
                  .device = Target::cpu,
                  .parameters = {parameter("skew_threshold", 50)
                                     .range(0, 1e6)
                                     .means("degree ratio above which pivot skip is taken; 0: never (no DSH)"),
                                 simd_parameter("instruction set of the block merge; auto: the best of this CPU"),
                                 threads_parameter(0), task_size_parameter(), symmetric_parameter(),
                                 count_operations_parameter()},
                  .smoke = {{"threads", 2}, {"task_size", 100}}})

}  // namespace
}  // namespace warpbench::common_neighbors
