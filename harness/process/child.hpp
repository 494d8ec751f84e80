// Child: runs and watches one child process. It is forked without exec, so the parent must be single-threaded and must
// never have touched a GPU; in return the child has the plan in its memory. The child leads its own process group and
// dies with its parent. Its standard output and error go through the parent into a bounded log. The parent is a
// subreaper: it adopts and ends everything that the child forks.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>

#include "harness/process/child_end.hpp"
#include "harness/process/durable.hpp"
#include "harness/process/messages.hpp"
#include "harness/process/output_log.hpp"

namespace warpbench::harness {

class Child {
 public:
  using Clock = std::chrono::steady_clock;
  using Body = std::function<void(const MessageWriter&)>;

  /// Forks and runs `body` in the child. Throws std::system_error if a system call fails, std::logic_error in a process
  /// of several threads.
  Child(const Body& body, const std::filesystem::path& log, double host_memory_limit_bytes);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  /// Ends the child and its descendants if they still run.
  ~Child();

  struct News {
    enum class Kind { message, ended, deadline, memory_limit, damaged, interrupted };
    Kind kind = Kind::ended;
    Message message;
    std::string detail;  ///< damage found, or memory used
  };
  /// Waits for the next event. Messages sent before the child's end come before `ended`.
  News wait(Clock::time_point deadline);

  /// Releases a child that waits in MessageWriter::wait_for_acknowledgement(). Does nothing if the child is gone.
  void acknowledge();

  /// Sends SIGTERM to the group, waits up to `grace`, then sends SIGKILL. Returns when the child and its descendants
  /// are gone.
  ChildEnd stop(std::chrono::milliseconds grace);
  /// Call after `ended`: returns how the child ended, and ends its descendants.
  ChildEnd finish();

  /// The largest resident memory seen, in bytes, above what the child inherited from us; measured only under a limit.
  [[nodiscard]] std::int64_t peak_seen() const { return peak_seen_; }

 private:
  [[noreturn]] void run_child(const Body& body, int messages, int acknowledgements, int output);
  void pump(int timeout_ms);
  bool drain(Descriptor& from, const std::function<void(std::string_view)>& sink);
  bool reap();
  void sweep();
  [[nodiscard]] bool over_memory_limit();

  pid_t pid_ = -1;
  pid_t parent_ = -1;
  std::set<pid_t> earlier_children_;
  Descriptor messages_;
  Descriptor acknowledgements_;
  Descriptor output_;
  MessageReader reader_;
  OutputLog log_;
  double memory_limit_;
  std::int64_t inherited_memory_ = 0;
  std::int64_t peak_seen_ = 0;
  bool gone_ = false;
  bool swept_ = false;
  int wait_status_ = 0;
};

}  // namespace warpbench::harness
