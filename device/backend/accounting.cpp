// The memory account and the injected failures; see accounting.hpp. One mutex: allocations are rare beside kernels.
#include "device/backend/accounting.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "device/device.hpp"
#include "device/error.hpp"

namespace warpbench {
namespace {

/// The limit of a process that sets none itself.
std::optional<std::int64_t> initial_limit() {
  const std::optional<std::int64_t> limit = accounting::integer_from_environment("WARPBENCH_DEVICE_MEMORY");
  return limit ? limit : accounting::default_memory_limit();
}

struct Account {
  std::mutex mutex;
  std::optional<std::int64_t> limit;
  std::int64_t in_use = 0;
  std::int64_t peak = 0;
  std::atomic<std::int64_t> allocations_until_failure = 0;
  std::atomic<std::int64_t> calls_until_failure = 0;

  Account() {
    limit = initial_limit();
    allocations_until_failure = accounting::integer_from_environment("WARPBENCH_FAIL_ALLOCATION").value_or(0);
    calls_until_failure = accounting::integer_from_environment("WARPBENCH_FAIL_CALL").value_or(0);
  }
};

Account& account() {
  static Account instance;
  return instance;
}

/// True for the one call that takes a positive counter down to 0.
bool counts_down_to_failure(std::atomic<std::int64_t>& counter) {
  std::int64_t left = counter.load();
  while (left > 0) {
    if (counter.compare_exchange_weak(left, left - 1)) return left == 1;
  }
  return false;
}

}  // namespace

namespace accounting {

std::optional<std::int64_t> integer_from_environment(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr || *text == '\0') return std::nullopt;
  std::int64_t value = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, value);
  if (error != std::errc{} || stop != end || value < 0) {
    throw DeviceError(std::string("$") + name + " is '" + text + "'; expected a non-negative integer");
  }
  return value;
}

void reserve(std::int64_t bytes, const std::function<std::int64_t()>& device_free) {
  Account& state = account();
  if (counts_down_to_failure(state.allocations_until_failure)) throw OutOfDeviceMemory(bytes, device_free());
  const std::lock_guard lock(state.mutex);
  if (state.limit && bytes > *state.limit - state.in_use) {
    throw OutOfDeviceMemory(bytes, std::max<std::int64_t>(0, *state.limit - state.in_use));
  }
  state.in_use += bytes;
}

void confirm() noexcept {
  Account& state = account();
  const std::lock_guard lock(state.mutex);
  state.peak = std::max(state.peak, state.in_use);
}

void release(std::int64_t bytes) noexcept {
  Account& state = account();
  const std::lock_guard lock(state.mutex);
  state.in_use -= bytes;
}

OutOfDeviceMemory refused_by_device(std::int64_t bytes, std::int64_t device_free) {
  const std::int64_t wanted = std::max<std::int64_t>(1, bytes);
  return {wanted, std::clamp<std::int64_t>(device_free, 0, wanted - 1)};
}

void count_call(const char* call) {
  if (counts_down_to_failure(account().calls_until_failure)) {
    throw DeviceError(std::string(call) + " failed: injected by fail_call()");
  }
}

}  // namespace accounting

std::optional<std::int64_t> memory_limit() noexcept {
  Account& state = account();
  const std::lock_guard lock(state.mutex);
  return state.limit;
}

void set_memory_limit(std::optional<std::int64_t> bytes) {
  if (bytes && *bytes < 0) throw DeviceError("a memory limit cannot be negative");
  if (!bytes) bytes = initial_limit();
  Account& state = account();
  const std::lock_guard lock(state.mutex);
  state.limit = bytes;
}

std::int64_t memory_in_use() noexcept {
  Account& state = account();
  const std::lock_guard lock(state.mutex);
  return state.in_use;
}

std::int64_t peak_memory_in_use() noexcept {
  Account& state = account();
  const std::lock_guard lock(state.mutex);
  return state.peak;
}

void reset_peak_memory() noexcept {
  Account& state = account();
  const std::lock_guard lock(state.mutex);
  state.peak = state.in_use;
}

void fail_allocation(std::int64_t k) noexcept {
  account().allocations_until_failure = std::max<std::int64_t>(0, k);
}

void fail_call(std::int64_t k) noexcept {
  account().calls_until_failure = std::max<std::int64_t>(0, k);
}

}  // namespace warpbench
