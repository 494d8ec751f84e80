// Shared by the CPU solvers of subgraph matching: when a search stops, what it keeps of a match, and tasks on several
// threads.
#pragma once

#include <omp.h>

#include <atomic>
#include <cstdint>
#include <span>

#include "problems/first_failure.hpp"
#include "problems/subgraph_matching/counting.hpp"
#include "solvers/subgraph_matching/query_solver.hpp"

namespace warpbench::matching {

/// The search for one query's matches, as its threads share it.
class Progress {
 public:
  using Output = SubgraphMatching::Output;

  Progress(const SubgraphMatching::Input& input, const Deadline& deadline)
      : output_(input.output), first_(input.first), deadline_(deadline) {}

  [[nodiscard]] Output output() const { return output_; }
  /// The search ends: the time is up, there are enough matches, or a thread failed.
  [[nodiscard]] bool over() const { return over_.load(std::memory_order_relaxed); }
  void ask_the_clock() {
    if (deadline_.passed()) over_ = true;
  }
  /// Whether one more match is wanted.
  bool claim() {
    if (output_ != Output::first) return true;
    const std::uint64_t before = claimed_.fetch_add(1, std::memory_order_relaxed);
    if (before + 1 >= first_) over_ = true;
    return before < first_;
  }

  /// The exception that is being handled, for finish() to throw: none may leave a parallel region.
  void fail() {
    failure_.keep_current();
    over_ = true;
  }
  /// Adds the matches of a thread.
  void add(const SubgraphMatching::QueryAnswer& part) {
#pragma omp critical(subgraph_progress)
    try {
      answer_.count = checked_add(answer_.count, part.count);
      answer_.digest += part.digest;
      answer_.matches.insert(answer_.matches.end(), part.matches.begin(), part.matches.end());
    } catch (...) {
      failure_.keep_current();
    }
  }
  /// After all threads: the answer, unsolved where the time is up.
  void finish(SubgraphMatching::QueryAnswer& answer) {
    failure_.rethrow();
    answer = {};
    if (deadline_.passed()) return;
    answer = std::move(answer_);
    answer.solved = true;
  }

 private:
  Output output_;
  std::uint64_t first_;
  Deadline deadline_;
  std::atomic<bool> over_ = false;
  std::atomic<std::uint64_t> claimed_ = 0;
  FirstFailure failure_;
  SubgraphMatching::QueryAnswer answer_;
};

/// The matches that one thread finds.
class Collector {
 public:
  explicit Collector(Progress& progress) : progress_(&progress) {}

  /// Whether to go on: to be asked at every step of a search. Every 512th asks the clock.
  bool alive() {
    if ((steps_++ & 511U) == 0) progress_->ask_the_clock();
    return !progress_->over();
  }
  /// A match: the images of query vertices 0, 1, ….
  void take(std::span<const Vertex> images) {
    if (!progress_->claim()) return;
    found_.count = checked_add(found_.count, 1);
    switch (progress_->output()) {
      case SubgraphMatching::Output::count:
        return;
      case SubgraphMatching::Output::digest:
        found_.digest += digest_of_match(images);
        return;
      default:
        found_.matches.insert(found_.matches.end(), images.begin(), images.end());
    }
  }
  /// `count` matches, where only their number is asked for.
  void take_count(std::uint64_t count) { found_.count = checked_add(found_.count, count); }

  [[nodiscard]] bool counts_only() const { return progress_->output() == SubgraphMatching::Output::count; }
  [[nodiscard]] const SubgraphMatching::QueryAnswer& found() const { return found_; }

 private:
  Progress* progress_;
  std::uint64_t steps_ = 0;
  SubgraphMatching::QueryAnswer found_;
};

/// Runs tasks 0, 1, … on several threads, in any order, until the search is over. make_worker(collector) gives each
/// thread the function that it calls with the number of a task.
template <typename MakeWorker>
void search(std::size_t tasks, int threads, Progress& progress, const MakeWorker& make_worker) {
#pragma omp parallel num_threads(threads)
  {
    Collector collector(progress);
    try {
      auto worker = make_worker(collector);
#pragma omp for schedule(dynamic, 1) nowait
      for (std::size_t i = 0; i < tasks; ++i) {
        if (progress.over()) continue;
        try {
          worker(i);
        } catch (...) {
          progress.fail();
        }
      }
    } catch (...) {
      progress.fail();
    }
    progress.add(collector.found());
  }
}

}  // namespace warpbench::matching
