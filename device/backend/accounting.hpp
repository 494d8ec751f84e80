// The backend-neutral half of runtime.hpp: the memory account behind memory_limit() and friends, the downloads behind
// poison_downloaded(), and the counters behind fail_allocation() and fail_call(). Only the backends include this.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "device/error.hpp"

namespace warpbench::accounting {

/// Enters an allocation of `bytes` that is to be tried; throws OutOfDeviceMemory if the limit or an injected failure
/// forbids it. `device_free` tells what the device itself has left, for the message; it is called only on failure.
void reserve(std::int64_t bytes, const std::function<std::int64_t()>& device_free);

/// The device gave what was reserved: now it counts for the peak.
void confirm() noexcept;

/// Takes an allocation out again, or one that the device refused.
void release(std::int64_t bytes) noexcept;

/// What to throw for `bytes` that the device itself refused. The device may count more as free, in pieces that are too
/// small or that others took since. The error says that less was free: solvers take a refusal in spite of room for an
/// injected failure.
OutOfDeviceMemory refused_by_device(std::int64_t bytes, std::int64_t device_free);

/// Keeps a download from device memory in mind while a DownloadWatch lives.
void downloaded(const void* from, std::int64_t bytes);
/// Forgets downloads from memory that is being freed.
void forget_downloads(const void* pointer, std::int64_t bytes) noexcept;

/// Counts one runtime call; throws DeviceError naming `call` when fail_call() chose it.
void count_call(const char* call);

/// $name as a non-negative integer; nullopt if unset. Throws DeviceError if it is set to something else.
std::optional<std::int64_t> integer_from_environment(const char* name);

/// The limit where neither set_memory_limit nor $WARPBENCH_DEVICE_MEMORY gave one; each backend defines it.
std::optional<std::int64_t> default_memory_limit() noexcept;

}  // namespace warpbench::accounting
