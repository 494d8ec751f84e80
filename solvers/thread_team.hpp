// ThreadTeam: threads that are kept from one piece of work to the next. To start one takes 0.1 ms on some machines, so
// that 16 of them take as long as a short join.
//
//   team.start(count, [&](std::size_t i) { failure.guard([&] { … }); });
//   …                 // the calling thread's own part
//   team.wait();
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace warpbench {

class ThreadTeam {
 public:
  /// Begins work(i) for each i below `count`, all at once, each on a thread of its own; wait() is called before the
  /// next one, or the destructor. `work` does not throw. Throws std::system_error or std::bad_alloc, and begins
  /// nothing, if there can be no more threads.
  void start(std::size_t count, std::function<void(std::size_t)> work);
  /// Until all that was started has ended.
  void wait();

 private:
  void serve(std::size_t i, std::uint64_t turn, const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any begun_;
  std::condition_variable_any ended_;
  std::function<void(std::size_t)> work_;
  std::uint64_t turn_ = 0;  ///< of start()
  std::size_t count_ = 0;   ///< threads with work this turn
  std::size_t unfinished_ = 0;
  std::vector<std::jthread> threads_;  ///< last: they use everything above
};

}  // namespace warpbench
