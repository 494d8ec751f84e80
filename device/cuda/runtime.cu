// Memory, copies and launches on a GPU. Device memory comes from CUDA's stream-ordered pool.
#include "device/backend/runtime.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <tuple>
#include <utility>

#include "device/backend/accounting.hpp"
#include "device/cuda/check.hpp"
#include "device/cuda/stream_state.hpp"
#include "device/device.hpp"
#include "device/error.hpp"
#include "device/launch.hpp"
#include "device/ranges.cuh"

namespace warpbench::runtime {
namespace {

using cuda::check;
using cuda::DeviceScope;

template <typename T>
__global__ void fill_kernel(T* to, T value, std::int64_t count) {
  for (const std::int64_t i : grid::strided(count)) to[i] = value;
}

template <typename T>
void fill_with(void* to, const void* pattern, std::int64_t count, StreamState& stream) {
  T value;
  std::memcpy(&value, pattern, sizeof value);
  constexpr int kThreads = 256;
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>(ceil_div(count, kThreads), 65536));
  fill_kernel<<<blocks, kThreads, 0, stream.get()>>>(static_cast<T*>(to), value, count);
  check(cudaGetLastError(), "fill_kernel");
}

std::string name_of(const void* kernel) {
  const char* name = nullptr;
  if (cudaFuncGetName(&name, kernel) != cudaSuccess || name == nullptr) {
    (void)cudaGetLastError();
    return "kernel";
  }
  return std::string("kernel ") + name;
}

/// Opts `kernel` into `shared_bytes` of dynamic shared memory, once for each new maximum and device.
void allow_shared_memory(const void* kernel, std::size_t shared_bytes, int device) {
  static std::mutex mutex;
  static std::map<std::pair<const void*, int>, std::size_t> allowed;
  if (shared_bytes == 0) return;
  const std::lock_guard lock(mutex);
  std::size_t& granted = allowed[{kernel, device}];
  if (shared_bytes <= granted) return;
  const std::string call = "cudaFuncSetAttribute(" + name_of(kernel) + ", " + std::to_string(shared_bytes) +
                           " bytes of dynamic shared memory)";
  if (shared_bytes > static_cast<std::size_t>(std::numeric_limits<int>::max())) throw DeviceError(call + " failed");
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes)),
        call.c_str());
  granted = shared_bytes;
}

dim3 extents_of(const Dim3& extents, const char* what, const void* kernel) {
  const auto fits = [](std::int64_t v) { return v >= 0 && v <= std::numeric_limits<int>::max(); };
  if (!fits(extents.x) || !fits(extents.y) || !fits(extents.z)) {
    throw DeviceError("launch of " + name_of(kernel) + ": " + what + " (" + std::to_string(extents.x) + "," +
                      std::to_string(extents.y) + "," + std::to_string(extents.z) + ") are not possible");
  }
  return dim3(static_cast<unsigned>(extents.x), static_cast<unsigned>(extents.y), static_cast<unsigned>(extents.z));
}

/// After a call that lacked memory: waits until all queued work has freed its own, and takes from the pool what it
/// holds unused. That counts as free, but lies in pieces, and nothing but the pool could have it.
cudaError_t give_back_unused(int device) {
  (void)cudaGetLastError();
  cudaError_t result = cudaDeviceSynchronize();
  cudaMemPool_t pool = nullptr;
  if (result == cudaSuccess) result = cudaDeviceGetDefaultMemPool(&pool, device);
  if (result == cudaSuccess) result = cudaMemPoolTrimTo(pool, 0);
  return result;
}

/// The memory for the local variables of all threads that the device can hold at once, which a launch takes.
std::int64_t local_bytes(const void* kernel, int device) {
  cudaFuncAttributes attributes{};
  if (cudaFuncGetAttributes(&attributes, kernel) != cudaSuccess) {
    (void)cudaGetLastError();
    return 0;  // the kernel was not even loaded: how much that takes is not known
  }
  int threads = 0;
  check(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device), "cudaDeviceGetAttribute");
  int multiprocessors = 0;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
  return static_cast<std::int64_t>(attributes.localSizeBytes) * threads * multiprocessors;
}

}  // namespace

void* allocate(std::int64_t bytes, StreamState& stream) {
  accounting::count_call("allocate");
  const DeviceScope scope(stream.device());
  accounting::reserve(bytes, free_memory);
  void* memory = nullptr;
  cudaError_t result = cudaMallocAsync(&memory, static_cast<std::size_t>(bytes), stream.get());
  if (result == cudaErrorMemoryAllocation) {
    result = give_back_unused(stream.device());
    if (result == cudaSuccess) result = cudaMallocAsync(&memory, static_cast<std::size_t>(bytes), stream.get());
  }
  if (result == cudaSuccess) {
    accounting::confirm();
    return memory;
  }
  accounting::release(bytes);
  if (result == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    throw accounting::refused_by_device(bytes, free_memory());
  }
  check(result, "cudaMallocAsync");
  return nullptr;
}

void release(void* pointer, std::int64_t bytes, StreamState& stream) noexcept {
  accounting::release(bytes);
  accounting::forget_downloads(pointer, bytes);
  try {
    check(cudaFreeAsync(pointer, stream.get()), "cudaFreeAsync");
  } catch (...) {
    stream.keep_error(std::current_exception());
  }
}

void* allocate_pinned(std::int64_t bytes) {
  accounting::count_call("allocate_pinned");
  void* memory = nullptr;
  const cudaError_t result = cudaHostAlloc(&memory, static_cast<std::size_t>(bytes), cudaHostAllocPortable);
  if (result == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    throw std::bad_alloc();  // it is the host that lacks memory
  }
  check(result, "cudaHostAlloc");
  return memory;
}

void release_pinned(void* pointer) noexcept {
  // Fails only after an error that synchronize() has thrown or will throw.
  (void)cudaFreeHost(pointer);
}

void register_host(void* pointer, std::int64_t bytes) {
  accounting::count_call("register_host");
  check(cudaHostRegister(pointer, static_cast<std::size_t>(bytes), cudaHostRegisterPortable), "cudaHostRegister");
}

void unregister_host(void* pointer) noexcept {
  (void)cudaHostUnregister(pointer);
}

void copy(void* to, const void* from, std::int64_t bytes, Copy kind, StreamState& stream) {
  accounting::count_call("copy");
  cudaMemcpyKind direction = cudaMemcpyDeviceToDevice;
  if (kind == Copy::kUpload) direction = cudaMemcpyHostToDevice;
  if (kind == Copy::kDownload) {
    direction = cudaMemcpyDeviceToHost;
    accounting::downloaded(from, bytes);
  }
  check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), direction, stream.get()), "cudaMemcpyAsync");
}

void fill_bytes(void* to, unsigned char value, std::int64_t bytes, StreamState& stream) {
  accounting::count_call("fill");
  const DeviceScope scope(stream.device());
  check(cudaMemsetAsync(to, value, static_cast<std::size_t>(bytes), stream.get()), "cudaMemsetAsync");
}

void fill_pattern(void* to, const void* pattern, std::int64_t pattern_bytes, std::int64_t count, StreamState& stream) {
  const auto* const bytes = static_cast<const unsigned char*>(pattern);
  const bool all_equal = std::all_of(bytes, bytes + pattern_bytes, [&](unsigned char byte) { return byte == *bytes; });
  if (all_equal) return fill_bytes(to, *bytes, pattern_bytes * count, stream);
  accounting::count_call("fill");
  const DeviceScope scope(stream.device());
  switch (pattern_bytes) {
    case 1:
      return fill_with<unsigned char>(to, pattern, count, stream);
    case 2:
      return fill_with<unsigned short>(to, pattern, count, stream);
    case 4:
      return fill_with<unsigned>(to, pattern, count, stream);
    case 8:
      return fill_with<unsigned long long>(to, pattern, count, stream);
    case 16:
      return fill_with<uint4>(to, pattern, count, stream);
    default:
      throw DeviceError("fill: a pattern of " + std::to_string(pattern_bytes) + " bytes is not supported");
  }
}

void launch(const void* kernel, const Grid& grid, StreamState& stream, void** parameters) {
  accounting::count_call("launch");
  const dim3 blocks = extents_of(grid.blocks, "blocks", kernel);
  const dim3 threads = extents_of(grid.threads, "threads", kernel);
  if (grid.blocks.count() == 0) return;
  const DeviceScope scope(stream.device());
  allow_shared_memory(kernel, grid.shared_bytes, stream.device());
  const auto start = [&] {
    return cudaLaunchKernel(kernel, blocks, threads, parameters, grid.shared_bytes, stream.get());
  };
  cudaError_t result = start();
  if (result == cudaErrorMemoryAllocation) {
    result = give_back_unused(stream.device());
    if (result == cudaSuccess) result = start();
  }
  if (result == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    throw accounting::refused_by_device(local_bytes(kernel, stream.device()), free_memory());
  }
  if (result != cudaSuccess) {
    const std::string call = "launch of " + name_of(kernel) + " with " + std::to_string(grid.blocks.count()) +
                             " blocks of " + std::to_string(grid.threads.count()) + " threads and " +
                             std::to_string(grid.shared_bytes) + " bytes of dynamic shared memory";
    check(result, call.c_str());
  }
}

std::int64_t max_resident_blocks(const void* kernel, std::int64_t threads, std::size_t shared_bytes) {
  accounting::count_call("max_resident_blocks");
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  allow_shared_memory(kernel, shared_bytes, device);
  // Asked once: many launches of a few microseconds ask again and again.
  static std::mutex mutex;
  static std::map<std::tuple<const void*, int, std::int64_t, std::size_t>, std::int64_t> known;
  const std::lock_guard lock(mutex);
  const std::tuple<const void*, int, std::int64_t, std::size_t> question{kernel, device, threads, shared_bytes};
  if (const auto answer = known.find(question); answer != known.end()) return answer->second;
  int per_multiprocessor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, static_cast<int>(threads),
                                                      shared_bytes),
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  int multiprocessors = 0;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
  return known[question] = static_cast<std::int64_t>(per_multiprocessor) * multiprocessors;
}

}  // namespace warpbench::runtime
