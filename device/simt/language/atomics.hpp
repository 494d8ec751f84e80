// CUDA's atomics for the host compiler. Each checks its address, lets other threads of the block run where the order
// asks for it (so that spin locks end), and is sequentially consistent. The work is done in atomics.cpp, which is
// never instrumented by the shadow checker. The _block and _system forms mean the same.
#pragma once

#include <cstdint>

#include "device/simt/context.hpp"

namespace warpbench::simt {

enum class Update : std::uint8_t { kAdd, kSub, kMin, kMax, kAnd, kOr, kXor, kExchange, kIncrement, kDecrement };

/// Replaces *address by the update with `value`, returns what was there. Defined for the types below.
template <typename T>
T atomic_update(Update update, T* address, T value, const Location& location);
extern template int atomic_update(Update, int*, int, const Location&);
extern template unsigned atomic_update(Update, unsigned*, unsigned, const Location&);
extern template long atomic_update(Update, long*, long, const Location&);
extern template unsigned long atomic_update(Update, unsigned long*, unsigned long, const Location&);
extern template long long atomic_update(Update, long long*, long long, const Location&);
extern template unsigned long long atomic_update(Update, unsigned long long*, unsigned long long, const Location&);
extern template float atomic_update(Update, float*, float, const Location&);
extern template double atomic_update(Update, double*, double, const Location&);

/// Sets *address to `value` if it is `expected`; returns what was there.
template <typename T>
T atomic_compare(T* address, T expected, T value, const Location& location);
extern template int atomic_compare(int*, int, int, const Location&);
extern template unsigned atomic_compare(unsigned*, unsigned, unsigned, const Location&);
extern template unsigned short atomic_compare(unsigned short*, unsigned short, unsigned short, const Location&);
extern template unsigned long atomic_compare(unsigned long*, unsigned long, unsigned long, const Location&);
extern template long long atomic_compare(long long*, long long, long long, const Location&);
extern template unsigned long long atomic_compare(unsigned long long*, unsigned long long, unsigned long long,
                                                  const Location&);

}  // namespace warpbench::simt

// A macro, since CUDA has the same function for different sets of types and refuses the others, as this must.
// NOLINTBEGIN(bugprone-macro-parentheses): T is a type
#define WARPBENCH_ATOMIC(NAME, UPDATE, T)                                                                      \
  inline T NAME(T* address, T value, const std::source_location& location = std::source_location::current()) { \
    return warpbench::simt::atomic_update(warpbench::simt::Update::UPDATE, address, value, location);          \
  }
#define WARPBENCH_ATOMIC_FORMS(NAME, UPDATE, T) \
  WARPBENCH_ATOMIC(NAME, UPDATE, T)             \
  WARPBENCH_ATOMIC(NAME##_block, UPDATE, T)     \
  WARPBENCH_ATOMIC(NAME##_system, UPDATE, T)
#define WARPBENCH_ATOMIC_INTEGERS(NAME, UPDATE)  \
  WARPBENCH_ATOMIC_FORMS(NAME, UPDATE, int)      \
  WARPBENCH_ATOMIC_FORMS(NAME, UPDATE, unsigned) \
  WARPBENCH_ATOMIC_FORMS(NAME, UPDATE, unsigned long long)
#define WARPBENCH_ATOMIC_SIGNED_TOO(NAME, UPDATE) \
  WARPBENCH_ATOMIC_INTEGERS(NAME, UPDATE)         \
  WARPBENCH_ATOMIC_FORMS(NAME, UPDATE, long long)
#define WARPBENCH_ATOMIC_COMPARE(NAME, T)                                                 \
  inline T NAME(T* address, T expected, T value,                                          \
                const std::source_location& location = std::source_location::current()) { \
    return warpbench::simt::atomic_compare(address, expected, value, location);           \
  }
#define WARPBENCH_ATOMIC_COMPARE_FORMS(T)      \
  WARPBENCH_ATOMIC_COMPARE(atomicCAS, T)       \
  WARPBENCH_ATOMIC_COMPARE(atomicCAS_block, T) \
  WARPBENCH_ATOMIC_COMPARE(atomicCAS_system, T)

WARPBENCH_ATOMIC_INTEGERS(atomicAdd, kAdd)
WARPBENCH_ATOMIC_FORMS(atomicAdd, kAdd, float)
WARPBENCH_ATOMIC_FORMS(atomicAdd, kAdd, double)
WARPBENCH_ATOMIC_FORMS(atomicSub, kSub, int)
WARPBENCH_ATOMIC_FORMS(atomicSub, kSub, unsigned)
WARPBENCH_ATOMIC_SIGNED_TOO(atomicMin, kMin)
WARPBENCH_ATOMIC_SIGNED_TOO(atomicMax, kMax)
WARPBENCH_ATOMIC_INTEGERS(atomicAnd, kAnd)
WARPBENCH_ATOMIC_INTEGERS(atomicOr, kOr)
WARPBENCH_ATOMIC_INTEGERS(atomicXor, kXor)
WARPBENCH_ATOMIC_INTEGERS(atomicExch, kExchange)
WARPBENCH_ATOMIC_FORMS(atomicExch, kExchange, float)
WARPBENCH_ATOMIC_FORMS(atomicInc, kIncrement, unsigned)
WARPBENCH_ATOMIC_FORMS(atomicDec, kDecrement, unsigned)
WARPBENCH_ATOMIC_COMPARE_FORMS(int)
WARPBENCH_ATOMIC_COMPARE_FORMS(unsigned)
WARPBENCH_ATOMIC_COMPARE_FORMS(unsigned short)
WARPBENCH_ATOMIC_COMPARE_FORMS(unsigned long long)

// NOLINTEND(bugprone-macro-parentheses)
#undef WARPBENCH_ATOMIC
#undef WARPBENCH_ATOMIC_FORMS
#undef WARPBENCH_ATOMIC_INTEGERS
#undef WARPBENCH_ATOMIC_SIGNED_TOO
#undef WARPBENCH_ATOMIC_COMPARE
#undef WARPBENCH_ATOMIC_COMPARE_FORMS
