// QueryMemory: the device memory that fsig's queries share, taken once. A query takes parts of it one after the other
// and gives all back at its end, so that nothing is allocated while it runs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "device/buffer.hpp"
#include "device/stream.hpp"

namespace warpbench::matching::fsig {

class QueryMemory {
 public:
  QueryMemory() = default;
  /// `bytes` on the device, and so many pinned ones for what a query uploads. Throws OutOfDeviceMemory.
  QueryMemory(std::int64_t bytes, std::int64_t staged_bytes, Stream& stream)
      : memory_(bytes, stream), staged_(staged_bytes) {}

  /// Everything is free again. What the last query enqueued must have passed.
  void begin() {
    used_ = 0;
    peak_ = 0;
    staged_used_ = 0;
  }
  [[nodiscard]] std::int64_t left() const { return memory_.size() - used_; }
  /// The most bytes in use since begin().
  [[nodiscard]] std::int64_t peak() const { return peak_; }

  /// Aligned to 256 bytes, uninitialised. Throws OutOfDeviceMemory.
  template <typename T>
  View<T> take(std::int64_t count) {
    const std::int64_t bytes = rounded(detail::checked_bytes<T>(count));
    if (bytes > left()) throw OutOfDeviceMemory(bytes, left());
    auto* const at = reinterpret_cast<T*>(memory_.data() + used_);
    used_ += bytes;
    peak_ = std::max(peak_, used_);
    return View<T>(at, count);
  }

  /// A device copy of `values`, in stream order; the values may change at once.
  template <typename T>
  View<const T> put(std::span<const T> values, Stream& stream) {
    const auto bytes = static_cast<std::int64_t>(values.size_bytes());
    if (bytes > staged_.size() - staged_used_) {
      throw std::length_error("a query's tables need more than the " + std::to_string(staged_.size()) +
                              " bytes set aside for them");
    }
    const View<T> copy = take<T>(static_cast<std::int64_t>(values.size()));
    if (values.empty()) return copy;
    std::byte* const staged = staged_.span().data() + staged_used_;
    std::ranges::copy(std::as_bytes(values), staged);
    staged_used_ += rounded(bytes);
    runtime::copy(copy.data(), staged, bytes, runtime::Copy::kUpload, *stream.handle());
    return copy;
  }

 private:
  static constexpr std::int64_t kAlignment = 256;
  static std::int64_t rounded(std::int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

  Buffer<std::byte> memory_;
  PinnedBuffer<std::byte> staged_;
  std::int64_t used_ = 0;
  std::int64_t peak_ = 0;
  std::int64_t staged_used_ = 0;
};

}  // namespace warpbench::matching::fsig
