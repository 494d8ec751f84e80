// Which worker of HSGD* updates by which blocks, and when (yu2023 §3.4.1; Algorithm 2). In the static phase of an
// iteration each side takes blocks of its own part: CPU threads those of R_c, a GPU the whole of its row in a column,
// so that its segment of P stays on the device. In the dynamic phase a side that has none left takes blocks of the
// other. Each block is taken once an iteration.
//
//   scheduler.begin_iteration();
//   while (!scheduler.is_over()) {
//     if (const std::optional<Task> task = scheduler.take()) { …; scheduler.give_back(*task); }
//   }
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "solvers/matrix_factorization/block_scheduler.hpp"
#include "solvers/matrix_factorization/division.hpp"

namespace warpbench::matrix_factorization {

/// The blocks of some rows, one after the other, in one column.
struct Task {
  std::int64_t first_row = 0;
  std::int64_t rows = 1;
  std::int64_t column = 0;

  friend bool operator==(const Task&, const Task&) = default;
};

/// Any number of threads may call it at the same time, each GPU's functions one at a time.
class StarScheduler {
 public:
  /// What a thread does that finds nothing to take for now: it sleeps some 10 µs.
  static void nap();

  /// A grid of division.rows() × division.columns() blocks with so many ratings each, row by row; those of R_g come
  /// first. Without `is_dynamic` there is no dynamic phase. O(blocks).
  StarScheduler(const Division& division, std::span<const std::int64_t> ratings, bool is_dynamic);

  /// To be called when all tasks are given back. Each block is to be taken once more; rows of GPUs are closed.
  void begin_iteration();

  /// Updates a second: of a GPU in its own row, and of one thread; and the seconds that it costs to open a row.
  struct Rates {
    double gpu = 0;
    double thread = 0;
    double opening_seconds = 0;
  };
  /// What should_open() reckons with; before it is known, help always pays.
  void set_rates(const Rates& rates);

  /// For a CPU thread: a block of R_c or, where none is left to take, one of a row of R_g that a GPU has opened; in the
  /// row that has most left, and there in the column that has. Nothing where all of these share a band with one in
  /// progress, or none is left. O(blocks).
  [[nodiscard]] std::optional<Task> take();
  /// Whether CPU threads have nothing more to take in this iteration.
  [[nodiscard]] bool is_over() const;

  /// For a GPU that holds no task: its whole row in a column or, where none of these is left to take or its row is
  /// open, one block of another row; nothing as for take().
  [[nodiscard]] std::optional<Task> take_for_gpu(std::int64_t gpu);
  [[nodiscard]] bool is_over(std::int64_t gpu) const;
  /// For a GPU that holds one task: another one, which shares no band with it unless both are of its whole row; nothing
  /// where there is none now, or where it should open its row.
  [[nodiscard]] std::optional<Task> take_next(std::int64_t gpu);
  /// Whether threads of the CPU have no blocks left to take and their help pays, so that the GPU should open its row.
  /// Blocks are small for a GPU, and a thread keeps its column for long: help is for many columns.
  [[nodiscard]] bool should_open(std::int64_t gpu) const;
  /// The GPU holds no task, and the host has its segment of P.
  void open(std::int64_t gpu);

  void give_back(const Task& task);
  /// Nothing is handed out any more: a worker has failed.
  void stop();

  /// Times that the blocks with ratings were taken, the fewest and the most.
  [[nodiscard]] TimesTaken times_taken() const;
  /// Blocks that a side took of the other's, and the seconds until its own blocks were done, of all iterations.
  struct Side {
    std::int64_t stolen = 0;
    double seconds = 0;
  };
  [[nodiscard]] Side cpu() const;
  [[nodiscard]] Side gpu() const;

 private:
  using Clock = std::chrono::steady_clock;
  /// A part of the matrix: R_c, or the row of one GPU.
  struct Part {
    std::int64_t first_row = 0;
    std::int64_t rows = 0;
    std::int64_t untaken = 0;                 ///< blocks that are to be taken in this iteration
    bool is_open = false;                     ///< to any worker; else to the GPU alone, which takes all rows at once
    std::vector<std::int64_t> column_left{};  ///< ratings of untaken blocks
  };

  [[nodiscard]] std::size_t index_of(std::int64_t row, std::int64_t column) const {
    return static_cast<std::size_t>(row * division_.columns() + column);
  }
  [[nodiscard]] bool is_of_cpu(std::int64_t row) const { return row >= division_.gpu_rows(); }
  [[nodiscard]] Part& part_of(std::int64_t row);
  [[nodiscard]] Part& cpu_part() { return parts_.back(); }
  [[nodiscard]] const Part& cpu_part() const { return parts_.back(); }

  [[nodiscard]] bool is_over_for_cpu() const;
  [[nodiscard]] bool is_over_for_gpu(std::int64_t gpu) const;
  [[nodiscard]] bool should_open_now(std::int64_t gpu) const;
  [[nodiscard]] bool help_pays(const Part& part) const;
  [[nodiscard]] std::optional<Task> free_block_for_cpu();
  [[nodiscard]] std::optional<Task> free_block_for_gpu(std::int64_t gpu);
  [[nodiscard]] std::optional<Task> free_column(const Part& part);
  [[nodiscard]] std::optional<Task> free_block(const Part& part);
  /// Of the rows that are free and not yet looked through (row_seen_), the one that has most left.
  [[nodiscard]] std::optional<std::int64_t> fullest_row(const Part& part) const;
  void mark_taken(const Task& task);

  Division division_;
  bool is_dynamic_;
  std::vector<std::int64_t> ratings_;
  mutable std::mutex mutex_;
  Rates rates_;
  std::vector<Part> parts_;  ///< those of the GPUs, then R_c
  std::vector<std::int64_t> times_;
  std::vector<char> untaken_;  ///< in this iteration
  std::vector<char> row_taken_;
  std::vector<char> row_seen_;  ///< of free_block(): taken, or without a free column
  std::vector<char> column_taken_;
  std::vector<std::int64_t> row_left_;  ///< ratings of untaken blocks
  std::int64_t all_untaken_ = 0;
  bool is_stopped_ = false;
  Clock::time_point begun_;
  std::int64_t cpu_unfinished_ = 0;  ///< blocks that are not given back
  std::int64_t gpu_unfinished_ = 0;
  Side cpu_;
  Side gpu_;
};

}  // namespace warpbench::matrix_factorization
