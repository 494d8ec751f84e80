#include "harness/process/interrupt.hpp"

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace warpbench::harness {
namespace {

volatile sig_atomic_t interrupt_requests = 0;

void count_request(int /*signal*/) {
  interrupt_requests = interrupt_requests + 1;
}

void set_action(int signal, const struct sigaction& action, struct sigaction* previous) {
  if (::sigaction(signal, &action, previous) != 0) {
    throw std::system_error(errno, std::generic_category(), "sigaction");
  }
}

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupt_requests = 0;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction action {};
    action.sa_handler = kSignals[i] == SIGPIPE || kSignals[i] == SIGXFSZ ? SIG_IGN : count_request;
    set_action(kSignals[i], action, &previous_[i]);
  }
}

InterruptGuard::~InterruptGuard() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    if (::sigaction(kSignals[i], &previous_[i], nullptr) != 0) std::perror("warpbench: sigaction");
  }
  interrupt_requests = 0;
}

int InterruptGuard::requests() noexcept {
  return interrupt_requests;
}

void InterruptGuard::restore_defaults() {
  for (const int signal : kSignals) {
    if (signal == SIGXFSZ) continue;
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    set_action(signal, action, nullptr);
  }
}

}  // namespace warpbench::harness
