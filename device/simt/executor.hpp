// Runs one block of a kernel on one OS thread: the block's threads are fibers, collectives and barriers are
// rendezvous, and a thread that never waits costs no switch at all, because its fiber takes the next thread.
//
// Errors end the block: the first one is kept, all fibers are dropped where they stand (kernels hold nothing that
// needs a destructor), and run() returns the message. No exception ever crosses from one fiber to another.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device/backend/runtime.hpp"
#include "device/simt/checker/shadow.hpp"
#include "device/simt/context.hpp"
#include "device/simt/fiber.hpp"
#include "device/simt/order.hpp"

namespace warpbench::simt {

inline constexpr int kLanes = 32;
inline constexpr int kMaxThreads = 1024;
inline constexpr int kMaxWarps = kMaxThreads / kLanes;
/// An H200's opt-in maximum, 227 KB.
inline constexpr std::int64_t kSharedBytesPerBlock = 227 * 1024;

/// A launch as every block sees it.
struct Launch {
  runtime::KernelCall call;
  uint3 grid{};
  uint3 block{};
  std::int64_t shared_bytes = 0;
  LaneOrder order;
  double watchdog_seconds = 0;
  /// A block that has not ended by then is given up; it ends with the message kGaveUp.
  std::chrono::steady_clock::time_point end = std::chrono::steady_clock::time_point::max();
};

inline constexpr const char* kGaveUp = "given up";

/// Where an error happened: a source location, or an instruction that is looked up when the message is written.
struct Place {
  Location location;
  const void* return_address = nullptr;

  static Place of(const Location& location) { return {location, nullptr}; }
  static Place at(const void* return_address) { return {{}, return_address}; }
};

class Executor {
 public:
  Executor();
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  /// Runs block `index` of `launch` to its end. Returns "", kGaveUp, or what went wrong, with kernel, block, thread and
  /// place.
  std::string run(const Launch& launch, uint3 index);

  // Called by kernel threads, through context.hpp, on behalf of the running one.
  CollectiveResult collective(Operation operation, unsigned mask, std::uint64_t input, int bytes, int lane_argument,
                              int width, const Location& location);
  int barrier(Barrier kind, int predicate, const Location& location);
  void atomic_point(const void* address, int bytes, const Location& location, const void* return_address);
  void yield(const Location* location);
  void* shared_address(std::size_t offset, std::size_t alignment, const Location& location);

  /// Ends the block with "kernel …, block …, thread …: describe() [place]". The frames of the running thread are left
  /// for good, so the message's parts must live inside `describe`, which returns a std::string.
  template <typename Describe>
  [[noreturn]] void fail(const Place& place, const Describe& describe) {
    failure_ = describe();
    leave_block(place);
  }

  /// Ends the block if it has run for longer than the watchdog or the launch allows; looks at the clock every 1024th
  /// call.
  void check_watchdog(const Place& place) {
    if ((++steps_ & 1023U) == 0 && deadline_enabled_) check_deadline(place);
  }

  // For the shadow checker.
  Shadow& shadow() { return shadow_; }
  const Fiber& running_fiber() const { return *current_->fiber; }
  int running_thread() const { return number(*current_); }
  const Fiber* fiber_of(const void* address) const { return fibers_.find(address); }
  bool is_parameter(const void* address) const;
  const std::byte* shared_arena() const { return arena_.data() + arena_offset_; }
  std::int64_t shared_bytes() const { return launch_->shared_bytes; }
  std::string thread_text(int thread) const;

 private:
  /// How pick_next() goes on: with the same warp, with another one, or from the first.
  enum class Pick { kStay, kLeave, kRestart };

  struct Thread {
    Fiber* fiber = nullptr;
    uint3 index{};
    // The operation that it waits at; valid while its warp's or the block's state says that it waits.
    Location location;
    std::uint64_t input = 0;
    CollectiveResult output{};
    int lane_argument = 0;
    int width = kLanes;
  };

  /// Lanes that meet at one collective.
  struct Group {
    Operation operation;
    int bytes;
    unsigned mask;
    unsigned arrived;
  };

  struct Warp {
    unsigned exists = 0;
    unsigned ready = 0;  ///< may run: not begun, or released from what it waited for
    unsigned exited = 0;
    unsigned at_barrier = 0;
    int group_count = 0;
    std::array<Group, kLanes> groups;
  };

  static void fiber_main();
  [[noreturn]] void run_threads();
  void run_kernel();
  void leave_kernel();
  [[noreturn]] void leave_block(const Place& place);
  /// The whole message, from failure_ and failure_place_; on the OS thread's own stack.
  std::string failure_text();

  int number(const Thread& thread) const { return static_cast<int>(&thread - threads_.data()); }
  Warp& warp_of(int thread) { return warps_[static_cast<std::size_t>(thread / kLanes)]; }

  void set_ready(int warp, unsigned lanes) {
    warps_[static_cast<std::size_t>(warp)].ready |= lanes;
    ready_warps_ |= 1U << warp;
  }
  /// The next thread to run, taken out of the ready set; -1 if none is ready.
  int pick_next(Pick pick);
  int pick_shuffled();
  void make_current(Thread& thread);
  /// Leaves the running thread, which must be waiting or ready, and returns when it is chosen again.
  void switch_away(Pick pick);
  [[noreturn]] void report_deadlock();

  void check_collective(const Warp& warp, int lane, Operation operation, unsigned mask, int width,
                        const Location& location);
  void check_cycle(const Warp& warp, const Group& group, const Location& location);
  void complete(int warp, const Group& group);
  int shuffle_source(Operation operation, const Thread& thread, int lane) const;
  void check_deadline(const Place& place);

  std::string waits_text() const;
  std::string warp_waits_text(int warp) const;
  std::uint64_t random();

  FiberPool fibers_;
  Shadow shadow_;
  std::vector<Thread> threads_;
  std::array<Warp, kMaxWarps> warps_;
  std::vector<std::byte> arena_;
  std::size_t arena_offset_ = 0;

  const Launch* launch_ = nullptr;
  Thread* current_ = nullptr;
  int thread_count_ = 0;
  int warp_count_ = 0;
  int exited_count_ = 0;
  unsigned ready_warps_ = 0;
  uint3 block_index_{};
  std::string failure_;
  Place failure_place_;
  bool failed_ = false;

  Barrier barrier_kind_ = Barrier::kPlain;
  Location barrier_location_;
  int barrier_arrived_ = 0;
  int barrier_votes_ = 0;
  int barrier_result_ = 0;

  std::uint64_t random_state_ = 1;
  std::uint64_t steps_ = 0;
  int atomics_in_a_row_ = 0;
  bool deadline_enabled_ = false;
  std::chrono::steady_clock::time_point deadline_;
};

/// The executor whose kernel thread this OS thread runs, or null on the host; and whether kernel code, not the
/// runtime below it, is running.
struct KernelContext {
  Executor* executor = nullptr;
  bool in_kernel = false;
  bool runtime_thread = false;  ///< a stream's or the pool's thread: may touch device memory
};
extern constinit thread_local KernelContext kernel_context;

/// Marks the runtime's own code inside a kernel thread, so that the shadow checker does not judge it.
class RuntimeScope {
 public:
  RuntimeScope() { kernel_context.in_kernel = false; }
  ~RuntimeScope() { kernel_context.in_kernel = true; }
  RuntimeScope(const RuntimeScope&) = delete;
  RuntimeScope& operator=(const RuntimeScope&) = delete;
};

}  // namespace warpbench::simt
