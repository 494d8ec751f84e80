// exact: brute force on the CPU. A task is a block of queries; blocks of points that fit in the cache are compared with
// it in float by vectorized tiles (solvers/nearest_neighbors/cpu_distances.hpp), and each query keeps its nearest in a
// heap, some more than k. These are measured again in double precision, since float may confuse the k-th and the next.
// No publication's: the bound that every graph search must beat.
#include <optional>
#include <ranges>
#include <utility>

#include "baselines/nearest_neighbors/cpu_solver.hpp"
#include "problems/first_failure.hpp"
#include "solvers/nearest_neighbors/top_k.hpp"

namespace warpbench::nearest_neighbors {
namespace {

constexpr std::int64_t kSpare = 8;  ///< kept beyond k

/// One thread's share: the queries of one task against all points.
class ExactTask {
 public:
  ExactTask(const FloatSpace& space, std::int64_t k, std::int64_t queries_per_task)
      : space_(space),
        points_per_block_(std::clamp<std::int64_t>((128 << 10) / (4 * space.dimension()), 4, 256)),
        values_(static_cast<std::size_t>(points_per_block_ * queries_per_task)),
        best_(static_cast<std::size_t>(queries_per_task), TopK(std::min(k + kSpare, space.points().count))) {}

  void operator()(std::int64_t first, std::int64_t count, AnswerRows& rows) {
    for (TopK& best : best_) best.clear();
    for (std::int64_t point = 0; point < space_.points().count; point += points_per_block_) {
      offer(first, count, point);
    }
    for (std::int64_t i = 0; i < count; ++i) {
      again_.clear();
      for (const auto& [unused, id] : best_[static_cast<std::size_t>(i)].sorted()) {
        again_.emplace_back(precise_key(first + i, id), id);
      }
      std::ranges::sort(again_);
      rows.store(first + i, again_ | std::views::values);
    }
  }

 private:
  void offer(std::int64_t first_query, std::int64_t query_count, std::int64_t first_point) {
    const std::int64_t point_count = std::min(points_per_block_, space_.points().count - first_point);
    block_distances(space_.form(), VectorBlock{space_.query(first_query), query_count, space_.dimension()},
                    VectorBlock{space_.point(first_point), point_count, space_.dimension()}, values_.data());
    const float* value = values_.data();
    for (std::int64_t q = 0; q < query_count; ++q) {
      TopK& best = best_[static_cast<std::size_t>(q)];
      for (std::int64_t p = 0; p < point_count; ++p, ++value) {
        best.offer(space_.key(*value), static_cast<std::uint32_t>(first_point + p));
      }
    }
  }

  /// As space_.key(), in double precision.
  [[nodiscard]] double precise_key(std::int64_t query, std::uint32_t point) const {
    const float* const a = space_.query(query);
    const float* const b = space_.point(point);
    double sum = 0;
    for (std::int64_t i = 0; i < space_.dimension(); ++i) {
      const auto x = static_cast<double>(a[i]);
      const auto y = static_cast<double>(b[i]);
      sum += space_.form() == Form::inner_product ? -x * y : (x - y) * (x - y);
    }
    return sum;
  }

  const FloatSpace& space_;
  std::int64_t points_per_block_;
  std::vector<float> values_;
  std::vector<TopK> best_;
  std::vector<std::pair<double, std::uint32_t>> again_;
};

class Exact final : public CpuSolver {
 public:
  using CpuSolver::CpuSolver;

  void solve(Phases& phases) override {
    const auto scope = phases.cpu("search");
    const std::int64_t queries = input().queries();
    // Large blocks of queries read the points less often; small ones keep all threads busy.
    const std::int64_t size = std::clamp<std::int64_t>(queries / (4 * threads_of(parameters(), queries)), 2, 32);
    threads_ = threads_of(parameters(), ceil_div(queries, size));
    FirstFailure failure;
#pragma omp parallel num_threads(threads_)
    {
      std::optional<ExactTask> task;
      failure.guard([&] { task.emplace(space(), input().k, size); });
#pragma omp for schedule(dynamic)
      for (std::int64_t first = 0; first < queries; first += size) {
        failure.guard([&] { (*task)(first, std::min(size, queries - first), rows()); });
      }
    }
    failure.rethrow();
  }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    return {{"threads", threads_},
            {"distances", static_cast<double>(input().queries()) * static_cast<double>(input().points())}};
  }

 private:
  int threads_ = 0;
};

WARPBENCH_SOLVER(NearestNeighbors, Exact,
                 {.id = "exact",
                  .title = "Brute force, vectorized, all points for every query",
                  .source = "yu2023, §4.1.1, Definition 1",
                  .role = Role::cpu_baseline,
                  .device = Target::cpu,
                  .parameters = {threads_parameter()},
                  .smoke = {{"threads", 2}},
                  .exact = true})

}  // namespace
}  // namespace warpbench::nearest_neighbors
