#include "algorithms/theta_join/aggregate/pair_sums.hpp"

#include <algorithm>

#include "algorithms/theta_join/aggregate/total.cuh"
#include "device/kernel.hpp"

namespace warpbench::theta {
namespace {

constexpr std::int64_t kMaxGridRows = 65535;  ///< CUDA's limit along y

/// Algorithm 3.1.
template <typename Theta, typename Tuples>
__global__ void __launch_bounds__(BlockShape::kMaxThreads)
    add_matching_pairs(Theta theta, Tuples r, Tuples s, SumCells cells, View<SumWord> sums) {
  const std::int64_t i = block::index<Axis::x>() * BlockShape::kColumns + threadIdx.x;
  const std::int64_t j = block::index<Axis::y>() * blockDim.y + threadIdx.y;
  if (i >= r.size() || j >= s.size()) return;
  if (!theta(r.keys(i), s.keys(j))) return;
  const std::int64_t cell = block::index<Axis::y>() * grid::blocks<Axis::x>() + block::index<Axis::x>();
  atomicAdd(&sums[cells == SumCells::one ? 0 : cell], static_cast<SumWord>(std::int64_t{s.x(j)}));
}

}  // namespace

PairSums::PairSums(const Parameters& parameters, SumCells cells, std::int64_t pairs_per_launch)
    : AggregateSolver(layout_of(parameters)), cells_(cells), pairs_per_launch_(pairs_per_launch) {
  PairSums::configure(parameters);
}

void PairSums::configure(const Parameters& parameters) {
  block_ = block_shape_of(parameters);
}

std::int64_t PairSums::strip() const {
  const std::int64_t exact = std::max<std::int64_t>(pairs_per_launch_ / r().size(), 1);
  return std::min({exact, kMaxGridRows * block_.rows, s().size()});
}

void PairSums::add_up(View<SumWord> total, Phases& phases) {
  const std::int64_t columns = ceil_div(r().size(), BlockShape::kColumns);
  Buffer<SumWord> sums(cells_ == SumCells::one ? 1 : columns * ceil_div(strip(), block_.rows), stream());
  for (std::int64_t first = 0; first < s().size(); first += strip()) {
    const std::int64_t count = std::min(strip(), s().size() - first);
    const Grid grid{Dim3(columns, ceil_div(count, block_.rows)), block_.threads()};
    {
      const auto scope = phases.gpu("kernel", stream());
      sums.fill(0, stream());
      with_tuples([&]<typename Tuples>(const Tuples& r, const Tuples& s) {
        with_functor(predicate(), [&]<typename Theta>(const Theta& theta) {
          launch(add_matching_pairs<Theta, Tuples>, grid, stream(), theta, r, s.part(first, count), cells_,
                 sums.view());
        });
      });
    }
    const auto scope = phases.gpu("reduce", stream());
    add_cells(View<const SumWord>(sums.view()), total, stream());
  }
}

std::map<std::string, double> PairSums::counters() const {
  std::map<std::string, double> counters = AggregateSolver::counters();
  if (r().size() > 0 && s().size() > 0) counters["launches"] = static_cast<double>(ceil_div(s().size(), strip()));
  return counters;
}

}  // namespace warpbench::theta
