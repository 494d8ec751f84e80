// simt's devices: $WARPBENCH_SIMT_DEVICES (default 1) of them, all the same pool of cores. Limits that a kernel can
// run into are an H200's; multiprocessors are the pool's threads, each of which holds one block at a time.
#include "device/device.hpp"

#include <unistd.h>

#include <algorithm>
#include <string>

#include "device/backend/accounting.hpp"
#include "device/error.hpp"
#include "device/simt/current_device.hpp"
#include "device/simt/executor.hpp"
#include "device/simt/pool.hpp"

namespace warpbench {
namespace {

constexpr std::int64_t kDefaultMemory = std::int64_t{8} << 30;

thread_local int current_index = 0;

int device_count() {
  static const auto kCount =
      static_cast<int>(accounting::integer_from_environment("WARPBENCH_SIMT_DEVICES").value_or(1));
  return kCount;
}

DeviceProperties properties(int index) {
  DeviceProperties p;
  p.name = "simt (CPU, functional only)";
  p.backend = "simt";
  p.index = index;
  p.multiprocessors = simt::pool_threads();
  p.shared_bytes_per_block = simt::kSharedBytesPerBlock;
  p.shared_bytes_per_multiprocessor = simt::kSharedBytesPerBlock + 1024;
  p.l2_bytes = std::max<std::int64_t>(0, sysconf(_SC_LEVEL3_CACHE_SIZE));
  p.memory_bytes = memory_limit().value_or(kDefaultMemory);
  p.max_threads_per_multiprocessor = simt::kMaxThreads;
  p.max_blocks_per_multiprocessor = 1;
  p.registers_per_multiprocessor = 65536;
  p.compute_major = 9;
  p.compute_minor = 0;
  return p;
}

}  // namespace

namespace simt {
int current_device_index() noexcept {
  return current_index;
}
}  // namespace simt

namespace accounting {
std::optional<std::int64_t> default_memory_limit() noexcept {
  return kDefaultMemory;
}
}  // namespace accounting

std::string_view backend_name() noexcept {
  return "simt";
}

std::vector<DeviceProperties> devices() {
  std::vector<DeviceProperties> all;
  all.reserve(static_cast<std::size_t>(device_count()));
  for (int i = 0; i < device_count(); ++i) all.push_back(properties(i));
  return all;
}

DeviceProperties current_device() {
  return properties(current_index);
}

int current_device_index() {
  return simt::current_device_index();
}

void set_device(int index) {
  if (index < 0 || index >= device_count()) {
    throw DeviceError("set_device(" + std::to_string(index) + "): there are " + std::to_string(device_count()) +
                      " devices");
  }
  current_index = index;
}

std::int64_t free_memory() {
  return std::max<std::int64_t>(0, memory_limit().value_or(kDefaultMemory) - memory_in_use());
}

}  // namespace warpbench
