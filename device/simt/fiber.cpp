// Fibers; see fiber.hpp.
#include "device/simt/fiber.hpp"

#include <sys/mman.h>

#include <boost/context/detail/fcontext.hpp>
#include <cstring>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace warpbench::simt {
namespace {

namespace context = boost::context::detail;

#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t kStackBytes = 1024 * 1024;
#else
constexpr std::size_t kStackBytes = 256 * 1024;
#endif
constexpr std::size_t kGuardBytes = 4096;
constexpr unsigned char kCanary = 0xc5;
constexpr std::size_t kCanaryBytes = 64;

/// The argument of a jump from one fiber to another.
struct Jump {
  Fiber* from;
  FiberPool::Entry entry;
};

void finish_switch(Fiber& now, Fiber& from) {
#if defined(__SANITIZE_ADDRESS__)
  const void* bottom = nullptr;
  std::size_t bytes = 0;
  __sanitizer_finish_switch_fiber(now.asan_fake_stack, &bottom, &bytes);
  // The OS thread's stack bounds are known to ASan only; the first switch away from it tells them.
  if (from.stack_low == nullptr) {
    from.stack_low = static_cast<std::byte*>(const_cast<void*>(bottom));
    from.stack_bytes = bytes;
  }
#else
  (void)now;
  (void)from;
#endif
}

void trampoline(context::transfer_t transfer) {
  const Jump jump = *static_cast<Jump*>(transfer.data);
  jump.from->context = transfer.fctx;
#if defined(__SANITIZE_ADDRESS__)
  Fiber fresh;
  finish_switch(fresh, *jump.from);
#endif
  jump.entry();
}

}  // namespace

FiberPool::FiberPool(Entry entry) : entry_(entry) {
#if defined(__SANITIZE_THREAD__)
  main_.tsan_fiber = __tsan_get_current_fiber();
#endif
}

FiberPool::~FiberPool() {
  for (const auto& fiber : fibers_) {
#if defined(__SANITIZE_THREAD__)
    if (fiber->tsan_fiber != nullptr) __tsan_destroy_fiber(fiber->tsan_fiber);
#endif
    munmap(fiber->stack_low - kGuardBytes, kStackBytes + kGuardBytes);
  }
}

Fiber* FiberPool::acquire() {
  if (idle_.empty()) {
    void* memory = mmap(nullptr, kStackBytes + kGuardBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    // Where the guard cannot be had (too many mappings), the canary above it still tells.
    (void)mprotect(memory, kGuardBytes, PROT_NONE);
    auto fiber = std::make_unique<Fiber>();
    fiber->stack_low = static_cast<std::byte*>(memory) + kGuardBytes;
    fiber->stack_bytes = kStackBytes;
    fiber->number = static_cast<int>(fibers_.size());
    std::memset(fiber->stack_low, kCanary, kCanaryBytes);
    fibers_.push_back(std::move(fiber));
    idle_.push_back(fibers_.back().get());
  }
  Fiber* fiber = idle_.back();
  idle_.pop_back();
  if (fiber->context == nullptr) prepare(*fiber);
  return fiber;
}

void FiberPool::prepare(Fiber& fiber) {
#if defined(__SANITIZE_ADDRESS__)
  ASAN_UNPOISON_MEMORY_REGION(fiber.stack_low, fiber.stack_bytes);
  fiber.asan_fake_stack = nullptr;
#endif
#if defined(__SANITIZE_THREAD__)
  if (fiber.tsan_fiber != nullptr) __tsan_destroy_fiber(fiber.tsan_fiber);
  fiber.tsan_fiber = __tsan_create_fiber(0);
#endif
  // Stack tops at different offsets within a page: else all fibers would compete for the same few cache sets.
  const std::size_t color = static_cast<std::size_t>(fiber.number % 16) * 256;
  fiber.context =
      context::make_fcontext(fiber.stack_low + fiber.stack_bytes - color, fiber.stack_bytes - color, trampoline);
}

void FiberPool::abandon_all() {
  idle_.clear();
  for (auto fiber = fibers_.rbegin(); fiber != fibers_.rend(); ++fiber) {
    (*fiber)->context = nullptr;
    std::memset((*fiber)->stack_low, kCanary, kCanaryBytes);
    idle_.push_back(fiber->get());
  }
}

void FiberPool::switch_to(Fiber& from, Fiber& to) {
  Jump jump{&from, entry_};
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&from.asan_fake_stack, to.stack_low, to.stack_bytes);
#endif
#if defined(__SANITIZE_THREAD__)
  __tsan_switch_to_fiber(to.tsan_fiber, 0);
#endif
  const context::transfer_t transfer = context::jump_fcontext(to.context, &jump);
  Fiber& came_from = *static_cast<Jump*>(transfer.data)->from;
  came_from.context = transfer.fctx;
  finish_switch(from, came_from);
}

const Fiber* FiberPool::find(const void* address) const {
  for (const auto& fiber : fibers_) {
    if (fiber->holds(address)) return fiber.get();
  }
  return nullptr;
}

bool FiberPool::stack_intact(const Fiber& fiber) {
  std::uint64_t word = 0;
  std::memcpy(&word, fiber.stack_low, sizeof word);
  return word == 0xc5c5c5c5c5c5c5c5ULL;
}

}  // namespace warpbench::simt
