// hsgd: FPSGD with a GPU as one more worker (HSGD; yu2023 §3.2.1). The matrix is cut evenly into blocks by Rule 1, for
// n_c threads and n_g = 1 GPU n_c + n_g bands of users and n_c + n_g + 1 of items. A free worker takes a block that
// shares no users and no items with one in progress and was taken the fewest times. For the GPU each block and its
// segments of P and Q are brought to the device and the segments back. Blocks are small for a GPU, and a fast one takes
// the same few again and again (Example 3): what hsgd-star mends.
#include <omp.h>

#include <map>
#include <numeric>
#include <string>

#include "algorithms/matrix_factorization/hsgd/hybrid_solver.hpp"
#include "problems/first_failure.hpp"
#include "solvers/matrix_factorization/block_scheduler.hpp"

namespace warpbench::matrix_factorization {
namespace {

class Hsgd final : public HybridSolver {
 public:
  using HybridSolver::HybridSolver;

  [[nodiscard]] std::map<std::string, double> counters() const override {
    if (!scheduler_) return {};
    const TimesTaken taken = scheduler_->times_taken();
    WorkerCounts workers;
    for (std::int64_t row = 0; row < grid_.rows(); ++row) {
      for (std::int64_t column = 0; column < grid_.columns(); ++column) count_workers({row, 1, column}, workers);
    }
    return {{"threads", threads_had_},
            {"gpu_workers", static_cast<double>(workers.most)},
            {"fewest_gpu_workers", static_cast<double>(workers.fewest)},
            {"updates_made", static_cast<double>(scheduler_->updates())},
            {"gpu_updates", static_cast<double>(gpu_updates_)},
            {"fewest_updates_of_a_block", static_cast<double>(taken.fewest)},
            {"most_updates_of_a_block", static_cast<double>(taken.most)}};
  }

 private:
  GridPlan sort(const Input& input) override {
    threads_ = threads_for(input);
    GridPlan plan{places(input.users(), kUsers), places(input.items(), kItems), even_bands(input.users(), threads_ + 1),
                  even_bands(input.items(), threads_ + 2)};
    grid_ = RatingGrid(input.ratings->train, plan, RatingOrder::user, mix64(input.seed, kRatings));
    return plan;
  }

  [[nodiscard]] const RatingGrid& grid() const override { return grid_; }
  [[nodiscard]] std::vector<std::int64_t> device_parts() const override {
    std::vector<std::int64_t> rows(static_cast<std::size_t>(grid_.rows()) + 1);
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
  }

  [[nodiscard]] DeviceSizes sizes() const override {
    return {.workers = parameters().integer("workers"),
            .visited_users = largest_band(plan().user_bands),
            .items = largest_band(plan().item_bands),
            .has_core = threads_ < omp_get_num_procs(),
            .ratings = is_resident() ? 0 : device_ratings().largest_task()};
  }

  void start_over() override {
    scheduler_ =
        std::make_unique<BlockScheduler>(grid_.rows(), grid_.columns(), grid_.counts(), mix64(input().seed, kTies));
    gpu_updates_ = 0;
  }

  void iterate(const UpdateRule& rule, Phases& /*phases*/) override {
    scheduler_->begin_iteration();
    const auto on_gpu = [&] {
      while (const std::optional<Block> block = scheduler_->take()) {
        const GivesBack gives_back{*scheduler_, *block};
        begin_on_device({block->row, 1, block->column}, false, rule);
        device().finish();
        gpu_updates_ += std::ssize(grid_.ratings(*block));
      }
    };
    const auto on_cpu = [&] {
      while (const std::optional<Block> block = scheduler_->take()) {
        update(grid_.ratings(*block), rule);
        scheduler_->give_back(*block);
      }
    };
    side_by_side(threads_, on_gpu, on_cpu);
  }

  /// gpu() on the calling thread beside cpu() on `threads` others. What gpu() throws is thrown when all have ended;
  /// cpu() throws nothing. Where there is but one thread, it calls gpu() first.
  template <typename Gpu, typename Cpu>
  void side_by_side(int threads, const Gpu& gpu, const Cpu& cpu) {
    FirstFailure failure;
#pragma omp parallel num_threads(threads + 1)
    {
      if (omp_get_thread_num() == 0) threads_had_ = std::max(1, omp_get_num_threads() - 1);
      if (omp_get_thread_num() == 0) failure.guard(gpu);
      if (omp_get_thread_num() > 0 || omp_get_num_threads() == 1) cpu();
    }
    failure.rethrow();
  }

  /// Also where the GPU fails: threads that wait for its bands would wait forever.
  struct GivesBack {
    BlockScheduler& scheduler;
    Block block;

    GivesBack(BlockScheduler& from, Block taken) : scheduler(from), block(taken) {}
    GivesBack(const GivesBack&) = delete;
    GivesBack& operator=(const GivesBack&) = delete;
    ~GivesBack() { scheduler.give_back(block); }
  };

  int threads_ = 1;
  int threads_had_ = 0;  ///< OpenMP may give fewer than it is asked for
  RatingGrid grid_;
  std::unique_ptr<BlockScheduler> scheduler_;
  std::int64_t gpu_updates_ = 0;
};

WARPBENCH_SOLVER(MatrixFactorization, Hsgd,
                 {.id = "hsgd",
                  .title = "FPSGD with a GPU as one more worker (HSGD)",
                  .source = "yu2023, §3.2.1",
                  .role = Role::proposed,
                  .device = Target::hybrid,
                  .parameters = hybrid_parameters(),
                  .smoke = {{"threads", 2}}})

}  // namespace
}  // namespace warpbench::matrix_factorization
