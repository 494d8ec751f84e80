// A simt stream: an OS thread that takes tasks from a queue in order. The first error stays with the stream: later
// tasks are skipped, except those that must happen (events, frees).
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "device/backend/runtime.hpp"
#include "device/backend/stream_base.hpp"

namespace warpbench::runtime {

struct StreamState : StreamBase {
  explicit StreamState(int device);
  ~StreamState();

  /// Queues a task that is skipped once the stream has failed.
  void enqueue(std::function<void()> task) { push({std::move(task), false}); }
  /// Queues a task that runs in any case; it must not throw.
  void enqueue_always(std::function<void()> task) { push({std::move(task), true}); }
  /// Blocks until the queue is empty and idle; rethrows the stream's error.
  void drain();
  /// The same without the error.
  void wait_until_idle();

  /// The number of the last WorkLimit under which something was queued; 0: none so far.
  std::uint64_t limit() const noexcept { return limit_; }

 private:
  struct Task {
    std::function<void()> run;
    bool always;
  };
  void push(Task task);
  void work();

  std::mutex mutex_;
  std::condition_variable task_arrived_;
  std::condition_variable idle_;
  std::deque<Task> tasks_;
  std::atomic<std::uint64_t> limit_ = 0;
  bool busy_ = false;
  bool closing_ = false;
  std::thread thread_;  // last: it uses everything above
};

/// Waits for the streams that were used under a WorkLimit last and takes back the errors of work that was given up.
void forget_given_up_work(std::uint64_t limit) noexcept;

/// Waits for all work of all streams, as a GPU's runtime does before it frees pinned memory. On a stream's own thread
/// it returns at once: work cannot wait for itself.
void wait_for_all_streams();

/// A point in a stream. Records are numbered; the latest number asked for and the latest one passed are kept.
struct EventState {
  mutable std::mutex mutex;
  std::condition_variable passed_changed;
  std::uint64_t recorded = 0;
  std::uint64_t passed = 0;
  std::chrono::steady_clock::time_point time;
  std::exception_ptr error;
  std::uint64_t error_of_limit = 0;  ///< the number of the WorkLimit that an error of given up work is of
};

}  // namespace warpbench::runtime
