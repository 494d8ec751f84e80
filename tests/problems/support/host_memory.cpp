#include "tests/problems/support/host_memory.hpp"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

namespace warpbench::testing {
namespace {

std::atomic<std::int64_t> left_until_failure{0};
std::atomic<bool> has_failed{false};
std::atomic<bool> counts{false};
std::atomic<std::int64_t> in_use{0};
std::atomic<std::int64_t> most_in_use{0};

bool is_to_fail() noexcept {
  if (left_until_failure.load(std::memory_order_relaxed) <= 0 || --left_until_failure != 0) return false;
  has_failed = true;
  return true;
}

void note(void* memory, std::int64_t sign) noexcept {
  if (!counts.load(std::memory_order_relaxed)) return;
  const std::int64_t now = in_use += sign * static_cast<std::int64_t>(::malloc_usable_size(memory));
  std::int64_t most = most_in_use;
  while (now > most && !most_in_use.compare_exchange_weak(most, now)) {
  }
}

void* allocate(std::size_t bytes, std::size_t alignment) {
  void* memory = nullptr;
  const std::size_t wanted = std::max<std::size_t>(bytes, 1);
  if (!is_to_fail() && ::posix_memalign(&memory, std::max(alignment, sizeof(void*)), wanted) != 0) memory = nullptr;
  if (memory == nullptr) throw std::bad_alloc();
  note(memory, 1);
  return memory;
}

void release(void* memory) noexcept {
  if (memory != nullptr) note(memory, -1);
  std::free(memory);  // NOLINT(cppcoreguidelines-no-malloc,cppcoreguidelines-owning-memory): this is operator delete
}

}  // namespace

bool fail_host_allocation(std::int64_t k) noexcept {
  left_until_failure = k;
  return has_failed.exchange(false);
}

PeakOfHostMemory::PeakOfHostMemory() noexcept {
  in_use = 0;
  most_in_use = 0;
  counts = true;
}

PeakOfHostMemory::~PeakOfHostMemory() {
  counts = false;
}

std::int64_t PeakOfHostMemory::bytes() const noexcept {
  return most_in_use;
}

}  // namespace warpbench::testing

// The library's other forms call these, but AddressSanitizer's do not: those of them that the tests meet are here, too.
void* operator new(std::size_t bytes) {
  return warpbench::testing::allocate(bytes, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return warpbench::testing::allocate(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept {
  try {
    return operator new(bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new[](std::size_t bytes) {
  return operator new(bytes);
}
void operator delete(void* memory) noexcept {
  warpbench::testing::release(memory);
}
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  warpbench::testing::release(memory);
}
void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
  warpbench::testing::release(memory);
}
void operator delete(void* memory, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept {
  warpbench::testing::release(memory);
}
void operator delete[](void* memory) noexcept {
  warpbench::testing::release(memory);
}
void operator delete[](void* memory, std::size_t /*bytes*/) noexcept {
  warpbench::testing::release(memory);
}
