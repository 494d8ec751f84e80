#include "harness/process/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>

#include "harness/process/crash_stack.hpp"
#include "harness/process/interrupt.hpp"
#include "harness/process/processes.hpp"

namespace warpbench::harness {
namespace {

constexpr int kMessageFd = 3;
constexpr int kAcknowledgementFd = 4;
constexpr int kExceptionExit = 70;  // EX_SOFTWARE: the body let an exception escape
constexpr int kTickMs = 50;
constexpr int kMemoryTickMs = 10;

[[noreturn]] void fail(const char* call) {
  throw std::system_error(errno, std::generic_category(), call);
}

void check(bool ok, const char* call) {
  if (!ok) fail(call);
}

struct Pipe {
  Descriptor read;
  Descriptor write;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  check(::pipe2(ends.data(), O_CLOEXEC) == 0, "pipe2");
  Pipe pipe{Descriptor(ends[0]), Descriptor(ends[1])};
  check(::fcntl(pipe.read.get(), F_SETFL, O_NONBLOCK) == 0, "fcntl");
  return pipe;
}

/// Leaves the child only its standard streams and the message pipe: no lock, no results file, no other child's pipe.
void arrange_descriptors(int messages, int acknowledgements, int output) {
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  check(nothing >= 0, "open /dev/null");
  // The targets are below 5 and may also be sources, so everything moves up first.
  const int safe_messages = ::fcntl(messages, F_DUPFD_CLOEXEC, 10);
  const int safe_acknowledgements = ::fcntl(acknowledgements, F_DUPFD_CLOEXEC, 10);
  const int safe_output = ::fcntl(output, F_DUPFD_CLOEXEC, 10);
  const int safe_nothing = ::fcntl(nothing, F_DUPFD_CLOEXEC, 10);
  check(safe_messages >= 0 && safe_acknowledgements >= 0 && safe_output >= 0 && safe_nothing >= 0, "fcntl");
  check(::dup2(safe_nothing, STDIN_FILENO) >= 0, "dup2");
  check(::dup2(safe_output, STDOUT_FILENO) >= 0, "dup2");
  check(::dup2(safe_output, STDERR_FILENO) >= 0, "dup2");
  check(::dup3(safe_messages, kMessageFd, O_CLOEXEC) >= 0, "dup3");
  check(::dup3(safe_acknowledgements, kAcknowledgementFd, O_CLOEXEC) >= 0, "dup3");
  check(::close_range(kAcknowledgementFd + 1, ~0U, 0) == 0, "close_range");
}

/// Makes the kernel's out-of-memory killer prefer the child to the parent, and disables core files of many GB.
void arrange_limits() {
  const rlimit no_core{0, 0};
  check(::setrlimit(RLIMIT_CORE, &no_core) == 0, "setrlimit");
  const Descriptor score(::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  // Some containers refuse this; it is only a preference.
  if (score.open() && ::write(score.get(), "500", 3) != 3) errno = 0;
}

}  // namespace

Child::Child(const Body& body, const std::filesystem::path& log, double host_memory_limit_bytes)
    : parent_(::getpid()), log_(log), memory_limit_(host_memory_limit_bytes) {
  if (thread_count() > 1) {
    throw std::logic_error("the runner forks its workers and must be called before any thread is started");
  }
  earlier_children_ = children_of(parent_);
  Pipe messages = make_pipe();
  Pipe acknowledgements = make_pipe();
  check(::fcntl(acknowledgements.read.get(), F_SETFL, 0) == 0, "fcntl");  // the child waits in read()
  Pipe output = make_pipe();
  // Otherwise both processes would print the text that is still buffered.
  std::cout.flush();
  std::cerr.flush();
  check(std::fflush(nullptr) == 0, "fflush");
  if (memory_limit_ > 0) inherited_memory_ = private_memory_bytes(parent_);
  pid_ = ::fork();
  check(pid_ >= 0, "fork");
  if (pid_ == 0) run_child(body, messages.write.get(), acknowledgements.read.get(), output.write.get());
  // The child also does this, because either may run first. EACCES cannot happen: the child never calls exec.
  if (::setpgid(pid_, pid_) != 0 && errno != ESRCH) std::perror("warpbench: setpgid");
  messages_ = std::move(messages.read);
  acknowledgements_ = std::move(acknowledgements.write);
  output_ = std::move(output.read);
}

void Child::run_child(const Body& body, int messages, int acknowledgements, int output) {
  int code = kExceptionExit;
  try {
    check(::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0, "prctl");
    if (::getppid() != parent_) ::_exit(kExceptionExit);  // the parent died before the line above
    check(::setpgid(0, 0) == 0, "setpgid");
    arrange_descriptors(messages, acknowledgements, output);
    InterruptGuard::restore_defaults();
    write_stack_on_crash();
    arrange_limits();
    body(MessageWriter(kMessageFd, kAcknowledgementFd));
    code = 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
  } catch (...) {
    fmt::print(stderr, "an exception that is no std::exception\n");
  }
  std::cout.flush();
  if (std::fflush(nullptr) != 0) code = kExceptionExit;
  // Not exit(): static destructors are the parent's business, and those of a GPU runtime may hang.
  ::_exit(code);
}

Child::~Child() {
  if (swept_) return;
  try {
    stop(std::chrono::milliseconds(0));
  } catch (const std::exception& error) {
    fmt::print(stderr, "warpbench: a worker could not be ended: {}\n", error.what());
  }
}

/// Moves the available bytes and closes `from` at its end. Bounded, so that a child that never stops printing cannot
/// keep us here.
bool Child::drain(Descriptor& from, const std::function<void(std::string_view)>& sink) {
  std::array<char, 65536> block{};
  for (int round = 0; from.open() && round < 16; ++round) {
    const ssize_t got = ::read(from.get(), block.data(), block.size());
    if (got > 0) {
      sink(std::string_view(block.data(), static_cast<std::size_t>(got)));
    } else if (got == 0) {
      from.reset();
    } else if (errno == EAGAIN) {
      return false;
    } else if (errno != EINTR) {
      fail("read");
    }
  }
  return from.open();
}

void Child::pump(int timeout_ms) {
  std::array<pollfd, 2> watched{{{messages_.get(), POLLIN, 0}, {output_.get(), POLLIN, 0}}};
  if (!messages_.open() && !output_.open()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(std::min(timeout_ms, 2)));
  } else if (::poll(watched.data(), watched.size(), timeout_ms) < 0 && errno != EINTR) {
    fail("poll");
  }
  drain(output_, [this](std::string_view bytes) { log_.add(bytes); });
  drain(messages_, [this](std::string_view bytes) { reader_.add(bytes); });
}

bool Child::reap() {
  if (gone_) return true;
  const pid_t reaped = ::waitpid(pid_, &wait_status_, WNOHANG);
  if (reaped < 0 && errno != EINTR) fail("waitpid");
  gone_ = reaped == pid_;
  return gone_;
}

bool Child::over_memory_limit() {
  if (memory_limit_ <= 0) return false;
  const std::int64_t used = private_memory_bytes(pid_) - inherited_memory_;
  peak_seen_ = std::max(peak_seen_, used);
  return static_cast<double>(used) > memory_limit_;
}

Child::News Child::wait(Clock::time_point deadline) {
  for (bool ended = false;;) {
    try {
      if (std::optional<Message> message = reader_.next()) return {News::Kind::message, std::move(*message), {}};
    } catch (const MessageError& error) {
      return {News::Kind::damaged, {}, error.what()};
    }
    if (ended) return {News::Kind::ended, {}, {}};
    if (InterruptGuard::requests() > 0) return {News::Kind::interrupted, {}, {}};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return {News::Kind::deadline, {}, {}};
    ended = reap();  // asked before the pipes are drained, so that no message sent before the end is missed
    const bool near_limit = memory_limit_ > 0 && static_cast<double>(peak_seen_) > memory_limit_ / 4;
    const auto tick = std::min<std::int64_t>(left, near_limit ? kMemoryTickMs : kTickMs);
    pump(ended ? 0 : static_cast<int>(tick));
    if (!ended && over_memory_limit()) {
      return {News::Kind::memory_limit, {}, fmt::format("{} bytes in use, {:.0f} allowed", peak_seen_, memory_limit_)};
    }
  }
}

void Child::acknowledge() {
  while (::write(acknowledgements_.get(), "\n", 1) != 1) {
    if (errno == EPIPE) return;  // the child is gone; wait() will report that
    if (errno != EINTR) fail("write");
  }
}

ChildEnd Child::stop(std::chrono::milliseconds grace) {
  const auto signal_group = [this](int signal) {
    // ESRCH: it is already gone. The child itself is signalled too, because it may be between fork and setpgid.
    if (::kill(-pid_, signal) != 0 && errno != ESRCH) fail("kill");
    if (!gone_ && ::kill(pid_, signal) != 0 && errno != ESRCH) fail("kill");
  };
  const auto wait_until = [this](Clock::time_point end) {
    while (!reap() && Clock::now() < end && InterruptGuard::requests() < 2) pump(5);
  };
  const bool already_gone = reap();
  if (!already_gone && grace.count() > 0) {
    signal_group(SIGTERM);
    wait_until(Clock::now() + grace);
  }
  if (!reap()) signal_group(SIGKILL);
  // A process in an uninterruptible GPU call can outlive SIGKILL for a while, but must not hold up the suite.
  const auto end = Clock::now() + std::chrono::seconds(20);
  while (!reap() && Clock::now() < end) pump(5);
  ChildEnd result = finish();
  result.stopped_by_us = !already_gone;
  return result;
}

ChildEnd Child::finish() {
  sweep();
  ChildEnd end;
  end.signalled = WIFSIGNALED(wait_status_);
  end.code = end.signalled ? WTERMSIG(wait_status_) : WEXITSTATUS(wait_status_);
  end.output_tail = log_.tail();
  return end;
}

void Child::sweep() {
  if (swept_) return;
  swept_ = true;
  if (::kill(-pid_, SIGKILL) != 0 && errno != ESRCH) fail("kill");
  pump(0);
  messages_.reset();
  acknowledgements_.reset();
  output_.reset();
  end_adopted_children(parent_, earlier_children_);
}

}  // namespace warpbench::harness
