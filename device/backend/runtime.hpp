// The untyped calls that a backend implements (device/cuda/, device/simt/); Stream, Buffer and launch() are thin
// covers over them. Sizes are bytes. All throw DeviceError with the call's name unless they are noexcept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace warpbench {
struct Grid;
}

namespace warpbench::runtime {

struct StreamState;
struct EventState;
using StreamHandle = std::shared_ptr<StreamState>;
using EventHandle = std::shared_ptr<EventState>;

StreamHandle create_stream();
void synchronize(StreamState& stream);
void run_on_host(StreamState& stream, std::function<void()> function);

EventHandle create_event();
void record(const EventHandle& event, StreamState& stream);
void wait(StreamState& stream, const EventHandle& event);
void synchronize(EventState& event);
bool ready(const EventState& event);
double seconds_between(const EventState& start, const EventState& stop);

/// Stream-ordered device memory, aligned to 256 bytes; `bytes` > 0. Throws OutOfDeviceMemory.
void* allocate(std::int64_t bytes, StreamState& stream);
/// Stream-ordered; `bytes` as allocated.
void release(void* pointer, std::int64_t bytes, StreamState& stream) noexcept;

/// Page-locked host memory that kernels may address, too.
void* allocate_pinned(std::int64_t bytes);
void release_pinned(void* pointer) noexcept;
/// Page-locks existing host memory until unregister_host.
void register_host(void* pointer, std::int64_t bytes);
void unregister_host(void* pointer) noexcept;

enum class Copy { kUpload, kDownload, kDeviceToDevice };
/// Stream-ordered. Pageable host memory may be reused when the call returns; pinned memory when the stream has passed.
void copy(void* to, const void* from, std::int64_t bytes, Copy kind, StreamState& stream);
void fill_bytes(void* to, unsigned char value, std::int64_t bytes, StreamState& stream);
/// Writes `count` copies of the `pattern_bytes` (1, 2, 4, 8 or 16) at `pattern`.
void fill_pattern(void* to, const void* pattern, std::int64_t pattern_bytes, std::int64_t count, StreamState& stream);

#if defined(WARPBENCH_CUDA)
/// `kernel` is a __global__ function's address, `parameters` point at the kernel's parameters.
void launch(const void* kernel, const Grid& grid, StreamState& stream, void** parameters);
#else
/// `body` calls the kernel for one thread; `parameters` (of `parameter_bytes`) is what body reads.
struct KernelCall {
  const void* kernel = nullptr;
  std::shared_ptr<const void> parameters;
  std::int64_t parameter_bytes = 0;
  void (*body)(const void* kernel, const void* parameters) = nullptr;
};
void launch(KernelCall call, const Grid& grid, StreamState& stream);
#endif

/// Blocks of `threads` with `shared_bytes` of dynamic shared memory that are resident on the whole device at once.
std::int64_t max_resident_blocks(const void* kernel, std::int64_t threads, std::size_t shared_bytes);

}  // namespace warpbench::runtime
