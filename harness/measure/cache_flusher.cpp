#include "harness/measure/cache_flusher.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "device/buffer.hpp"
#include "device/device.hpp"

namespace warpbench::harness {
namespace {

/// Twice the last-level cache if the system reports its size, and at least 64 MiB.
std::size_t host_bytes() {
  const long last_level = ::sysconf(_SC_LEVEL3_CACHE_SIZE);
  return std::max<std::size_t>(64U << 20U, last_level > 0 ? 2 * static_cast<std::size_t>(last_level) : 0);
}

}  // namespace

struct CacheFlusher::Memory {
  std::unique_ptr<Stream> stream;
  Buffer<unsigned char> device;
  std::vector<unsigned char> host;
  unsigned char value = 0;
};

CacheFlusher::CacheFlusher(bool gpu) : memory_(std::make_unique<Memory>()) {
  if (!gpu) {
    memory_->host.resize(host_bytes());
    return;
  }
  memory_->stream = std::make_unique<Stream>();
  const std::int64_t bytes = 2 * std::max<std::int64_t>(current_device().l2_bytes, 1 << 20);
  memory_->device = Buffer<unsigned char>(bytes, *memory_->stream);
}

CacheFlusher::CacheFlusher(CacheFlusher&&) noexcept = default;
CacheFlusher& CacheFlusher::operator=(CacheFlusher&&) noexcept = default;
CacheFlusher::~CacheFlusher() = default;

void CacheFlusher::flush() {
  Memory& memory = *memory_;
  ++memory.value;
  if (memory.stream) {
    memory.device.fill_bytes(memory.value, *memory.stream);
    memory.stream->synchronize();
  } else {
    std::ranges::fill(memory.host, memory.value);
    // Makes the compiler believe that the memory is read.
    asm volatile("" : : "r"(memory.host.data()) : "memory");
  }
}

}  // namespace warpbench::harness
