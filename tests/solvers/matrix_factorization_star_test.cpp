// The scheduler of HSGD*: no two workers in one band, ever; every block once an iteration; a side that
// has finished helps the other, and all ends.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <string>
#include <thread>

#include "solvers/matrix_factorization/division.hpp"
#include "solvers/matrix_factorization/star_scheduler.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::matrix_factorization {
namespace {

constexpr std::uint64_t kSeed = 20235;

using Counts = std::vector<std::int64_t>;

Counts equal_counts(const Division& division, std::int64_t ratings) {
  return Counts(static_cast<std::size_t>(division.rows() * division.columns()), ratings);
}

/// What a worker holds: at most one task, or a GPU two.
struct Worker {
  std::int64_t gpu = -1;
  std::vector<Task> held;
  bool is_over = false;
};

/// Workers of random speed on random grids: at each step one of them takes or gives back. All promises are checked by
/// looking at all blocks.
class Simulation {
 public:
  Simulation(std::uint64_t seed, bool is_dynamic)
      : random_(seed),
        division_{static_cast<std::int64_t>(1 + random_() % 6), static_cast<std::int64_t>(1 + random_() % 3),
                  static_cast<std::int64_t>(1 + random_() % 3)},
        is_dynamic_(is_dynamic),
        is_fast_gpu_(random_() % 2 == 0) {
    const std::uint64_t empty = random_() % 4;  // quarters of the blocks that have no ratings
    for (std::int64_t block = 0; block < division_.rows() * division_.columns(); ++block) {
      counts_.push_back(random_() % 4 < empty ? 0 : static_cast<std::int64_t>(1 + random_() % 50));
    }
    done_.resize(counts_.size());
    for (std::int64_t thread = 0; thread < division_.threads; ++thread) workers_.emplace_back();
    for (std::int64_t gpu = 0; gpu < division_.gpus; ++gpu) workers_.push_back({gpu, {}, false});
  }

  void run() {
    StarScheduler scheduler(division_, counts_, is_dynamic_);
    for (int iteration = 1; iteration <= 4; ++iteration) {
      if (random_() % 2 == 0) {
        const auto rate = [&] { return static_cast<double>(random_() % 1000); };
        scheduler.set_rates({rate(), rate(), rate() / 100});
      }
      scheduler.begin_iteration();
      for (Worker& worker : workers_) worker.is_over = false;
      std::ranges::fill(done_, 0);
      while (step(scheduler)) {
        if (::testing::Test::HasFailure()) return;
      }
      for (std::size_t block = 0; block < done_.size(); ++block) {
        ASSERT_EQ(done_[block], counts_[block] > 0 ? 1 : 0) << "block " << block << ", iteration " << iteration;
      }
      const bool has_ratings = std::ranges::any_of(counts_, [](std::int64_t count) { return count > 0; });
      EXPECT_EQ(scheduler.times_taken().fewest, has_ratings ? iteration : 0);
      EXPECT_EQ(scheduler.times_taken().most, has_ratings ? iteration : 0);
    }
    EXPECT_TRUE(is_dynamic_ || scheduler.cpu().stolen + scheduler.gpu().stolen == 0);
  }

 private:
  /// False when all workers are through.
  bool step(StarScheduler& scheduler) {
    std::vector<Worker*> ready;
    for (Worker& worker : workers_) {
      if (worker.is_over) continue;
      // A GPU that is fast acts four times as often.
      const int chances = worker.gpu >= 0 && is_fast_gpu_ ? 4 : 1;
      for (int chance = 0; chance < chances; ++chance) ready.push_back(&worker);
    }
    std::ranges::shuffle(ready, random_);
    for (Worker* worker : ready) {
      if (act(scheduler, *worker)) return true;
    }
    EXPECT_TRUE(std::ranges::all_of(workers_, [](const Worker& worker) { return worker.held.empty(); }));
    // Nobody can do anything: then nothing is left for anyone, and nobody waits.
    for (Worker& worker : workers_) {
      EXPECT_TRUE(worker.gpu < 0 ? scheduler.is_over() : scheduler.is_over(worker.gpu));
    }
    return false;
  }

  /// Whether the worker did something.
  bool act(StarScheduler& scheduler, Worker& worker) {
    const bool wants_next = worker.gpu >= 0 && worker.held.size() == 1 && random_() % 2 == 0;
    if (wants_next && keep(worker, scheduler.take_next(worker.gpu))) return true;
    if (!worker.held.empty()) {
      scheduler.give_back(worker.held.front());
      worker.held.erase(worker.held.begin());
      return true;
    }
    if (worker.gpu < 0) return keep(worker, scheduler.take());
    if (scheduler.should_open(worker.gpu)) {
      EXPECT_TRUE(is_dynamic_);
      scheduler.open(worker.gpu);
      return true;
    }
    return keep(worker, scheduler.take_for_gpu(worker.gpu));
  }

  bool keep(Worker& worker, const std::optional<Task>& task) {
    if (!task) return false;
    check(worker, *task);
    for (std::int64_t row = task->first_row; row < task->first_row + task->rows; ++row) {
      const auto block = static_cast<std::size_t>(row * division_.columns() + task->column);
      if (counts_[block] > 0) ++done_[block];
    }
    worker.held.push_back(*task);
    return true;
  }

  void check(const Worker& worker, const Task& task) const {
    const bool is_of_cpu = task.first_row >= division_.gpu_rows();
    for (const Worker& other : workers_) {
      for (const Task& held : other.held) {
        EXPECT_NE(held.column, task.column) << "two tasks in one column";
        const bool share_rows =
            held.first_row < task.first_row + task.rows && task.first_row < held.first_row + held.rows;
        const bool is_own_row = &other == &worker && held.rows > 1 && task.rows > 1;
        EXPECT_FALSE(share_rows && !is_own_row) << "two tasks in one row";
      }
    }
    if (task.rows > 1) {
      EXPECT_EQ(task.first_row, worker.gpu * division_.sub_rows()) << "whole rows are for their GPU";
      EXPECT_EQ(task.rows, division_.sub_rows());
    }
    EXPECT_TRUE(is_dynamic_ || is_of_cpu == (worker.gpu < 0)) << "a block of the other side";
    if (is_of_cpu == (worker.gpu < 0)) return;
    for (std::int64_t row = 0; row < division_.rows(); ++row) {
      const bool is_own = worker.gpu < 0 ? row >= division_.gpu_rows()
                                         : row / division_.sub_rows() == worker.gpu && row < division_.gpu_rows();
      for (std::int64_t column = 0; is_own && column < division_.columns(); ++column) {
        const auto block = static_cast<std::size_t>(row * division_.columns() + column);
        EXPECT_TRUE(counts_[block] == 0 || done_[block] == 1) << "helps although an own block is left";
      }
    }
  }

  std::mt19937_64 random_;
  Division division_;
  bool is_dynamic_;
  bool is_fast_gpu_;
  Counts counts_;
  Counts done_;  // times that a block was taken in this iteration
  std::vector<Worker> workers_;
};

class StarSchedulerSimulation : public ::testing::TestWithParam<bool> {};

TEST_P(StarSchedulerSimulation, KeepsItsPromisesUnderAnyInterleaving) {
  const std::uint64_t rounds = testing::usual_or_thorough(150, 5000);
  for (std::uint64_t round = 0; round < rounds && !HasFailure(); ++round) {
    SCOPED_TRACE("seed " + std::to_string(kSeed + round));
    Simulation(kSeed + round, GetParam()).run();
  }
}

INSTANTIATE_TEST_SUITE_P(StarScheduler, StarSchedulerSimulation, ::testing::Bool(),
                         [](const auto& mode) { return mode.param ? "Dynamic" : "Static"; });

TEST(StarScheduler, GivesAGpuWholeRowsUntilTheCpuHasNoneLeft) {
  const Division division{2, 1};  // 5 columns, 3 sub-rows, 3 rows
  StarScheduler scheduler(division, equal_counts(division, 10), true);
  scheduler.begin_iteration();
  const auto first = scheduler.take_for_gpu(0);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->first_row, 0);
  EXPECT_EQ(first->rows, 3);
  const auto second = scheduler.take_next(0);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->rows, 3);
  EXPECT_NE(second->column, first->column);
  int blocks = 0;
  while (const auto task = scheduler.take()) {
    EXPECT_GE(task->first_row, 3);
    scheduler.give_back(*task);
    ++blocks;
  }
  EXPECT_EQ(blocks, 3 * 3) << "those that are not in the GPU's columns";
  EXPECT_FALSE(scheduler.should_open(0)) << "blocks of the CPU are left";
  scheduler.give_back(*first);
  scheduler.give_back(*second);
  while (const auto task = scheduler.take()) scheduler.give_back(*task);
  EXPECT_TRUE(scheduler.should_open(0));
  EXPECT_EQ(scheduler.take_next(0), std::nullopt) << "it is to open its row";
  scheduler.open(0);
  const auto help = scheduler.take();
  ASSERT_TRUE(help);
  EXPECT_LT(help->first_row, 3);
  EXPECT_EQ(help->rows, 1);
  EXPECT_EQ(scheduler.cpu().stolen, 1);
  const auto beside = scheduler.take_for_gpu(0);
  ASSERT_TRUE(beside);
  EXPECT_EQ(beside->rows, 1);
  EXPECT_NE(beside->first_row, help->first_row);
  EXPECT_EQ(scheduler.gpu().stolen, 0) << "its own";
}

/// A GPU that is a hundred times as fast as a thread has done what is left before a thread has done one block.
TEST(StarScheduler, OpensARowOnlyWhereHelpPays) {
  const Division division{4, 1};
  const auto opens_with = [&](const StarScheduler::Rates& rates, std::int64_t columns_done) {
    StarScheduler scheduler(division, equal_counts(division, 100), true);
    scheduler.set_rates(rates);
    scheduler.begin_iteration();
    while (const auto task = scheduler.take()) scheduler.give_back(*task);
    while (columns_done-- > 0) scheduler.give_back(scheduler.take_for_gpu(0).value());
    return scheduler.should_open(0);
  };
  EXPECT_TRUE(opens_with({}, 0));
  EXPECT_TRUE(opens_with({10, 5}, 0));
  EXPECT_FALSE(opens_with({1000, 10}, 0));
  EXPECT_FALSE(opens_with({10, 5, 1000}, 0)) << "opening takes longer than the rest";
  EXPECT_TRUE(opens_with({10, 5}, division.columns() - 3));
  EXPECT_FALSE(opens_with({10, 5}, division.columns() - 1)) << "one column is for one worker";
}

TEST(StarScheduler, LetsAGpuThatHasFinishedHelpTheCpu) {
  const Division division{3, 1};
  StarScheduler scheduler(division, equal_counts(division, 10), true);
  scheduler.begin_iteration();
  const auto held = scheduler.take();
  ASSERT_TRUE(held);
  std::int64_t helped = 0;
  while (const auto task = scheduler.take_for_gpu(0)) {
    if (task->first_row >= division.gpu_rows()) ++helped;
    EXPECT_NE(task->column, held->column);
    scheduler.give_back(*task);
  }
  EXPECT_EQ(helped, 0) << "its last block is in the column that is held";
  scheduler.give_back(*held);
  while (const auto task = scheduler.take_for_gpu(0)) scheduler.give_back(*task);
  EXPECT_EQ(scheduler.gpu().stolen, division.cpu_rows() * division.columns() - 1);
  EXPECT_EQ(scheduler.take(), std::nullopt);
  EXPECT_EQ(scheduler.times_taken().fewest, 1);
}

TEST(StarScheduler, TakesEmptyParts) {
  const Division division{2, 1};
  Counts only_gpu = equal_counts(division, 0);
  only_gpu.front() = 5;
  for (const bool is_dynamic : {false, true}) {
    StarScheduler scheduler(division, only_gpu, is_dynamic);
    scheduler.begin_iteration();
    EXPECT_EQ(scheduler.take(), std::nullopt) << "R_g is closed";
    EXPECT_EQ(scheduler.should_open(0), is_dynamic);
    const auto task = scheduler.take_for_gpu(0);
    ASSERT_TRUE(task);
    EXPECT_EQ(task->column, 0);
    EXPECT_EQ(scheduler.take(), std::nullopt);
    scheduler.give_back(*task);
    EXPECT_EQ(scheduler.take_for_gpu(0), std::nullopt);
  }
  StarScheduler nothing(division, equal_counts(division, 0), true);
  nothing.begin_iteration();
  EXPECT_EQ(nothing.take(), std::nullopt);
  EXPECT_EQ(nothing.take_for_gpu(0), std::nullopt);
}

TEST(StarScheduler, EndsWhenAWorkerFails) {
  const Division division{2, 1};
  StarScheduler scheduler(division, equal_counts(division, 10), true);
  scheduler.begin_iteration();
  const auto held = scheduler.take_for_gpu(0);
  ASSERT_TRUE(held);
  EXPECT_FALSE(scheduler.is_over());
  scheduler.stop();
  EXPECT_TRUE(scheduler.is_over());
  EXPECT_TRUE(scheduler.is_over(0));
  EXPECT_EQ(scheduler.take(), std::nullopt);
  EXPECT_EQ(scheduler.take_for_gpu(0), std::nullopt);
  EXPECT_EQ(scheduler.take_next(0), std::nullopt);
}

/// Example 3 of yu2023: two slow threads and a GPU that is a hundred times as fast. In HSGD some blocks starve while
/// the GPU updates by the same few; in HSGD* all are taken as often.
TEST(StarScheduler, StarvesNoBlockWhereHsgdDoes) {
  constexpr std::int64_t kRatings = 10;
  constexpr int kIterations = 3;
  BlockScheduler hsgd(3, 4, Counts(12, kRatings), kSeed);
  std::vector<Block> slow;
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    hsgd.begin_iteration();
    while (slow.size() < 2) slow.push_back(hsgd.take().value());
    while (const auto block = hsgd.try_take()) hsgd.give_back(*block);
    for (const Block& block : slow) hsgd.give_back(block);
    slow.clear();
  }
  EXPECT_EQ(hsgd.times_taken().fewest, 0);
  EXPECT_GE(hsgd.times_taken().most, kIterations + 2);

  const Division division{2, 1};
  StarScheduler star(division, equal_counts(division, kRatings), true);
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    star.begin_iteration();
    std::vector<Task> held;
    while (held.size() < 2) held.push_back(star.take().value());
    while (const auto task = star.take_for_gpu(0)) star.give_back(*task);
    for (const Task& task : held) star.give_back(task);
    while (const auto task = star.take_for_gpu(0)) star.give_back(*task);
  }
  EXPECT_EQ(star.times_taken().fewest, kIterations);
  EXPECT_EQ(star.times_taken().most, kIterations);
}

/// Each marks its bands while it holds a task.
TEST(StarScheduler, KeepsThreadsApart) {
  for (const bool is_dynamic : {false, true}) {
    const Division division{5, 2};
    StarScheduler scheduler(division, equal_counts(division, 1), is_dynamic);
    std::vector<std::atomic<int>> rows(static_cast<std::size_t>(division.rows()));
    std::vector<std::atomic<int>> columns(static_cast<std::size_t>(division.columns()));
    std::atomic<int> collisions{0};
    const auto use = [&](const Task& task) {
      for (std::int64_t row = task.first_row; row < task.first_row + task.rows; ++row) {
        collisions += rows[static_cast<std::size_t>(row)]++;
      }
      collisions += columns[static_cast<std::size_t>(task.column)]++;
      std::this_thread::yield();
      for (std::int64_t row = task.first_row; row < task.first_row + task.rows; ++row) {
        --rows[static_cast<std::size_t>(row)];
      }
      --columns[static_cast<std::size_t>(task.column)];
      scheduler.give_back(task);
    };
    for (int iteration = 1; iteration <= 20; ++iteration) {
      scheduler.begin_iteration();
      {
        std::vector<std::jthread> threads;
        for (std::int64_t thread = 0; thread < division.threads; ++thread) {
          threads.emplace_back([&] {
            while (!scheduler.is_over()) {
              if (const auto task = scheduler.take()) use(*task);
            }
          });
        }
        for (std::int64_t gpu = 0; gpu < division.gpus; ++gpu) {
          threads.emplace_back([&, gpu] {
            while (!scheduler.is_over(gpu)) {
              if (scheduler.should_open(gpu)) scheduler.open(gpu);
              if (const auto task = scheduler.take_for_gpu(gpu)) use(*task);
            }
          });
        }
      }
      EXPECT_EQ(scheduler.times_taken().fewest, iteration);
      EXPECT_EQ(scheduler.times_taken().most, iteration);
    }
    EXPECT_EQ(collisions, 0);
    EXPECT_GT(scheduler.cpu().seconds, 0);
    EXPECT_GT(scheduler.gpu().seconds, 0);
  }
}

}  // namespace
}  // namespace warpbench::matrix_factorization
