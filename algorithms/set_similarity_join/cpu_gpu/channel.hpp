// Channel: hands things from thread to thread, first in, first out.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace warpbench::similarity {

template <typename T>
class Channel {
 public:
  /// Does nothing after close() or stop().
  void push(T value) {
    {
      const std::lock_guard lock(mutex_);
      if (closed_) return;
      waiting_.push_back(std::move(value));
    }
    changed_.notify_one();
  }
  /// Waits for one. Nothing once all have been taken and no more come.
  [[nodiscard]] std::optional<T> pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || !waiting_.empty(); });
    if (waiting_.empty()) return std::nullopt;
    T value = std::move(waiting_.front());
    waiting_.pop_front();
    return value;
  }
  /// No more come; those that are there can still be taken.
  void close() { end(false); }
  /// No more come, and those that are there are forgotten.
  void stop() { end(true); }

 private:
  void end(bool forgets) {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
      if (forgets) waiting_.clear();
    }
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<T> waiting_;
  bool closed_ = false;
};

}  // namespace warpbench::similarity
