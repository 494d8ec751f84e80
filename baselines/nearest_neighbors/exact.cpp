// exact: brute force in float on the CPU. A task is a block of queries; blocks of points that fit in the cache are
// compared with it by vectorized tiles (problems/nearest_neighbors/cpu_distances.hpp), and each query keeps its k
// nearest in a heap. No publication's: the bound that every graph search must beat.
#include "baselines/nearest_neighbors/cpu_solver.hpp"
#include "problems/nearest_neighbors/top_k.hpp"

namespace warpbench::nearest_neighbors {
namespace {

/// One thread's share: the queries of one task against all points.
class ExactTask {
 public:
  ExactTask(const FloatSpace& space, std::int64_t k, std::int64_t queries_per_task)
      : space_(space),
        points_per_block_(std::clamp<std::int64_t>((128 << 10) / (4 * space.dimension()), 4, 256)),
        values_(static_cast<std::size_t>(points_per_block_ * queries_per_task)),
        best_(static_cast<std::size_t>(queries_per_task), TopK<float>(std::min(k, space.points().count))) {}

  void operator()(std::int64_t first, std::int64_t count, AnswerRows& rows) {
    for (TopK<float>& best : best_) best.clear();
    for (std::int64_t point = 0; point < space_.points().count; point += points_per_block_) {
      offer(first, count, point);
    }
    for (std::int64_t i = 0; i < count; ++i) {
      ids_.clear();
      for (const auto& neighbor : best_[static_cast<std::size_t>(i)].sorted()) ids_.push_back(neighbor.id);
      rows.store(first + i, ids_);
    }
  }

 private:
  void offer(std::int64_t first_query, std::int64_t query_count, std::int64_t first_point) {
    const std::int64_t point_count = std::min(points_per_block_, space_.points().count - first_point);
    block_distances(space_.form(), VectorBlock<float>{space_.query(first_query), query_count, space_.dimension()},
                    VectorBlock<float>{space_.point(first_point), point_count, space_.dimension()}, values_.data());
    const float* value = values_.data();
    for (std::int64_t q = 0; q < query_count; ++q) {
      TopK<float>& best = best_[static_cast<std::size_t>(q)];
      for (std::int64_t p = 0; p < point_count; ++p, ++value) {
        best.offer(space_.key(*value), static_cast<std::uint32_t>(first_point + p));
      }
    }
  }

  const FloatSpace& space_;
  std::int64_t points_per_block_;
  std::vector<float> values_;
  std::vector<TopK<float>> best_;
  std::vector<std::uint32_t> ids_;
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
#pragma omp parallel num_threads(threads_)
    {
      ExactTask task(space(), input().k, size);
#pragma omp for schedule(dynamic)
      for (std::int64_t first = 0; first < queries; first += size) {
        task(first, std::min(size, queries - first), rows());
      }
    }
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
                  .title = "Brute force in float, vectorized, all points for every query",
                  .source = "yu2023, §4.1.1, Definition 1",
                  .role = Role::cpu_baseline,
                  .device = Target::cpu,
                  .parameters = {threads_parameter()},
                  .smoke = {{"threads", 2}}})

}  // namespace
}  // namespace warpbench::nearest_neighbors
