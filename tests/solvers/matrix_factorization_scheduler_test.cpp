// The scheduler of blocks: no two workers in one band, ever; the fewest updates first; nobody starves.
#include "solvers/matrix_factorization/block_scheduler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <random>
#include <set>
#include <thread>

#include "tests/support/thorough.hpp"

namespace warpbench::matrix_factorization {
namespace {

constexpr std::uint64_t kSeed = 20231;

using Counts = std::vector<std::int64_t>;

Counts equal_counts(std::int64_t rows, std::int64_t columns, std::int64_t ratings) {
  return Counts(static_cast<std::size_t>(rows * columns), ratings);
}

bool share_a_band(Block a, Block b) {
  return a.row == b.row || a.column == b.column;
}

/// Takes blocks and gives them back, one after the other, until the iteration is over.
void one_worker(BlockScheduler& scheduler) {
  while (const auto block = scheduler.try_take()) scheduler.give_back(*block);
}

TEST(BlockScheduler, GivesNothingBeforeAnIteration) {
  BlockScheduler scheduler(2, 2, equal_counts(2, 2, 5), kSeed);
  EXPECT_EQ(scheduler.try_take(), std::nullopt);
  EXPECT_EQ(scheduler.take(), std::nullopt);
}

TEST(BlockScheduler, GivesOneWorkerEachBlockOnceAnIteration) {
  BlockScheduler scheduler(3, 4, equal_counts(3, 4, 7), kSeed);
  for (int iteration = 1; iteration <= 5; ++iteration) {
    scheduler.begin_iteration();
    one_worker(scheduler);
    EXPECT_EQ(scheduler.times_taken().fewest, iteration);
    EXPECT_EQ(scheduler.times_taken().most, iteration);
    EXPECT_EQ(scheduler.updates(), iteration * 3 * 4 * 7);
  }
}

TEST(BlockScheduler, TakesOneBlockOfOneRating) {
  BlockScheduler scheduler(1, 1, Counts{1}, kSeed);
  scheduler.begin_iteration();
  EXPECT_EQ(scheduler.take(), (Block{0, 0}));
  EXPECT_EQ(scheduler.take(), std::nullopt) << "the iteration is over, though the block is in progress";
  scheduler.give_back({0, 0});
  EXPECT_EQ(scheduler.take(), std::nullopt);
  scheduler.begin_iteration();
  EXPECT_EQ(scheduler.take(), (Block{0, 0}));
}

TEST(BlockScheduler, LeavesOutBlocksWithoutRatings) {
  BlockScheduler scheduler(2, 2, Counts{0, 3, 0, 4}, kSeed);
  scheduler.begin_iteration();
  const auto first = scheduler.try_take();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->column, 1);
  EXPECT_EQ(scheduler.try_take(), std::nullopt) << "the other block is in the same column";
  scheduler.give_back(*first);
  one_worker(scheduler);
  EXPECT_EQ(scheduler.times_taken({0, 0}), 0);
  EXPECT_EQ(scheduler.times_taken({1, 0}), 0);
  EXPECT_EQ(scheduler.times_taken().fewest, 1);
  EXPECT_EQ(scheduler.updates(), 7);
}

TEST(BlockScheduler, GivesNothingOfAGridWithoutRatings) {
  BlockScheduler scheduler(2, 2, Counts{0, 0, 0, 0}, kSeed);
  scheduler.begin_iteration();
  EXPECT_EQ(scheduler.take(), std::nullopt);
  EXPECT_EQ(scheduler.times_taken().most, 0);
}

/// Blocks are handed out whole; what is too much in one iteration is less in the next.
TEST(BlockScheduler, CountsUpdatesOverIterations) {
  BlockScheduler scheduler(2, 2, Counts{10, 1, 1, 10}, kSeed);
  std::int64_t before = 0;
  for (std::int64_t iteration = 1; iteration <= 20; ++iteration) {
    scheduler.begin_iteration();
    const auto held = scheduler.take();  // stays in progress, so that another block is taken twice
    ASSERT_TRUE(held);
    one_worker(scheduler);
    scheduler.give_back(*held);
    EXPECT_GE(scheduler.updates(), iteration * 22);
    EXPECT_LT(scheduler.updates(), iteration * 22 + 10) << "less than a block too many";
    EXPECT_GT(scheduler.updates(), before);
    before = scheduler.updates();
  }
}

TEST(BlockScheduler, DecidesTiesBySeed) {
  const auto first_blocks = [](std::uint64_t seed) {
    BlockScheduler scheduler(8, 8, equal_counts(8, 8, 1), seed);
    scheduler.begin_iteration();
    std::vector<std::int64_t> order;
    while (const auto block = scheduler.try_take()) {
      order.push_back(block->row * 8 + block->column);
      scheduler.give_back(*block);
    }
    return order;
  };
  EXPECT_EQ(first_blocks(1), first_blocks(1));
  EXPECT_NE(first_blocks(1), first_blocks(2));
  std::vector<std::int64_t> sorted = first_blocks(1);
  EXPECT_FALSE(std::ranges::is_sorted(sorted));
  std::ranges::sort(sorted);
  std::vector<std::int64_t> all(64);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(sorted, all);
}

/// Workers of random speed on random grids, simulated: at each step one of them gives its block back and asks for
/// another. All promises are checked by looking at all blocks.
class Simulation {
 public:
  explicit Simulation(std::uint64_t seed)
      : random_(seed),
        rows_(1 + static_cast<std::int64_t>(random_() % 9)),
        columns_(1 + static_cast<std::int64_t>(random_() % 9)),
        workers_(1 + static_cast<std::int64_t>(random_() % 10)) {
    for (std::int64_t block = 0; block < rows_ * columns_; ++block) {
      counts_.push_back(random_() % 4 == 0 ? 0 : static_cast<std::int64_t>(1 + random_() % 50));
    }
  }

  void run() {
    BlockScheduler scheduler(rows_, columns_, counts_, random_());
    const std::int64_t all = std::reduce(counts_.begin(), counts_.end());
    for (std::int64_t iteration = 1; iteration <= 6; ++iteration) {
      scheduler.begin_iteration();
      budget_ = iteration * all;
      while (scheduler.updates() < budget_) {
        give_some_back(scheduler);
        while (std::ssize(held_) < workers_ && take_one(scheduler)) {
        }
        if (::testing::Test::HasFailure()) return;
        ASSERT_FALSE(held_.empty()) << "nobody gets a block";
      }
      while (!held_.empty()) give_back(scheduler, 0);
    }
  }

 private:
  void give_back(BlockScheduler& scheduler, std::size_t worker) {
    scheduler.give_back(held_[worker]);
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(worker));
  }
  void give_some_back(BlockScheduler& scheduler) {
    if (!held_.empty()) give_back(scheduler, random_() % held_.size());
  }
  [[nodiscard]] bool is_free(Block block) const {
    return std::ranges::none_of(held_, [&](Block held) { return share_a_band(held, block); });
  }
  /// The fewest times that a block which may be taken was; -1 where there is none.
  [[nodiscard]] std::int64_t fewest_of_free(const BlockScheduler& scheduler) const {
    std::int64_t fewest = -1;
    for (std::int64_t index = 0; index < rows_ * columns_; ++index) {
      const Block block{index / columns_, index % columns_};
      if (counts_[static_cast<std::size_t>(index)] == 0 || !is_free(block)) continue;
      const std::int64_t times = scheduler.times_taken(block);
      if (fewest < 0 || times < fewest) fewest = times;
    }
    return fewest;
  }
  bool take_one(BlockScheduler& scheduler) {
    const std::int64_t fewest = fewest_of_free(scheduler);
    const std::int64_t before = scheduler.updates();
    const auto block = scheduler.try_take();
    if (!block) {
      EXPECT_TRUE(fewest < 0 || before >= budget_) << "a free block was not given";
      return false;
    }
    EXPECT_TRUE(is_free(*block)) << "two workers in one band";
    EXPECT_EQ(scheduler.times_taken(*block), fewest + 1) << "not one that was taken the fewest times";
    const auto index = static_cast<std::size_t>(block->row * columns_ + block->column);
    EXPECT_GT(counts_[index], 0);
    EXPECT_EQ(scheduler.updates(), before + counts_[index]);
    held_.push_back(*block);
    return true;
  }

  std::mt19937_64 random_;
  std::int64_t rows_;
  std::int64_t columns_;
  std::int64_t workers_;
  Counts counts_;
  std::int64_t budget_ = 0;  // updates until the iteration is over
  std::vector<Block> held_;
};

TEST(BlockScheduler, KeepsItsPromisesOnRandomGridsWithWorkersOfRandomSpeed) {
  const std::uint64_t rounds = testing::usual_or_thorough(200, 5000);
  for (std::uint64_t round = 0; round < rounds && !HasFailure(); ++round) {
    SCOPED_TRACE("seed " + std::to_string(kSeed + round));
    Simulation(kSeed + round).run();
  }
}

/// By Rule 1 (yu2023 §3.2.1) a worker finds other blocks than the one that it has just given back. Blocks lag a few
/// iterations behind, and never fall further back.
TEST(BlockScheduler, StarvesNoBlockOfAGridByRule1) {
  constexpr int kLag = 6;
  for (const std::int64_t workers : {1, 2, 4, 7}) {
    const std::int64_t bands = workers + 1;
    BlockScheduler scheduler(bands, bands, equal_counts(bands, bands, 10), kSeed);
    std::mt19937_64 random(kSeed);
    std::vector<Block> held;
    for (int iteration = 1; iteration <= 50; ++iteration) {
      scheduler.begin_iteration();
      for (;;) {
        while (std::ssize(held) < workers) {
          const auto block = scheduler.try_take();
          if (!block) break;
          held.push_back(*block);
        }
        if (held.empty()) break;
        const std::size_t done = random() % held.size();
        scheduler.give_back(held[done]);
        held.erase(held.begin() + static_cast<std::ptrdiff_t>(done));
      }
      EXPECT_GE(scheduler.times_taken().fewest, iteration - kLag) << workers << " workers, seed " << kSeed;
      EXPECT_LE(scheduler.times_taken().most, iteration + kLag) << workers << " workers, seed " << kSeed;
    }
  }
}

/// Example 3 of yu2023: beside two slow workers a fast one has two blocks of a grid of 3 × 4, and takes them in turn.
TEST(BlockScheduler, LeavesAFastWorkerTheSameBlocksBesideSlowOnes) {
  BlockScheduler scheduler(3, 4, equal_counts(3, 4, 10), kSeed);
  scheduler.begin_iteration();
  const auto slow = scheduler.take();
  const auto also_slow = scheduler.take();
  ASSERT_TRUE(slow && also_slow && !share_a_band(*slow, *also_slow));
  one_worker(scheduler);
  std::int64_t blocks = 0;
  for (std::int64_t index = 0; index < 12; ++index) {
    const Block block{index / 4, index % 4};
    const std::int64_t times = scheduler.times_taken(block);
    if (times == 0 || block == *slow || block == *also_slow) continue;
    ++blocks;
    EXPECT_EQ(times, 5) << "12 blocks less two, divided by two";
  }
  EXPECT_EQ(blocks, 2);
}

/// Threads more and fewer than bands: each marks its bands while it holds a block.
TEST(BlockScheduler, KeepsThreadsApart) {
  constexpr std::int64_t kBands = 4;
  for (const int workers : {1, 3, 9}) {
    BlockScheduler scheduler(kBands, kBands, equal_counts(kBands, kBands, 1), kSeed);
    std::vector<std::atomic<int>> rows(kBands);
    std::vector<std::atomic<int>> columns(kBands);
    std::atomic<int> collisions{0};
    std::atomic<int> taken{0};
    for (int iteration = 0; iteration < 50; ++iteration) {
      scheduler.begin_iteration();
      std::vector<std::jthread> threads;
      for (int worker = 0; worker < workers; ++worker) {
        threads.emplace_back([&] {
          while (const auto block = scheduler.take()) {
            const auto row = static_cast<std::size_t>(block->row);
            const auto column = static_cast<std::size_t>(block->column);
            collisions += rows[row]++ + columns[column]++;
            ++taken;
            std::this_thread::yield();
            --rows[row];
            --columns[column];
            scheduler.give_back(*block);
          }
        });
      }
    }
    EXPECT_EQ(collisions, 0) << workers << " threads";
    EXPECT_EQ(taken, 50 * kBands * kBands) << workers << " threads";
    EXPECT_EQ(scheduler.updates(), 50 * kBands * kBands);
  }
}

}  // namespace
}  // namespace warpbench::matrix_factorization
