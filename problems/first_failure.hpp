// FirstFailure: what threads throw, for their caller. An exception that leaves an OpenMP region, or the function of a
// thread, ends the process; want of memory should end one trial.
//
//   FirstFailure failure;
//   #pragma omp parallel
//   {
//     std::optional<Search> search;
//     failure.guard([&] { search.emplace(input); });
//   #pragma omp for
//     for (std::int64_t i = 0; i < count; ++i) failure.guard([&] { (*search)(i); });
//   }
//   failure.rethrow();
#pragma once

#include <atomic>
#include <exception>

namespace warpbench {

class FirstFailure {
 public:
  /// Runs body() and keeps what it throws. Does nothing once some thread failed, so that what an earlier guard() of
  /// this thread should have made is not missed.
  template <typename Body>
  void guard(const Body& body) noexcept {
    if (has_failed()) return;
    try {
      body();
    } catch (...) {
      keep_current();
    }
  }
  /// Keeps the exception that is being handled, if it is the first.
  void keep_current() noexcept {
    if (!claimed_.exchange(true)) first_ = std::current_exception();
  }
  [[nodiscard]] bool has_failed() const noexcept { return claimed_.load(std::memory_order_relaxed); }
  /// After all threads have ended: throws what was kept.
  void rethrow() const {
    if (first_ != nullptr) std::rethrow_exception(first_);
  }

 private:
  std::atomic<bool> claimed_ = false;
  std::exception_ptr first_;
};

}  // namespace warpbench
