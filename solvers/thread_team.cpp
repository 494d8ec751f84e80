#include "solvers/thread_team.hpp"

#include <utility>

namespace warpbench {

void ThreadTeam::start(std::size_t count, std::function<void(std::size_t)> work) {
  while (threads_.size() < count) {
    threads_.emplace_back(
        [this, i = threads_.size(), turn = turn_](const std::stop_token& stop) { serve(i, turn, stop); });
  }
  {
    const std::lock_guard lock(mutex_);
    work_ = std::move(work);
    count_ = count;
    unfinished_ = count;
    ++turn_;
  }
  begun_.notify_all();
}

void ThreadTeam::wait() {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return unfinished_ == 0; });
}

/// `turn`: the last one that is not this thread's.
void ThreadTeam::serve(std::size_t i, std::uint64_t turn, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (begun_.wait(lock, stop, [&] { return turn_ != turn; })) {
    turn = turn_;
    if (i >= count_) continue;
    lock.unlock();
    work_(i);
    lock.lock();
    if (--unfinished_ == 0) ended_.notify_one();
  }
}

}  // namespace warpbench
