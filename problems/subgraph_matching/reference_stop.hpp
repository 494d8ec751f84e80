// The end of a reference's search in all its threads.
#pragma once

#include <atomic>
#include <chrono>

namespace warpbench::matching {

/// Ends a search in all threads: when enough was found, when the time is up, or when one of them failed.
class Stop {
 public:
  enum class Cause { none, enough, time, failure };

  explicit Stop(double seconds) {
    using Duration = Clock::duration;
    const std::chrono::duration<double> given(seconds);
    const bool is_endless = given > Duration::max() / 4;
    deadline_ = is_endless ? Clock::time_point::max() : Clock::now() + std::chrono::duration_cast<Duration>(given);
    look_at_the_clock();
  }

  /// The first cause stays.
  void because_of(Cause cause) {
    Cause none = Cause::none;
    cause_.compare_exchange_strong(none, cause);
  }
  void look_at_the_clock() {
    if (Clock::now() >= deadline_) because_of(Cause::time);
  }
  [[nodiscard]] Cause cause() const { return cause_; }

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point deadline_;
  std::atomic<Cause> cause_ = Cause::none;
};

}  // namespace warpbench::matching
