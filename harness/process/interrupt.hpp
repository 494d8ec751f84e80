// Interrupt: Ctrl-C, SIGTERM and SIGHUP as a question that the supervising loop asks, for the life of an object.
#pragma once

#include <signal.h>

#include <array>

namespace warpbench::harness {

class InterruptGuard {
 public:
  /// Also ignores SIGPIPE and SIGXFSZ, which become errors of the calls that caused them. Throws std::system_error.
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  /// Restores the handlers that were there.
  ~InterruptGuard();

  /// How often the user asked to stop since the guard was made; 0 where there is no guard.
  static int requests() noexcept;
  /// In a forked child: the default actions again. Throws std::system_error.
  static void restore_defaults();

 private:
  static constexpr std::array<int, 5> kSignals{SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ};
  std::array<struct sigaction, kSignals.size()> previous_{};
};

}  // namespace warpbench::harness
