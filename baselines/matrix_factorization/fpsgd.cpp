// fpsgd: parallel stochastic gradient descent on a grid of blocks (FPSGD, LIBMF's method; CPU-Only of yu2023 §2.1.1,
// §3.5). A free thread takes a block that shares no users and no items with one in progress and was taken the fewest
// times. An iteration ends when as many updates were made as there are ratings, so that it may take some blocks twice
// and others not at all.
//
// FPSGD's rule is at least (threads + 1) × (threads + 1) blocks; Rule 1 of the document (§3.2.1) needs one band less on
// one side. The default, twice as many bands as threads, is LIBMF's, and meets both. The document does not say in which
// order a block's ratings are taken; by user is what FPSGD's authors do.
#include "baselines/matrix_factorization/cpu_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "device/mix64.hpp"
#include "solvers/matrix_factorization/block_scheduler.hpp"
#include "solvers/threads.hpp"

namespace warpbench::matrix_factorization {
namespace {

/// Streams of the input's seed.
enum : std::uint64_t { kUsers = 2, kItems = 3, kRatings = 4, kTies = 5 };

class Fpsgd final : public CpuSolver {
 public:
  using CpuSolver::CpuSolver;

  [[nodiscard]] std::map<std::string, double> counters() const override {
    if (!scheduler_) return {};
    const TimesTaken taken = scheduler_->times_taken();
    return {{"threads", threads_},
            {"grid", static_cast<double>(grid_.rows())},
            {"updates_made", static_cast<double>(scheduler_->updates())},
            {"fewest_updates_of_a_block", static_cast<double>(taken.fewest)},
            {"most_updates_of_a_block", static_cast<double>(taken.most)}};
  }

  /// Of even blocks, block_imbalance is 1: a worker that holds the largest block keeps others waiting at the end of an
  /// iteration.
  [[nodiscard]] std::map<std::string, double> index_counters() override {
    const std::vector<std::int64_t> counts = grid_.counts();
    const double mean = static_cast<double>(grid_.all().size()) / static_cast<double>(counts.size());
    const auto largest = static_cast<double>(std::ranges::max(counts));
    return {{"largest_block_ratings", largest}, {"block_imbalance", largest / mean}};
  }

 private:
  GridPlan sort(const Input& input) override {
    threads_ = threads_of(parameters(), std::min({input.users(), input.items(), input.ratings->train.count()}));
    const std::int64_t bands = bands_for(threads_);
    const bool shuffled = parameters().flag("shuffle");
    const auto places = [&](std::int64_t count, std::uint64_t stream) {
      return shuffled ? random_places(count, mix64(input.seed, stream)) : same_places(count);
    };
    GridPlan plan{places(input.users(), kUsers), places(input.items(), kItems), even_bands(input.users(), bands),
                  even_bands(input.items(), bands)};
    const RatingOrder order = parameters().text("order") == "user" ? RatingOrder::user : RatingOrder::random;
    grid_ = RatingGrid(input.ratings->train, plan, order, mix64(input.seed, kRatings));
    return plan;
  }

  /// FPSGD's rule: with fewer, a thread finds no block but the one that it has just given back.
  [[nodiscard]] std::int64_t bands_for(int threads) const {
    const std::int64_t bands = parameters().integer("grid");
    if (bands == 0) return 2 * static_cast<std::int64_t>(threads);
    if (bands <= threads) {
      throw Unsupported(
          fmt::format("expected a grid of at least {} for {} threads, found {}: raise grid, or lower "
                      "threads",
                      threads + 1, threads, bands));
    }
    return bands;
  }

  void start_over() override {
    scheduler_ =
        std::make_unique<BlockScheduler>(grid_.rows(), grid_.columns(), grid_.counts(), mix64(input().seed, kTies));
  }

  void iterate(const UpdateRule& rule, Phases& /*phases*/) override {
    scheduler_->begin_iteration();
#pragma omp parallel num_threads(threads_)
    while (const std::optional<Block> block = scheduler_->take()) {
      update(grid_.ratings(*block), rule);
      scheduler_->give_back(*block);
    }
  }

  int threads_ = 1;
  RatingGrid grid_;
  std::unique_ptr<BlockScheduler> scheduler_;
};

WARPBENCH_SOLVER(
    MatrixFactorization, Fpsgd,
    {.id = "fpsgd",
     .title = "Parallel stochastic gradient descent on a grid of blocks (FPSGD, CPU-Only)",
     .source = "yu2023, §2.1.1, §3.5",
     .role = Role::cpu_baseline,
     .device = Target::cpu,
     .parameters = {parameter("grid", 0)
                        .range(0, 1024)
                        .at(Stage::prepare)
                        .means("bands of users, and of items; 0: twice as many as threads"),
                    parameter("shuffle", true)
                        .at(Stage::prepare)
                        .means("deal users and items out to bands at random; false: in the order of their ids"),
                    parameter("order", "user")
                        .one_of({"user", "random"})
                        .at(Stage::prepare)
                        .means("of a block's ratings: by user, or random"),
                    threads_parameter().at(Stage::prepare), update_simd_parameter()},
     .smoke = {{"threads", 2}}})

}  // namespace
}  // namespace warpbench::matrix_factorization
