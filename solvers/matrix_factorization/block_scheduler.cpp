#include "solvers/matrix_factorization/block_scheduler.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "device/mix64.hpp"

namespace warpbench::matrix_factorization {

TimesTaken times_taken_of(std::span<const std::int64_t> times, std::span<const std::int64_t> ratings) {
  TimesTaken extent;
  bool is_first = true;
  for (std::size_t block = 0; block < times.size(); ++block) {
    if (ratings[block] == 0) continue;
    extent.fewest = is_first ? times[block] : std::min(extent.fewest, times[block]);
    extent.most = std::max(extent.most, times[block]);
    is_first = false;
  }
  return extent;
}

BlockScheduler::BlockScheduler(std::int64_t rows, std::int64_t columns, std::span<const std::int64_t> ratings,
                               std::uint64_t seed)
    : columns_(columns),
      seed_(seed),
      ratings_(ratings.begin(), ratings.end()),
      times_(ratings.size()),
      row_taken_(static_cast<std::size_t>(rows)),
      column_taken_(static_cast<std::size_t>(columns)),
      all_ratings_(std::reduce(ratings.begin(), ratings.end())) {
  waiting_.reserve(ratings.size());  // workers allocate nothing
  in_the_way_.reserve(ratings.size());
  for (std::size_t block = 0; block < ratings_.size(); ++block) {
    if (ratings_[block] > 0) push(static_cast<std::int64_t>(block));
  }
}

void BlockScheduler::begin_iteration() {
  const std::lock_guard lock(mutex_);
  budget_ += all_ratings_;
}

std::optional<Block> BlockScheduler::take() {
  std::unique_lock lock(mutex_);
  std::optional<Block> taken;
  freed_.wait(lock, [&] {
    taken = take_free();
    return taken || is_over();
  });
  return taken;
}

std::optional<Block> BlockScheduler::try_take() {
  const std::lock_guard lock(mutex_);
  return take_free();
}

std::optional<Block> BlockScheduler::take_free() {
  std::optional<Block> taken;
  while (!is_over() && !taken && !waiting_.empty()) {
    std::ranges::pop_heap(waiting_, std::greater());
    const Waiting least = waiting_.back();
    waiting_.pop_back();
    const Block block = block_at(least.block);
    char& row = row_taken_[static_cast<std::size_t>(block.row)];
    char& column = column_taken_[static_cast<std::size_t>(block.column)];
    if (row != 0 || column != 0) {
      in_the_way_.push_back(least);
      continue;
    }
    row = column = 1;
    ++times_[index_of(block)];
    updates_ += ratings_[index_of(block)];
    taken = block;
  }
  for (const Waiting& blocked : in_the_way_) {
    waiting_.push_back(blocked);
    std::ranges::push_heap(waiting_, std::greater());
  }
  in_the_way_.clear();
  return taken;
}

void BlockScheduler::give_back(Block block) {
  const std::lock_guard lock(mutex_);
  row_taken_[static_cast<std::size_t>(block.row)] = 0;
  column_taken_[static_cast<std::size_t>(block.column)] = 0;
  push(static_cast<std::int64_t>(index_of(block)));
  freed_.notify_all();
}

void BlockScheduler::push(std::int64_t block) {
  waiting_.push_back({times_[static_cast<std::size_t>(block)], mix64(seed_, pushes_++), block});
  std::ranges::push_heap(waiting_, std::greater());
}

std::int64_t BlockScheduler::times_taken(Block block) const {
  const std::lock_guard lock(mutex_);
  return times_[index_of(block)];
}

std::int64_t BlockScheduler::updates() const {
  const std::lock_guard lock(mutex_);
  return updates_;
}

TimesTaken BlockScheduler::times_taken() const {
  const std::lock_guard lock(mutex_);
  return times_taken_of(times_, ratings_);
}

}  // namespace warpbench::matrix_factorization
