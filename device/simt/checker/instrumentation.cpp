// The functions that -fsanitize=thread makes the compiler call around every memory access of a kernel. The kernels
// of a simt build are compiled with that instrumentation but linked with these functions instead of libtsan, so
// that Shadow sees every access. -fsanitize=alignment, where it is given too, ends in the last function here: it tells
// a misaligned vector access even where the compiler has split it into scalars. Accesses of host code in the same files
// pass, unless they touch device memory.
#if defined(WARPBENCH_SIMT_SHADOW)

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "device/simt/executor.hpp"
#include "device/simt/memory.hpp"
#include "device/simt/symbolize.hpp"

namespace warpbench::simt {
namespace {

/// These functions must not throw (the compiler assumes so), hence the hard end.
[[noreturn]] void host_touches_device(const void* address, const void* return_address) {
  (void)std::fprintf(stderr, "warpbench: host code accesses device memory at %p [%s]; on a GPU this is a crash\n",
                     address, place_of(return_address).c_str());
  std::abort();
}

void on_access(const void* address, int bytes, bool write, bool aligned, const void* return_address) {
  KernelContext& context = kernel_context;
  if (!context.in_kernel) {
    if (!context.runtime_thread && is_device_address(address)) host_touches_device(address, return_address);
    return;
  }
  const RuntimeScope scope;
  // The compiler makes this call for 16 bytes of a struct that is aligned to 8, too: vectors are told by on_mismatch.
  const auto alignment = static_cast<std::uintptr_t>(std::min(bytes, 8));
  if (aligned && reinterpret_cast<std::uintptr_t>(address) % alignment != 0) {
    context.executor->fail(Place::at(return_address),
                           [&] { return "misaligned access of " + std::to_string(bytes) + " bytes"; });
  }
  check_access(*context.executor, Access{address, bytes, write, false, return_address});
}

/// The compiler's description of a misaligned pointer (libubsan's layout, version 1).
struct MismatchData {
  const char* file;
  unsigned line;
  unsigned column;
  const void* type;
  unsigned char log_alignment;
  unsigned char kind;
};

void on_mismatch(const MismatchData& data, const void* return_address) {
  KernelContext& context = kernel_context;
  if (!context.in_kernel) return;  // host code may: x86 can
  const RuntimeScope scope;
  context.executor->fail(Place::at(return_address), [&] {
    return "misaligned access of a type that is aligned to " + std::to_string(1U << data.log_alignment) + " bytes";
  });
}

}  // namespace
}  // namespace warpbench::simt

// A macro, since the compiler prescribes dozens of C names that differ in a number only.
// NOLINTBEGIN
#define WARPBENCH_ACCESS_HOOKS(N)                                                \
  void __tsan_read##N(void* p) {                                                 \
    warpbench::simt::on_access(p, N, false, true, __builtin_return_address(0));  \
  }                                                                              \
  void __tsan_write##N(void* p) {                                                \
    warpbench::simt::on_access(p, N, true, true, __builtin_return_address(0));   \
  }                                                                              \
  void __tsan_volatile_read##N(void* p) {                                        \
    warpbench::simt::on_access(p, N, false, true, __builtin_return_address(0));  \
  }                                                                              \
  void __tsan_volatile_write##N(void* p) {                                       \
    warpbench::simt::on_access(p, N, true, true, __builtin_return_address(0));   \
  }                                                                              \
  void __tsan_unaligned_read##N(void* p) {                                       \
    warpbench::simt::on_access(p, N, false, false, __builtin_return_address(0)); \
  }                                                                              \
  void __tsan_unaligned_write##N(void* p) {                                      \
    warpbench::simt::on_access(p, N, true, false, __builtin_return_address(0));  \
  }

// Host code that the instrumentation turned into calls: plain atomics, always sequentially consistent.
#define WARPBENCH_ATOMIC_HOOKS(BITS, T)                                                             \
  T __tsan_atomic##BITS##_load(const volatile T* p, int) {                                          \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                    \
  }                                                                                                 \
  void __tsan_atomic##BITS##_store(volatile T* p, T v, int) {                                       \
    __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                       \
  }                                                                                                 \
  T __tsan_atomic##BITS##_exchange(volatile T* p, T v, int) {                                       \
    return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                             \
  }                                                                                                 \
  T __tsan_atomic##BITS##_fetch_add(volatile T* p, T v, int) {                                      \
    return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST);                                              \
  }                                                                                                 \
  T __tsan_atomic##BITS##_fetch_sub(volatile T* p, T v, int) {                                      \
    return __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST);                                              \
  }                                                                                                 \
  T __tsan_atomic##BITS##_fetch_and(volatile T* p, T v, int) {                                      \
    return __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST);                                              \
  }                                                                                                 \
  T __tsan_atomic##BITS##_fetch_or(volatile T* p, T v, int) {                                       \
    return __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST);                                               \
  }                                                                                                 \
  T __tsan_atomic##BITS##_fetch_xor(volatile T* p, T v, int) {                                      \
    return __atomic_fetch_xor(p, v, __ATOMIC_SEQ_CST);                                              \
  }                                                                                                 \
  T __tsan_atomic##BITS##_fetch_nand(volatile T* p, T v, int) {                                     \
    return __atomic_fetch_nand(p, v, __ATOMIC_SEQ_CST);                                             \
  }                                                                                                 \
  int __tsan_atomic##BITS##_compare_exchange_strong(volatile T* p, T* e, T v, int, int) {           \
    return __atomic_compare_exchange_n(p, e, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) ? 1 : 0; \
  }                                                                                                 \
  int __tsan_atomic##BITS##_compare_exchange_weak(volatile T* p, T* e, T v, int, int) {             \
    return __atomic_compare_exchange_n(p, e, v, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) ? 1 : 0;  \
  }                                                                                                 \
  T __tsan_atomic##BITS##_compare_exchange_val(volatile T* p, T e, T v, int, int) {                 \
    __atomic_compare_exchange_n(p, &e, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);               \
    return e;                                                                                       \
  }

extern "C" {
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
void __tsan_atomic_thread_fence(int) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) {}
void __tsan_read_range(void* p, std::size_t bytes) {
  warpbench::simt::on_access(p, static_cast<int>(bytes), false, false, __builtin_return_address(0));
}
void __tsan_write_range(void* p, std::size_t bytes) {
  warpbench::simt::on_access(p, static_cast<int>(bytes), true, false, __builtin_return_address(0));
}
void __ubsan_handle_type_mismatch_v1(void* data, std::uintptr_t) {
  warpbench::simt::on_mismatch(*static_cast<warpbench::simt::MismatchData*>(data), __builtin_return_address(0));
}
WARPBENCH_ACCESS_HOOKS(1)
WARPBENCH_ACCESS_HOOKS(2)
WARPBENCH_ACCESS_HOOKS(4)
WARPBENCH_ACCESS_HOOKS(8)
WARPBENCH_ACCESS_HOOKS(16)
WARPBENCH_ATOMIC_HOOKS(8, unsigned char)
WARPBENCH_ATOMIC_HOOKS(16, unsigned short)
WARPBENCH_ATOMIC_HOOKS(32, unsigned)
WARPBENCH_ATOMIC_HOOKS(64, unsigned long)
}
// NOLINTEND

#endif  // WARPBENCH_SIMT_SHADOW
