#include "algorithms/theta_join/sort_scan/aggregate.hpp"

#include "algorithms/theta_join/aggregate/total.cuh"
#include "algorithms/theta_join/sort_scan/matches.cuh"
#include "algorithms/theta_join/sort_scan/rank_sums.cuh"
#include "algorithms/theta_join/sort_scan/two_orders.cuh"
#include "device/primitives.hpp"

namespace warpbench::theta {
namespace {

constexpr int kThreads = kReduceThreads;
constexpr std::int64_t kMaxBlocks = 4096;

/// One condition: for each tuple of R the sum of x over the places of S that match, a range or all but it. `prefixes`
/// has the sum before each place and, last, of all: below 2^62, since S has less than 2^31 tuples.
__global__ void __launch_bounds__(kThreads)
    add_ranges(Comparison comparison, View<const std::int32_t> r, View<const std::int32_t> sorted,
               View<const std::int64_t> prefixes, View<SumWord> total) {
  __shared__ Int128 cells[kThreads];
  Int128 sum = 0;
  for (const std::int64_t i : grid::strided<kThreads>(r.size())) {
    const Matches matches = matches_of(comparison, r[i], sorted);
    const std::int64_t inside = prefixes[matches.range.end] - prefixes[matches.range.begin];
    sum += matches.all_others ? prefixes[sorted.size()] - inside : inside;
  }
  sum = sum_of_block(sum, cells);
  if (block::rank() == 0) add_to(total, sum);
}

/// The sum over places `range` of the first order that match in the second.
__device__ __forceinline__ std::int64_t sum_over(const RankSumsView& sums, Wavelet::Places range,
                                                 const Matches& second) {
  const std::int64_t inside = sums.sum_within(range, second.range);
  return second.all_others ? sums.sum(0, range) - inside : inside;
}

/// Two conditions: a range of places in S sorted by the first key, or all but it, and another in S sorted by the
/// second.
__global__ void __launch_bounds__(kThreads)
    add_rectangles(Predicate theta, SoaTuples r, View<const std::int32_t> sorted_first,
                   View<const std::int32_t> sorted_second, RankSumsView sums, View<SumWord> total) {
  __shared__ Int128 cells[kThreads];
  Int128 sum = 0;
  for (const std::int64_t i : grid::strided<kThreads>(r.size())) {
    const Keys keys = r.keys(i);
    const Matches first = matches_of(theta.first.comparison, keys.first, sorted_first);
    const Matches second = matches_of(theta.second.comparison, keys.second, sorted_second);
    const std::int64_t inside = sum_over(sums, first.range, second);
    sum += first.all_others ? sum_over(sums, {0, sums.wavelet.size}, second) - inside : inside;
  }
  sum = sum_of_block(sum, cells);
  if (block::rank() == 0) add_to(total, sum);
}

class SortedAggregate final : public AggregateSolver {
 public:
  SortedAggregate() : AggregateSolver(Layout::soa) {}

  void configure(const Parameters& /*parameters*/) override {}

 private:
  void add_up(View<SumWord> total, Phases& phases) override {
    predicate().is_conjunction ? add_conjunction(total, phases) : add_condition(total, phases);
  }

  void add_condition(View<SumWord> total, Phases& phases) {
    const std::int64_t size = s().size();
    Buffer<std::int32_t> keys(size, stream());
    Buffer<std::int32_t> xs(size, stream());
    Buffer<std::int64_t> prefixes(size + 1, stream());
    {
      const auto scope = phases.gpu("sort", stream());
      sort_pairs(s().soa().first, keys.view(), s().soa().x_values, xs.view(), stream());
    }
    {
      const auto scope = phases.gpu("scan", stream());
      prefixes.fill(0, stream());
      inclusive_scan(xs.view(), prefixes.view().subview(1, size), stream());
    }
    const auto scope = phases.gpu("search", stream());
    launch(add_ranges, search_grid(), stream(), predicate().first.comparison, r().soa().first, keys.view(),
           prefixes.view(), total);
  }

  void add_conjunction(View<SumWord> total, Phases& phases) {
    const std::int64_t size = s().size();
    TwoOrders orders(size, stream());
    Buffer<std::int32_t> xs(size, stream());
    {
      const auto scope = phases.gpu("sort", stream());
      orders.sort(s().soa().first, s().soa().second, stream());
      gather(orders.places.view(), s().soa().x_values, xs.view(), stream());
    }
    const RankSums sums = [&] {
      const auto scope = phases.gpu("scan", stream());
      return RankSums(std::move(orders.ranks), std::move(xs), stream());
    }();
    const auto scope = phases.gpu("search", stream());
    launch(add_rectangles, search_grid(), stream(), predicate(), r().soa(), orders.first.view(), orders.second.view(),
           sums.view(), total);
  }

  [[nodiscard]] Grid search_grid() const { return grid_for(r().size(), kThreads, kMaxBlocks); }
};

}  // namespace

std::unique_ptr<Solver<ThetaJoin>> make_sorted_aggregate(const Parameters& /*parameters*/) {
  return std::make_unique<SortedAggregate>();
}

}  // namespace warpbench::theta
