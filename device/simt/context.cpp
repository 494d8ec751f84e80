// The entry points that kernel code calls: each leaves kernel code (see RuntimeScope) and hands on to the executor
// of this OS thread. On the host, outside any kernel, they throw.
#include "device/simt/context.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "device/error.hpp"
#include "device/simt/executor.hpp"
#include "device/view.hpp"

namespace warpbench::simt {
namespace {

Executor& executor(const char* what) {
  if (kernel_context.executor == nullptr) throw DeviceError(std::string(what) + " outside a kernel");
  return *kernel_context.executor;
}

}  // namespace

CollectiveResult collective(Operation operation, unsigned mask, std::uint64_t input, int bytes, int lane_argument,
                            int width, const Location& location) {
  Executor& running = executor(operation_name(operation));
  const RuntimeScope scope;
  return running.collective(operation, mask, input, bytes, lane_argument, width, location);
}

int barrier(Barrier kind, int predicate, const Location& location) {
  Executor& running = executor("__syncthreads");
  const RuntimeScope scope;
  return running.barrier(kind, predicate, location);
}

void atomic_point(const void* address, int bytes, const Location& location) {
  // Atomics are plain atomics on the host.
  if (kernel_context.executor == nullptr) return;
  const RuntimeScope scope;
  kernel_context.executor->atomic_point(address, bytes, location, __builtin_return_address(0));
}

void yield_thread() {
  if (kernel_context.executor == nullptr) return;
  const RuntimeScope scope;
  kernel_context.executor->yield(nullptr);
}

unsigned active_mask() {
  executor("__activemask");
  const Builtins& b = builtins;
  const unsigned thread =
      b.thread_index.x + b.block_extent.x * (b.thread_index.y + b.block_extent.y * b.thread_index.z);
  return 1U << (thread % static_cast<unsigned>(kLanes));
}

void* dynamic_shared_bytes(std::size_t offset, std::size_t alignment, const Location& location) {
  Executor& running = executor("dynamic_shared");
  const RuntimeScope scope;
  return running.shared_address(offset, alignment, location);
}

void kernel_failure(const char* text, const Location& location) {
  Executor& running = executor(text);
  kernel_context.in_kernel = false;
  running.fail(Place::of(location), [&] { return std::string(text); });
}

void check_alignment(const void* address, std::size_t alignment, const Location& location) {
  if (reinterpret_cast<std::uintptr_t>(address) % alignment == 0 || kernel_context.executor == nullptr) return;
  kernel_context.in_kernel = false;
  kernel_context.executor->fail(Place::of(location),
                                [&] { return "misaligned access of " + std::to_string(alignment) + " bytes"; });
}

void report_index(const void*, std::int64_t index, std::int64_t size) {
  const auto text = [&] {
    return "index " + std::to_string(index) + " of a view of " + std::to_string(size) + " elements is out of range";
  };
  if (kernel_context.executor == nullptr) throw DeviceError(text());
  kernel_context.in_kernel = false;
  kernel_context.executor->fail(Place::at(__builtin_return_address(0)), text);
}

/// Called by a failed assert(): ends the block in a kernel, the process on the host as the C library does.
[[noreturn]] void assertion_failed(const char* text, const char* file, unsigned line, const char* function,
                                   const void* return_address) {
  if (kernel_context.executor == nullptr) {
    (void)std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, text);
    std::abort();
  }
  kernel_context.in_kernel = false;
  kernel_context.executor->fail(Place::at(return_address),
                                [&] { return std::string("assertion `") + text + "' failed"; });
}

unsigned long long clock_ticks() {
  return static_cast<unsigned long long>(std::chrono::steady_clock::now().time_since_epoch().count());
}

}  // namespace warpbench::simt

// Takes the place of the C library's, so that assert() means the same however late <cassert> is included.
extern "C" [[noreturn]] void __assert_fail(const char* text, const char* file, unsigned line,
                                           const char* function) noexcept {  // NOLINT: the C library's name
  warpbench::simt::assertion_failed(text, file, line, function, __builtin_return_address(0));
}
