// Which worker updates by which block of ratings, and when (FPSGD; yu2023 §2.1.1). The matrix is cut into bands of rows
// and of columns; a block is where two of them cross. Blocks of different bands share no factors, so that workers
// update by them side by side without locks.
//
//   scheduler.begin_iteration();
//   while (const std::optional<Block> block = scheduler.take()) {   // on each worker's thread
//     …
//     scheduler.give_back(*block);
//   }
#pragma once

#include <compare>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace warpbench::matrix_factorization {

struct Block {
  std::int64_t row = 0;
  std::int64_t column = 0;

  friend bool operator==(const Block&, const Block&) = default;
};

/// Times that the blocks with ratings were taken, the fewest and the most; zeros where there are none.
struct TimesTaken {
  std::int64_t fewest = 0;
  std::int64_t most = 0;
};
/// times[i] and ratings[i] are those of a block.
[[nodiscard]] TimesTaken times_taken_of(std::span<const std::int64_t> times, std::span<const std::int64_t> ratings);

/// Any number of workers may call take() and give_back() at the same time.
class BlockScheduler {
 public:
  /// A grid of `rows` × `columns` blocks with ratings[row * columns + column] ratings each. `seed` decides between
  /// blocks that are equally good. O(blocks).
  BlockScheduler(std::int64_t rows, std::int64_t columns, std::span<const std::int64_t> ratings, std::uint64_t seed);

  /// To be called when all blocks are given back. Lets as many updates be handed out as there are ratings. Blocks are
  /// handed out whole: those that the iterations before did beyond their number count towards this one.
  void begin_iteration();

  /// Of the blocks that share no band with one in progress, one that was taken the fewest times; never one without
  /// ratings. Waits while there is none; nothing where the iteration's updates are all handed out. O(log blocks) for
  /// each block that is looked at, those in the way of others included.
  [[nodiscard]] std::optional<Block> take();
  /// take(), but nothing where it would wait.
  [[nodiscard]] std::optional<Block> try_take();
  /// The block that a worker took is updated by.
  void give_back(Block block);

  /// Times that the block was taken.
  [[nodiscard]] std::int64_t times_taken(Block block) const;
  /// Updates that were handed out in all iterations.
  [[nodiscard]] std::int64_t updates() const;
  [[nodiscard]] TimesTaken times_taken() const;

 private:
  /// A block that may be taken; the least is taken first.
  struct Waiting {
    std::int64_t times = 0;
    std::uint64_t tie = 0;
    std::int64_t block = 0;

    friend auto operator<=>(const Waiting&, const Waiting&) = default;
  };

  [[nodiscard]] bool is_over() const { return updates_ >= budget_; }
  [[nodiscard]] std::optional<Block> take_free();
  [[nodiscard]] Block block_at(std::int64_t index) const { return {index / columns_, index % columns_}; }
  [[nodiscard]] std::size_t index_of(Block block) const {
    return static_cast<std::size_t>(block.row * columns_ + block.column);
  }
  void push(std::int64_t block);

  std::int64_t columns_;
  std::uint64_t seed_;
  std::vector<std::int64_t> ratings_;
  mutable std::mutex mutex_;
  std::condition_variable freed_;
  std::vector<std::int64_t> times_;
  std::vector<Waiting> waiting_;  // a heap, the least in front
  std::vector<Waiting> in_the_way_;
  std::vector<char> row_taken_;
  std::vector<char> column_taken_;
  std::int64_t all_ratings_ = 0;
  std::int64_t budget_ = 0;
  std::int64_t updates_ = 0;
  std::uint64_t pushes_ = 0;
};

}  // namespace warpbench::matrix_factorization
