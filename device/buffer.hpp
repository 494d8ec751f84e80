// Device memory with an owner: Buffer<T> (stream-ordered pool allocation), PinnedBuffer<T> (page-locked host
// memory) and PinnedRegion (page-locks memory that someone else owns). Sizes are 64-bit throughout.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "device/backend/runtime.hpp"
#include "device/error.hpp"
#include "device/stream.hpp"
#include "device/view.hpp"

namespace warpbench {

namespace detail {

/// count * sizeof(T) in bytes; throws std::length_error if negative or more than 2^63 - 1.
template <typename T>
std::int64_t checked_bytes(std::int64_t count) {
  constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
  if (count < 0 || count > std::numeric_limits<std::int64_t>::max() / kSize) {
    throw std::length_error("a buffer cannot have " + std::to_string(count) + " elements");
  }
  return count * kSize;
}

/// Throws std::length_error unless [offset, offset + count) lies within [0, size).
inline void check_range(std::int64_t offset, std::int64_t count, std::int64_t size, const char* what) {
  if (offset < 0 || count < 0 || offset > size || count > size - offset) {
    throw std::length_error(std::string(what) + " of elements [" + std::to_string(offset) + ", +" +
                            std::to_string(count) + ") of a buffer of " + std::to_string(size));
  }
}

}  // namespace detail

/// `size()` elements of T in device memory, uninitialised (poisoned on simt). Allocated and freed in the order of
/// the stream it was made with: use on another stream needs an Event both ways. Move-only; may outlive the Stream.
template <typename T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>, "device memory holds trivially copyable types");

 public:
  Buffer() = default;

  /// Throws OutOfDeviceMemory, std::length_error. A count of 0 allocates nothing.
  Buffer(std::int64_t count, Stream& stream) : stream_(stream.handle()) {
    const std::int64_t bytes = detail::checked_bytes<T>(count);
    if (bytes > 0) data_ = static_cast<T*>(runtime::allocate(bytes, *stream_));
    size_ = count;
  }

  /// Allocates and uploads `host`.
  Buffer(std::span<const T> host, Stream& stream) : Buffer(static_cast<std::int64_t>(host.size()), stream) {
    upload(host, stream);
  }

  Buffer(Buffer&& other) noexcept
      : stream_(std::move(other.stream_)),
        data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    if (this != &other) {
      reset();
      stream_ = std::move(other.stream_);
      data_ = std::exchange(other.data_, nullptr);
      size_ = std::exchange(other.size_, 0);
    }
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { reset(); }

  /// Frees the memory in stream order; size() becomes 0.
  void reset() noexcept {
    if (data_ != nullptr) runtime::release(data_, bytes(), *stream_);
    data_ = nullptr;
    size_ = 0;
  }

  std::int64_t size() const noexcept { return size_; }
  std::int64_t bytes() const noexcept { return size_ * static_cast<std::int64_t>(sizeof(T)); }
  bool empty() const noexcept { return size_ == 0; }
  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  View<T> view() noexcept { return View<T>(data_, size_); }
  View<const T> view() const noexcept { return View<const T>(data_, size_); }

  /// Copies `host` to elements [offset, offset + host.size()), in stream order. Pageable memory may be reused at
  /// once; pinned memory only after the stream has passed. Throws std::length_error, DeviceError.
  void upload(std::span<const T> host, Stream& stream, std::int64_t offset = 0) {
    const auto count = static_cast<std::int64_t>(host.size());
    detail::check_range(offset, count, size_, "upload");
    if (count == 0) return;
    runtime::copy(data_ + offset, host.data(), detail::checked_bytes<T>(count), runtime::Copy::kUpload,
                  *stream.handle());
  }

  /// Copies elements [offset, offset + host.size()) to `host`. Into pageable memory it returns when done (and throws
  /// what failed before it); into pinned memory the values are there once the stream has passed.
  void download(std::span<T> host, Stream& stream, std::int64_t offset = 0) const {
    const auto count = static_cast<std::int64_t>(host.size());
    detail::check_range(offset, count, size_, "download");
    if (count == 0) return;
    runtime::copy(host.data(), data_ + offset, detail::checked_bytes<T>(count), runtime::Copy::kDownload,
                  *stream.handle());
  }

  /// All elements, after synchronising the stream.
  std::vector<T> to_vector(Stream& stream) const {
    static_assert(!std::is_same_v<T, bool>, "std::vector<bool> has no elements to copy to");
    std::vector<T> host(static_cast<std::size_t>(size_));
    download(host, stream);
    stream.synchronize();
    return host;
  }

  /// Sets all elements to `value`, in stream order. T of 1, 2, 4, 8 or 16 bytes.
  void fill(const T& value, Stream& stream) {
    static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);
    if (size_ > 0) runtime::fill_pattern(data_, &value, sizeof(T), size_, *stream.handle());
  }

  /// Sets all bytes to `value`, in stream order.
  void fill_bytes(unsigned char value, Stream& stream) {
    if (size_ > 0) runtime::fill_bytes(data_, value, bytes(), *stream.handle());
  }

  /// Copies all of `other`, device to device, to elements from `offset` on.
  void copy_from(const Buffer& other, Stream& stream, std::int64_t offset = 0) {
    copy_from(other.view(), stream, offset);
  }
  void copy_from(View<const T> other, Stream& stream, std::int64_t offset = 0) {
    detail::check_range(offset, other.size(), size_, "copy");
    if (other.empty()) return;
    runtime::copy(data_ + offset, other.data(), other.bytes(), runtime::Copy::kDeviceToDevice, *stream.handle());
  }

 private:
  runtime::StreamHandle stream_;
  T* data_ = nullptr;
  std::int64_t size_ = 0;
};

/// `size()` value-initialised elements in page-locked host memory, which both sides can address. Move-only.
/// The device must have passed all its uses before it is destroyed.
template <typename T>
class PinnedBuffer {
  static_assert(std::is_trivially_copyable_v<T>, "device memory holds trivially copyable types");

 public:
  PinnedBuffer() = default;
  /// Throws DeviceError, std::length_error.
  explicit PinnedBuffer(std::int64_t count) {
    const std::int64_t bytes = detail::checked_bytes<T>(count);
    if (bytes > 0) data_ = static_cast<T*>(runtime::allocate_pinned(bytes));
    size_ = count;
    for (T& element : span()) element = T{};
  }
  /// A copy of `host`. Throws DeviceError.
  explicit PinnedBuffer(std::span<const T> host) : size_(static_cast<std::int64_t>(host.size())) {
    if (host.empty()) return;
    data_ = static_cast<T*>(runtime::allocate_pinned(static_cast<std::int64_t>(host.size_bytes())));
    std::ranges::copy(host, data_);
  }
  PinnedBuffer(PinnedBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;
  ~PinnedBuffer() {
    if (data_ != nullptr) runtime::release_pinned(data_);
  }

  std::int64_t size() const noexcept { return size_; }
  std::span<T> span() noexcept { return {data_, static_cast<std::size_t>(size_)}; }
  std::span<const T> span() const noexcept { return {data_, static_cast<std::size_t>(size_)}; }
  View<T> view() noexcept { return View<T>(data_, size_); }
  View<const T> view() const noexcept { return View<const T>(data_, size_); }
  T& operator[](std::int64_t index) noexcept { return data_[index]; }
  const T& operator[](std::int64_t index) const noexcept { return data_[index]; }

 private:
  T* data_ = nullptr;
  std::int64_t size_ = 0;
};

/// Page-locks host memory of another owner for its own lifetime, so that copies from it are asynchronous.
class PinnedRegion {
 public:
  template <typename T>
  explicit PinnedRegion(std::span<T> host)
      : pointer_(host.empty() ? nullptr : const_cast<std::remove_const_t<T>*>(host.data())) {
    if (pointer_ != nullptr) runtime::register_host(pointer_, static_cast<std::int64_t>(host.size_bytes()));
  }
  PinnedRegion(PinnedRegion&& other) noexcept : pointer_(std::exchange(other.pointer_, nullptr)) {}
  PinnedRegion& operator=(PinnedRegion&& other) noexcept {
    std::swap(pointer_, other.pointer_);
    return *this;
  }
  PinnedRegion(const PinnedRegion&) = delete;
  PinnedRegion& operator=(const PinnedRegion&) = delete;
  ~PinnedRegion() {
    if (pointer_ != nullptr) runtime::unregister_host(pointer_);
  }

 private:
  void* pointer_ = nullptr;
};

}  // namespace warpbench
