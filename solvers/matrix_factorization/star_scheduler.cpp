#include "solvers/matrix_factorization/star_scheduler.hpp"

#include <sys/prctl.h>

#include <algorithm>
#include <numeric>
#include <thread>
#include <utility>

namespace warpbench::matrix_factorization {

StarScheduler::StarScheduler(const Division& division, std::span<const std::int64_t> ratings, bool is_dynamic)
    : division_(division),
      is_dynamic_(is_dynamic),
      ratings_(ratings.begin(), ratings.end()),
      times_(ratings.size()),
      untaken_(ratings.size()),
      row_taken_(static_cast<std::size_t>(division.rows())),
      row_seen_(static_cast<std::size_t>(division.rows())),
      column_taken_(static_cast<std::size_t>(division.columns())),
      row_left_(static_cast<std::size_t>(division.rows())) {
  for (std::int64_t gpu = 0; gpu < division.gpus; ++gpu) {
    parts_.push_back({gpu * division.sub_rows(), division.sub_rows()});
  }
  parts_.push_back({division.gpu_rows(), division.cpu_rows()});
}

void StarScheduler::nap() {
  using namespace std::chrono_literals;
  // Linux lets a sleep last up to 50 µs longer, a sixth of what 6,000 ratings take, unless its thread asks for less.
  [[maybe_unused]] static thread_local const int asked = prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  std::this_thread::sleep_for(10us);
}

StarScheduler::Part& StarScheduler::part_of(std::int64_t row) {
  return is_of_cpu(row) ? cpu_part() : parts_[static_cast<std::size_t>(row / division_.sub_rows())];
}

void StarScheduler::begin_iteration() {
  const std::lock_guard lock(mutex_);
  for (Part& part : parts_) {
    part.is_open = &part == &cpu_part();
    part.untaken = 0;
    part.column_left.assign(column_taken_.size(), 0);
  }
  std::ranges::fill(row_left_, 0);
  for (std::int64_t row = 0; row < division_.rows(); ++row) {
    for (std::int64_t column = 0; column < division_.columns(); ++column) {
      const std::size_t block = index_of(row, column);
      if (ratings_[block] == 0) continue;
      untaken_[block] = 1;
      ++part_of(row).untaken;
      row_left_[static_cast<std::size_t>(row)] += ratings_[block];
      part_of(row).column_left[static_cast<std::size_t>(column)] += ratings_[block];
    }
  }
  cpu_unfinished_ = cpu_part().untaken;
  gpu_unfinished_ = 0;
  for (std::size_t gpu = 0; gpu + 1 < parts_.size(); ++gpu) gpu_unfinished_ += parts_[gpu].untaken;
  all_untaken_ = cpu_unfinished_ + gpu_unfinished_;
  begun_ = Clock::now();
}

std::optional<Task> StarScheduler::take() {
  const std::lock_guard lock(mutex_);
  return free_block_for_cpu();
}

bool StarScheduler::is_over() const {
  const std::lock_guard lock(mutex_);
  return is_over_for_cpu();
}

bool StarScheduler::is_over(std::int64_t gpu) const {
  const std::lock_guard lock(mutex_);
  return is_over_for_gpu(gpu);
}

std::optional<Task> StarScheduler::take_for_gpu(std::int64_t gpu) {
  const std::lock_guard lock(mutex_);
  return free_block_for_gpu(gpu);
}

std::optional<Task> StarScheduler::take_next(std::int64_t gpu) {
  const std::lock_guard lock(mutex_);
  return should_open_now(gpu) ? std::nullopt : free_block_for_gpu(gpu);
}

bool StarScheduler::should_open(std::int64_t gpu) const {
  const std::lock_guard lock(mutex_);
  return should_open_now(gpu);
}

bool StarScheduler::should_open_now(std::int64_t gpu) const {
  const Part& own = parts_[static_cast<std::size_t>(gpu)];
  return is_dynamic_ && !is_stopped_ && !own.is_open && own.untaken > 0 && cpu_part().untaken == 0 && help_pays(own);
}

bool StarScheduler::help_pays(const Part& part) const {
  if (rates_.gpu <= 0 || rates_.thread <= 0) return true;
  const auto left = static_cast<double>(std::reduce(part.column_left.begin(), part.column_left.end()));
  const std::int64_t columns =
      std::ranges::count_if(part.column_left, [](std::int64_t ratings) { return ratings > 0; });
  const auto threads = static_cast<double>(std::min(division_.threads, columns - 1));
  const double block = left / static_cast<double>(part.untaken);
  const double helped = left / (rates_.gpu / 2 + threads * rates_.thread) + block / rates_.thread;
  return helped + rates_.opening_seconds < left / rates_.gpu;
}

void StarScheduler::set_rates(const Rates& rates) {
  const std::lock_guard lock(mutex_);
  rates_ = rates;
}

void StarScheduler::open(std::int64_t gpu) {
  const std::lock_guard lock(mutex_);
  parts_[static_cast<std::size_t>(gpu)].is_open = true;
}

bool StarScheduler::is_over_for_cpu() const {
  return is_stopped_ || all_untaken_ == 0 || (!is_dynamic_ && cpu_part().untaken == 0);
}

bool StarScheduler::is_over_for_gpu(std::int64_t gpu) const {
  return is_stopped_ || all_untaken_ == 0 || (!is_dynamic_ && parts_[static_cast<std::size_t>(gpu)].untaken == 0);
}

std::optional<Task> StarScheduler::free_block_for_cpu() {
  if (is_over_for_cpu()) return std::nullopt;
  if (cpu_part().untaken > 0) return free_block(cpu_part());
  for (const Part& part : parts_) {
    if (const std::optional<Task> task = free_block(part)) {
      ++cpu_.stolen;
      return task;
    }
  }
  return std::nullopt;
}

std::optional<Task> StarScheduler::free_block_for_gpu(std::int64_t gpu) {
  if (is_over_for_gpu(gpu)) return std::nullopt;
  const Part& own = parts_[static_cast<std::size_t>(gpu)];
  if (!own.is_open && own.untaken > 0) return free_column(own);
  if (const std::optional<Task> task = free_block(own)) return task;
  for (const Part& part : parts_) {
    if (const std::optional<Task> task = free_block(part)) {
      if (&part == &cpu_part()) ++gpu_.stolen;
      return task;
    }
  }
  return std::nullopt;
}

std::optional<Task> StarScheduler::free_column(const Part& part) {
  std::optional<std::int64_t> best;
  std::int64_t most_left = 0;
  for (std::int64_t column = 0; column < division_.columns(); ++column) {
    const std::int64_t left = part.column_left[static_cast<std::size_t>(column)];
    if (column_taken_[static_cast<std::size_t>(column)] != 0 || left <= most_left) continue;
    most_left = left;
    best = column;
  }
  if (!best) return std::nullopt;
  const Task task{part.first_row, part.rows, *best};
  mark_taken(task);
  return task;
}

std::optional<Task> StarScheduler::free_block(const Part& part) {
  if (!part.is_open || part.untaken == 0) return std::nullopt;
  std::ranges::copy(row_taken_, row_seen_.begin());
  while (const std::optional<std::int64_t> row = fullest_row(part)) {
    row_seen_[static_cast<std::size_t>(*row)] = 1;
    std::optional<Task> best;
    std::int64_t most_left = 0;
    for (std::int64_t column = 0; column < division_.columns(); ++column) {
      const std::int64_t left = part.column_left[static_cast<std::size_t>(column)];
      if (column_taken_[static_cast<std::size_t>(column)] != 0 || untaken_[index_of(*row, column)] == 0) continue;
      if (left <= most_left) continue;
      most_left = left;
      best = Task{*row, 1, column};
    }
    if (!best) continue;
    mark_taken(*best);
    return best;
  }
  return std::nullopt;
}

std::optional<std::int64_t> StarScheduler::fullest_row(const Part& part) const {
  std::optional<std::int64_t> best;
  std::int64_t most_left = 0;
  for (std::int64_t row = part.first_row; row < part.first_row + part.rows; ++row) {
    const std::int64_t left = row_left_[static_cast<std::size_t>(row)];
    if (row_seen_[static_cast<std::size_t>(row)] != 0 || left <= most_left) continue;
    most_left = left;
    best = row;
  }
  return best;
}

void StarScheduler::mark_taken(const Task& task) {
  Part& part = part_of(task.first_row);
  column_taken_[static_cast<std::size_t>(task.column)] = 1;
  for (std::int64_t row = task.first_row; row < task.first_row + task.rows; ++row) {
    row_taken_[static_cast<std::size_t>(row)] = 1;
    const std::size_t block = index_of(row, task.column);
    if (untaken_[block] == 0) continue;
    untaken_[block] = 0;
    ++times_[block];
    --part.untaken;
    --all_untaken_;
    row_left_[static_cast<std::size_t>(row)] -= ratings_[block];
    part.column_left[static_cast<std::size_t>(task.column)] -= ratings_[block];
  }
}

void StarScheduler::give_back(const Task& task) {
  const std::lock_guard lock(mutex_);
  column_taken_[static_cast<std::size_t>(task.column)] = 0;
  const bool is_of_cpu = this->is_of_cpu(task.first_row);
  std::int64_t& unfinished = is_of_cpu ? cpu_unfinished_ : gpu_unfinished_;
  for (std::int64_t row = task.first_row; row < task.first_row + task.rows; ++row) {
    row_taken_[static_cast<std::size_t>(row)] = 0;
    if (ratings_[index_of(row, task.column)] > 0) --unfinished;
  }
  if (unfinished == 0) {
    (is_of_cpu ? cpu_ : gpu_).seconds += std::chrono::duration<double>(Clock::now() - begun_).count();
  }
}

void StarScheduler::stop() {
  const std::lock_guard lock(mutex_);
  is_stopped_ = true;
}

TimesTaken StarScheduler::times_taken() const {
  const std::lock_guard lock(mutex_);
  return times_taken_of(times_, ratings_);
}

StarScheduler::Side StarScheduler::cpu() const {
  const std::lock_guard lock(mutex_);
  return cpu_;
}

StarScheduler::Side StarScheduler::gpu() const {
  const std::lock_guard lock(mutex_);
  return gpu_;
}

}  // namespace warpbench::matrix_factorization
