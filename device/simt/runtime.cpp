// simt's memory, copies and launches, all as tasks of a stream. Copies check that their device side is device memory
// and that pinned or pageable host memory behaves as on a GPU.
#include "device/backend/runtime.hpp"

#include <cstdio>
#include <cstring>
#include <future>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "device/backend/accounting.hpp"
#include "device/device.hpp"
#include "device/error.hpp"
#include "device/launch.hpp"
#include "device/simt/memory.hpp"
#include "device/simt/pool.hpp"
#include "device/simt/stream_state.hpp"
#include "device/simt/symbolize.hpp"
#include "device/simt/work_limit.hpp"

namespace warpbench::runtime {
namespace {

constexpr std::int64_t kPinnedAlignment = 4096;

/// Runs `task` in stream order and waits for it, as a GPU does for pageable memory. Throws the stream's error.
void run_and_wait(StreamState& stream, std::function<void()> task) {
  // Fulfilled or, when the task is skipped, broken: `settle` is destroyed with the task either way.
  auto settle = std::make_shared<std::promise<void>>();
  std::future<void> settled = settle->get_future();
  stream.enqueue([task = std::move(task), settle] {
    try {
      task();
    } catch (...) {
      settle->set_exception(std::current_exception());
      throw;
    }
    settle->set_value();
  });
  settle.reset();
  try {
    settled.get();
  } catch (const std::future_error&) {
    stream.drain();
  }
}

void check_device_range(const void* address, std::int64_t bytes, const char* what) {
  const std::string problem = simt::describe_bad_device_range(address, bytes);
  if (!problem.empty()) throw DeviceError(std::string(what) + ": " + problem);
}

void check_host_range(const void* address, const char* what) {
  if (simt::is_device_address(address)) throw DeviceError(std::string(what) + ": device memory given as host memory");
}

std::string extents_text(const Dim3& d) {
  return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
}

/// Throws DeviceError unless the grid is within CUDA's limits.
void check_grid(const void* kernel, const Grid& grid) {
  const Dim3& t = grid.threads;
  const Dim3& b = grid.blocks;
  const bool threads_fit =
      t.x > 0 && t.y > 0 && t.z > 0 && t.x <= 1024 && t.y <= 1024 && t.z <= 64 && t.count() <= simt::kMaxThreads;
  const bool blocks_fit =
      b.x >= 0 && b.y >= 0 && b.z >= 0 && b.x <= std::numeric_limits<int>::max() && b.y <= 65535 && b.z <= 65535;
  std::string problem;
  if (!threads_fit) problem = "a block of " + extents_text(t) + " threads; 1 to 1024 are possible, at most 64 in z";
  if (!blocks_fit) problem = "a grid of " + extents_text(b) + " blocks; at most (2147483647,65535,65535) are possible";
  if (grid.shared_bytes > static_cast<std::size_t>(simt::kSharedBytesPerBlock)) {
    problem = std::to_string(grid.shared_bytes) + " bytes of dynamic shared memory; at most " +
              std::to_string(simt::kSharedBytesPerBlock) + " are possible";
  }
  if (!problem.empty()) throw DeviceError("launch of kernel " + simt::kernel_name(kernel) + ": " + problem);
}

uint3 extents_of(const Dim3& d) {
  return {static_cast<unsigned>(d.x), static_cast<unsigned>(d.y), static_cast<unsigned>(d.z)};
}

}  // namespace

void* allocate(std::int64_t bytes, StreamState&) {
  accounting::count_call("allocate");
  accounting::reserve(bytes, free_memory);
  void* memory = nullptr;
  try {
    memory = simt::map_device_memory(bytes);
  } catch (...) {
    accounting::release(bytes);
    throw;
  }
  if (memory == nullptr) {
    accounting::release(bytes);
    throw accounting::refused_by_device(bytes, free_memory());
  }
  accounting::confirm();
  return memory;
}

void release(void* pointer, std::int64_t bytes, StreamState& stream) noexcept {
  accounting::release(bytes);
  accounting::forget_downloads(pointer, bytes);
  stream.enqueue_always([pointer, &stream] {
    const std::string problem = simt::unmap_device_memory(pointer);
    if (!problem.empty()) stream.keep_error(std::make_exception_ptr(DeviceError("free: " + problem)));
  });
}

void* allocate_pinned(std::int64_t bytes) {
  accounting::count_call("allocate_pinned");
  void* memory = ::operator new (static_cast<std::size_t>(bytes), std::align_val_t{kPinnedAlignment});
  simt::add_pinned_range(memory, bytes);
  return memory;
}

void release_pinned(void* pointer) noexcept {
  wait_for_all_streams();
  simt::remove_pinned_range(pointer);
  ::operator delete (pointer, std::align_val_t{kPinnedAlignment});
}

void register_host(void* pointer, std::int64_t bytes) {
  accounting::count_call("register_host");
  check_host_range(pointer, "register_host");
  simt::add_pinned_range(pointer, bytes);
}

void unregister_host(void* pointer) noexcept {
  simt::remove_pinned_range(pointer);
}

void copy(void* to, const void* from, std::int64_t bytes, Copy kind, StreamState& stream) {
  accounting::count_call("copy");
  const char* what = kind == Copy::kUpload ? "upload" : kind == Copy::kDownload ? "download" : "copy";
  const void* host = kind == Copy::kUpload ? from : to;
  if (kind != Copy::kUpload) check_device_range(from, bytes, what);
  if (kind != Copy::kDownload) check_device_range(to, bytes, what);
  if (kind != Copy::kDeviceToDevice) check_host_range(host, what);
  if (kind == Copy::kDownload) accounting::downloaded(from, bytes);
  auto task = [to, from, bytes, what, kind] {
    // Checked again in stream order: the memory may have been freed in between.
    if (kind != Copy::kUpload) check_device_range(from, bytes, what);
    if (kind != Copy::kDownload) check_device_range(to, bytes, what);
    // CUDA accepts a null pointer for a copy of 0 bytes, memmove does not.
    if (bytes > 0) std::memmove(to, from, static_cast<std::size_t>(bytes));
  };
  if (kind == Copy::kDeviceToDevice || simt::is_pinned_range(host, bytes)) {
    stream.enqueue(std::move(task));
  } else {
    run_and_wait(stream, std::move(task));
  }
}

void fill_bytes(void* to, unsigned char value, std::int64_t bytes, StreamState& stream) {
  fill_pattern(to, &value, 1, bytes, stream);
}

void fill_pattern(void* to, const void* pattern, std::int64_t pattern_bytes, std::int64_t count, StreamState& stream) {
  accounting::count_call("fill");
  check_device_range(to, pattern_bytes * count, "fill");
  const auto* bytes = static_cast<const unsigned char*>(pattern);
  std::vector<unsigned char> unit(bytes, bytes + pattern_bytes);
  stream.enqueue([to, unit = std::move(unit), count] {
    check_device_range(to, static_cast<std::int64_t>(unit.size()) * count, "fill");
    auto* target = static_cast<unsigned char*>(to);
    if (unit.size() == 1) {
      std::memset(target, unit[0], static_cast<std::size_t>(count));
      return;
    }
    for (std::int64_t i = 0; i < count; ++i, target += unit.size()) std::memcpy(target, unit.data(), unit.size());
  });
}

void launch(KernelCall call, const Grid& grid, StreamState& stream) {
  accounting::count_call("launch");
  check_grid(call.kernel, grid);
  if (grid.blocks.count() == 0) return;
  simt::Launch work;
  work.call = std::move(call);
  work.grid = extents_of(grid.blocks);
  work.block = extents_of(grid.threads);
  work.shared_bytes = static_cast<std::int64_t>(grid.shared_bytes);
  work.order = simt::lane_order();
  work.watchdog_seconds = simt::watchdog();
  work.end = simt::end_of_work();
  stream.enqueue([work = std::move(work)] { simt::run_grid(work); });
}

std::int64_t max_resident_blocks(const void* kernel, std::int64_t threads, std::size_t shared_bytes) {
  check_grid(kernel, Grid{1, threads, shared_bytes});
  return simt::pool_threads();
}

}  // namespace warpbench::runtime
