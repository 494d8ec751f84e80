// Interrupt: counts Ctrl-C, SIGTERM and SIGHUP during an object's lifetime, so that the supervising loop can poll for
// them.
#pragma once

#include <signal.h>

#include <array>

namespace warpbench::harness {

class InterruptGuard {
 public:
  /// Also ignores SIGPIPE and SIGXFSZ: the calls that cause them fail instead. Throws std::system_error.
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  /// Restores the previous handlers.
  ~InterruptGuard();

  /// The number of stop requests since the guard was made; 0 without a guard.
  static int requests() noexcept;
  /// Restores the default actions in a forked child, but for SIGXFSZ: a solver's file that grows too large fails to be
  /// written. Throws std::system_error.
  static void restore_defaults();

 private:
  static constexpr std::array<int, 5> kSignals{SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ};
  std::array<struct sigaction, kSignals.size()> previous_{};
};

}  // namespace warpbench::harness
