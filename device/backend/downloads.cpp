// The downloads behind poison_downloaded(). One mutex: copies are rare beside kernels.
#include <algorithm>
#include <cstddef>
#include <map>
#include <mutex>

#include "device/backend/accounting.hpp"
#include "device/backend/runtime.hpp"
#include "device/device.hpp"

namespace warpbench {
namespace {

struct Downloads {
  std::mutex mutex;
  int watches = 0;
  std::map<std::byte*, std::int64_t> bytes;  ///< by where they begin
};

Downloads& downloads() {
  static Downloads instance;
  return instance;
}

std::byte* bytes_at(const void* address) {
  return static_cast<std::byte*>(const_cast<void*>(address));
}

}  // namespace

namespace accounting {

void downloaded(const void* from, std::int64_t bytes) {
  Downloads& state = downloads();
  const std::lock_guard lock(state.mutex);
  if (state.watches == 0) return;
  std::int64_t& known = state.bytes[bytes_at(from)];
  known = std::max(known, bytes);
}

void forget_downloads(const void* pointer, std::int64_t bytes) noexcept {
  Downloads& state = downloads();
  const std::lock_guard lock(state.mutex);
  state.bytes.erase(state.bytes.lower_bound(bytes_at(pointer)), state.bytes.lower_bound(bytes_at(pointer) + bytes));
}

}  // namespace accounting

DownloadWatch::DownloadWatch() noexcept {
  const std::lock_guard lock(downloads().mutex);
  ++downloads().watches;
}

DownloadWatch::~DownloadWatch() {
  const std::lock_guard lock(downloads().mutex);
  --downloads().watches;
}

void poison_downloaded() {
  constexpr unsigned char kByte = 0xdb;  // as simt fills new memory
  std::map<std::byte*, std::int64_t> all;
  {
    const std::lock_guard lock(downloads().mutex);
    all.swap(downloads().bytes);
  }
  if (all.empty()) return;
  const runtime::StreamHandle stream = runtime::create_stream();
  for (const auto& [begin, bytes] : all) runtime::fill_bytes(begin, kByte, bytes, *stream);
  runtime::synchronize(*stream);
}

}  // namespace warpbench
