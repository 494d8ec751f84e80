// Starting, switching and ending the threads of a block; see executor.hpp. Collectives are in collectives.cpp.
#include "device/simt/executor.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <exception>
#include <sstream>

#include "device/error.hpp"
#include "device/integers.hpp"
#include "device/simt/memory.hpp"
#include "device/simt/symbolize.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace warpbench::simt {

constinit thread_local Builtins builtins{};
constinit thread_local KernelContext kernel_context{};

namespace {

constexpr std::size_t kArenaAlignment = 1024;
/// Behind the largest dynamic shared memory, so that a small overrun stays inside the arena and is told.
constexpr std::size_t kArenaMargin = 4096;
/// A thread that has done so many atomics in a row lets others run: it may be spinning on a lock.
constexpr int kAtomicsBeforeYield = 64;

std::string text_of(uint3 v) {
  return "(" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + ")";
}

std::string text_of(const Place& place) {
  if (place.return_address != nullptr) return place_of(place.return_address);
  return std::string(place.location.file_name()) + ":" + std::to_string(place.location.line());
}

}  // namespace

Executor::Executor()
    : fibers_(&Executor::fiber_main),
      shadow_(nullptr, 0),
      threads_(kMaxThreads),
      arena_(static_cast<std::size_t>(kSharedBytesPerBlock) + kArenaAlignment + kArenaMargin) {
  const auto address = reinterpret_cast<std::uintptr_t>(arena_.data());
  arena_offset_ = (kArenaAlignment - address % kArenaAlignment) % kArenaAlignment;
  shadow_ = Shadow(shared_arena(), kSharedBytesPerBlock + static_cast<std::int64_t>(kArenaMargin));
}

Executor::~Executor() = default;

std::string Executor::run(const Launch& launch, uint3 index) {
  launch_ = &launch;
  block_index_ = index;
  failed_ = false;
  thread_count_ = static_cast<int>(launch.block.x * launch.block.y * launch.block.z);
  warp_count_ = ceil_div(thread_count_, kLanes);
  exited_count_ = 0;
  barrier_arrived_ = 0;
  ready_warps_ = 0;
  atomics_in_a_row_ = 0;
  random_state_ = (launch.order.seed + 1) * 0x9e3779b97f4a7c15ULL ^
                  (index.x + 0x10001ULL * index.y + 0x1000003ULL * index.z) * 0xbf58476d1ce4e5b9ULL;
  if (random_state_ == 0) random_state_ = 1;
  using Clock = std::chrono::steady_clock;
  const bool watched = launch.watchdog_seconds > 0;
  const bool limited = launch.end != Clock::time_point::max();
  deadline_enabled_ = watched || limited;
  deadline_ = launch.end;
  if (deadline_enabled_) {
    const Clock::time_point now = Clock::now();
    if (now >= launch.end) return kGaveUp;
    const std::chrono::duration<double> allowed(launch.watchdog_seconds);
    if (watched) deadline_ = std::min(deadline_, now + std::chrono::duration_cast<Clock::duration>(allowed));
  }

  uint3 position{0, 0, 0};
  for (int t = 0; t < thread_count_; ++t) {
    Thread& thread = threads_[static_cast<std::size_t>(t)];
    thread.fiber = nullptr;
    thread.index = position;
    if (++position.x == launch.block.x) {
      position.x = 0;
      if (++position.y == launch.block.y) {
        position.y = 0;
        ++position.z;
      }
    }
  }
  for (int w = 0; w < warp_count_; ++w) {
    Warp& warp = warps_[static_cast<std::size_t>(w)];
    const int lanes = std::min(kLanes, thread_count_ - w * kLanes);
    warp.exists = lanes == kLanes ? ~0U : (1U << lanes) - 1;
    warp.ready = warp.exited = warp.at_barrier = 0;
    warp.group_count = 0;
    set_ready(w, warp.exists);
  }
  if (launch.shared_bytes > 0) {
    std::byte* arena = arena_.data() + arena_offset_;
    const auto bytes = static_cast<std::size_t>(launch.shared_bytes);
#if defined(__SANITIZE_ADDRESS__)
    ASAN_UNPOISON_MEMORY_REGION(arena, arena_.size() - arena_offset_);
    ASAN_POISON_MEMORY_REGION(arena + bytes, arena_.size() - arena_offset_ - bytes);
    ASAN_UNPOISON_MEMORY_REGION(arena, bytes);
#endif
    std::memset(arena, kPoison, bytes);
  }
  shadow_.begin_block();
  builtins.block_index = index;
  builtins.block_extent = launch.block;
  builtins.grid_extent = launch.grid;

  Thread& first = threads_[static_cast<std::size_t>(pick_next(Pick::kRestart))];
  first.fiber = fibers_.acquire();
  make_current(first);
  kernel_context.executor = this;
  fibers_.switch_to(fibers_.main(), *first.fiber);
  kernel_context.executor = nullptr;
  kernel_context.in_kernel = false;
  if (!failed_) return {};
  fibers_.abandon_all();
  return failure_ == kGaveUp ? failure_ : failure_text();
}

void Executor::fiber_main() {
  kernel_context.executor->run_threads();
}

void Executor::run_threads() {
  for (;;) {
    Fiber& mine = *current_->fiber;
    run_kernel();
    leave_kernel();
    const int next = pick_next(Pick::kStay);
    if (next < 0) {
      if (exited_count_ < thread_count_) report_deadlock();
      fibers_.park(&mine);
      fibers_.switch_to(mine, fibers_.main());
      continue;
    }
    Thread& thread = threads_[static_cast<std::size_t>(next)];
    make_current(thread);
    if (thread.fiber == nullptr) {
      thread.fiber = &mine;
      continue;
    }
    fibers_.park(&mine);
    fibers_.switch_to(mine, *thread.fiber);
  }
}

void Executor::run_kernel() {
  bool thrown = true;
  try {
    kernel_context.in_kernel = true;
    launch_->call.body(launch_->call.kernel, launch_->call.parameters.get());
    thrown = false;
  } catch (const std::exception& error) {
    failure_ = std::string("the kernel threw: ") + error.what();
  } catch (...) {
    failure_ = "the kernel threw something that is no std::exception";
  }
  kernel_context.in_kernel = false;
  // Outside the handlers, since this leaves the stack for good.
  if (thrown) leave_block(Place::at(static_cast<const char*>(launch_->call.kernel) + 1));
}

void Executor::leave_kernel() {
  const int self = number(*current_);
  if (!FiberPool::stack_intact(*current_->fiber)) {
    fail(Place::at(static_cast<const char*>(launch_->call.kernel) + 1),
         [&] { return "the thread's stack of " + std::to_string(current_->fiber->stack_bytes) + " bytes overflowed"; });
  }
  Warp& warp = warp_of(self);
  const unsigned bit = 1U << (self % kLanes);
  warp.exited |= bit;
  ++exited_count_;
  if (barrier_arrived_ > 0) {
    fail(Place::of(barrier_location_), [&] {
      return "leaves the kernel while " + std::to_string(barrier_arrived_) + " of " + std::to_string(thread_count_) +
             " threads wait at __syncthreads(): a barrier must be reached by all threads of the block" + waits_text();
    });
  }
  for (int g = 0; g < warp.group_count; ++g) {
    const Group& group = warp.groups[static_cast<std::size_t>(g)];
    if ((group.mask & bit) == 0) continue;
    const int waiting = self / kLanes * kLanes + std::countr_zero(group.arrived);
    fail(Place::of(threads_[static_cast<std::size_t>(waiting)].location),
         [&] { return "leaves the kernel although a waiting collective's mask names it" + waits_text(); });
  }
}

std::uint64_t Executor::random() {
  random_state_ ^= random_state_ >> 12;
  random_state_ ^= random_state_ << 25;
  random_state_ ^= random_state_ >> 27;
  return (random_state_ * 0x2545f4914f6cdd1dULL) >> 32;
}

int Executor::pick_shuffled() {
  // A random rotation, then the first set bit: cheap, and every choice has a chance.
  const auto pick = [](unsigned set, int rotation) {
    return (std::countr_zero(std::rotr(set, rotation)) + rotation) % 32;
  };
  const std::uint64_t bits = random();
  const int w = pick(ready_warps_, static_cast<int>(bits & 31));
  return w * kLanes + pick(warps_[static_cast<std::size_t>(w)].ready, static_cast<int>((bits >> 5) & 31));
}

int Executor::pick_next(Pick pick) {
  if (ready_warps_ == 0) return -1;
  int thread = 0;
  if (launch_->order.kind == LaneOrder::Kind::kShuffle) {
    thread = pick_shuffled();
  } else {
    const bool ascending = launch_->order.kind == LaneOrder::Kind::kAscending;
    const auto first = [ascending](unsigned set) {
      return (ascending ? std::countr_zero(set) : 31 - std::countl_zero(set)) & 31;  // `set` is never empty
    };
    // The elements of `set` that come after `position` in this order; all of them if none does.
    const auto after = [ascending](unsigned set, int position) {
      const unsigned later = ascending ? (~1U << position) : (1U << position) - 1;
      return (set & later) != 0 ? set & later : set;
    };
    const int self = current_ == nullptr || pick == Pick::kRestart ? -1 : number(*current_);
    int w = first(ready_warps_);
    unsigned lanes = warps_[static_cast<std::size_t>(w)].ready;
    if (self >= 0) {
      const int own = self / kLanes;
      const bool stay = pick == Pick::kStay && ((ready_warps_ >> own) & 1U) != 0;
      w = stay ? own : first(after(ready_warps_, own));
      lanes = warps_[static_cast<std::size_t>(w)].ready;
      // A thread that gives way must not be chosen again before its neighbours.
      if (pick == Pick::kLeave && w == own) lanes = after(lanes, self % kLanes);
    }
    thread = w * kLanes + first(lanes);
  }
  Warp& warp = warps_[static_cast<std::size_t>(thread / kLanes)];
  warp.ready &= ~(1U << (thread % kLanes));
  if (warp.ready == 0) ready_warps_ &= ~(1U << (thread / kLanes));
  return thread;
}

void Executor::make_current(Thread& thread) {
  current_ = &thread;
  builtins.thread_index = thread.index;
}

void Executor::switch_away(Pick pick) {
  Thread& self = *current_;
  atomics_in_a_row_ = 0;
  check_watchdog(Place::of(self.location));
  const int next = pick_next(pick);
  if (next < 0) report_deadlock();
  Thread& thread = threads_[static_cast<std::size_t>(next)];
  if (&thread == &self) return;
  if (thread.fiber == nullptr) thread.fiber = fibers_.acquire();
  make_current(thread);
  fibers_.switch_to(*self.fiber, *thread.fiber);
}

void Executor::yield(const Location* location) {
  const int self = number(*current_);
  if (location != nullptr) current_->location = *location;
  set_ready(self / kLanes, 1U << (self % kLanes));
  switch_away(Pick::kLeave);
}

void Executor::atomic_point(const void* address, int bytes, const Location& location, const void* return_address) {
  if (reinterpret_cast<std::uintptr_t>(address) % static_cast<std::uintptr_t>(bytes) != 0) {
    fail(Place::of(location), [&] { return "misaligned atomic of " + std::to_string(bytes) + " bytes"; });
  }
  if (is_device_address(address) && !is_live_device_range(address, bytes)) {
    fail(Place::of(location), [&] { return "atomic " + describe_bad_device_range(address, bytes); });
  }
  if constexpr (kShadowed) check_access(*this, Access{address, bytes, true, true, return_address});
  if (launch_->order.kind == LaneOrder::Kind::kShuffle || ++atomics_in_a_row_ >= kAtomicsBeforeYield) {
    yield(&location);
  }
}

void* Executor::shared_address(std::size_t offset, std::size_t alignment, const Location& location) {
  if (offset > static_cast<std::size_t>(launch_->shared_bytes)) {
    fail(Place::of(location), [&] {
      return "dynamic_shared at byte " + std::to_string(offset) + " of " + std::to_string(launch_->shared_bytes);
    });
  }
  if (offset % alignment != 0) {
    fail(Place::of(location), [&] {
      return "dynamic_shared at byte " + std::to_string(offset) + " for a type that is aligned to " +
             std::to_string(alignment) + " bytes";
    });
  }
  return arena_.data() + arena_offset_ + offset;
}

bool Executor::is_parameter(const void* address) const {
  const auto offset =
      reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(launch_->call.parameters.get());
  return offset < static_cast<std::uintptr_t>(launch_->call.parameter_bytes);
}

std::string Executor::thread_text(int thread) const {
  return "thread " + text_of(threads_[static_cast<std::size_t>(thread)].index);
}

void Executor::check_deadline(const Place& place) {
  if (std::chrono::steady_clock::now() < deadline_) return;
  if (deadline_ == launch_->end) fail(place, [] { return std::string(kGaveUp); });
  fail(place, [&] {
    std::ostringstream text;
    text << "watchdog: the block has not ended within " << launch_->watchdog_seconds << " s" << waits_text();
    return text.str();
  });
}

void Executor::leave_block(const Place& place) {
  failure_place_ = place;
  failed_ = true;
  kernel_context.in_kernel = false;
  fibers_.switch_to(*current_->fiber, fibers_.main());
  std::terminate();  // nobody comes back to an abandoned fiber
}

std::string Executor::failure_text() {
  return "kernel " + kernel_name(launch_->call.kernel) + ", block " + text_of(block_index_) + ", " +
         thread_text(number(*current_)) + ": " + failure_ + " [" + text_of(failure_place_) + "]";
}

}  // namespace warpbench::simt
