// The devices of this machine and the memory account of this process: properties, a memory limit that makes
// out-of-core paths testable on any card, peak use, what was downloaded, and injected failures that prove error paths
// work.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpbench {

/// A device's name, sizes in bytes and clocks in kHz, for solvers and reports.
struct DeviceProperties {
  std::string name;
  std::string backend;  ///< "cuda" or "simt"
  int index = 0;        ///< what set_device takes
  int multiprocessors = 0;
  std::int64_t shared_bytes_per_block = 0;  ///< the opt-in maximum of dynamic plus static shared memory
  std::int64_t shared_bytes_per_multiprocessor = 0;
  std::int64_t l2_bytes = 0;
  std::int64_t memory_bytes = 0;
  int warp_size = 32;
  int max_threads_per_block = 1024;
  int max_threads_per_multiprocessor = 0;
  int max_blocks_per_multiprocessor = 0;
  int registers_per_multiprocessor = 0;
  int compute_major = 0;
  int compute_minor = 0;
  std::int64_t clock_khz = 0;         ///< of the multiprocessors; 0 where unknown
  std::int64_t memory_clock_khz = 0;  ///< 0 where unknown
  int memory_bus_bits = 0;            ///< 0 where unknown
  int copy_engines = 0;
  std::string uuid;     ///< as nvidia-smi prints it; empty on simt
  std::string pci_bus;  ///< "0000:1b:00.0"; empty on simt
  std::string driver;   ///< driver and runtime versions; empty on simt
};

/// The backend this program was built for: "cuda" or "simt".
std::string_view backend_name() noexcept;

/// All devices; empty on a machine without a GPU when the backend is cuda.
std::vector<DeviceProperties> devices();

/// Properties of the calling thread's current device. Throws DeviceError without one.
DeviceProperties current_device();

/// Index of the calling thread's current device. Throws DeviceError.
int current_device_index();

/// Makes `index` the calling thread's current device: streams made from now on belong to it. Throws DeviceError.
void set_device(int index);

/// The bytes that live allocations of this process may hold together; nullopt: no limit but the device's memory.
std::optional<std::int64_t> memory_limit() noexcept;
/// nullopt restores the initial limit: $WARPBENCH_DEVICE_MEMORY if set, else 8 GiB on simt and none on cuda. Throws
/// DeviceError if `bytes` is negative.
void set_memory_limit(std::optional<std::int64_t> bytes);

/// Bytes of live allocations, as asked for; the highest value since the start or the last reset.
std::int64_t memory_in_use() noexcept;
std::int64_t peak_memory_in_use() noexcept;
void reset_peak_memory() noexcept;

/// While one lives, device memory that is copied to the host is kept in mind.
class DownloadWatch {
 public:
  DownloadWatch() noexcept;
  DownloadWatch(const DownloadWatch&) = delete;
  DownloadWatch& operator=(const DownloadWatch&) = delete;
  ~DownloadWatch();
};
/// Overwrites the memory that was so kept in mind and has not been freed since, waits, and forgets it. An answer that
/// is not computed anew is then gone. No other work may use that memory meanwhile. Throws DeviceError.
void poison_downloaded();

/// Bytes the next allocations can have: the limit less what is in use, or less if the device has less.
std::int64_t free_memory();

/// The k-th allocation from now (1 = the next) throws OutOfDeviceMemory; 0 cancels. $WARPBENCH_FAIL_ALLOCATION too.
void fail_allocation(std::int64_t k) noexcept;

/// The k-th runtime call from now (1 = the next) throws DeviceError naming the call; 0 cancels. $WARPBENCH_FAIL_CALL.
void fail_call(std::int64_t k) noexcept;

}  // namespace warpbench
