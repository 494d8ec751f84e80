// View<T>: an address with a 64-bit size, which kernels take instead of a bare pointer. Trivially copyable.
// On simt every operator[] is checked and an index out of range is reported with kernel, block and thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(__CUDACC__)
#define WARPBENCH_HOST_DEVICE __host__ __device__ __forceinline__
#else
#define WARPBENCH_HOST_DEVICE inline __attribute__((always_inline))
#endif

namespace warpbench {

#if defined(WARPBENCH_SIMT)
namespace simt {
/// Ends the running kernel thread (or throws DeviceError on the host): view[index] with `size` elements.
[[noreturn]] void report_index(const void* data, std::int64_t index, std::int64_t size);
}  // namespace simt
#endif

/// `size` elements of T from `data` on; owns nothing. View<T> converts to View<const T>.
template <typename T>
class View {
 public:
  using value_type = std::remove_cv_t<T>;

  View() = default;
  WARPBENCH_HOST_DEVICE constexpr View(T* data, std::int64_t size) : data_(data), size_(size) {}

  template <typename U>
  requires(!std::is_same_v<U, T> && std::is_convertible_v<U (*)[], T (*)[]>)
      // Implicit, as for std::span: a kernel that only reads takes View<const T>.
      WARPBENCH_HOST_DEVICE constexpr View(const View<U>& other)
      : data_(other.data()), size_(other.size()) {}

  WARPBENCH_HOST_DEVICE constexpr T* data() const { return data_; }
  WARPBENCH_HOST_DEVICE constexpr std::int64_t size() const { return size_; }
  WARPBENCH_HOST_DEVICE constexpr std::int64_t bytes() const { return size_ * static_cast<std::int64_t>(sizeof(T)); }
  WARPBENCH_HOST_DEVICE constexpr bool empty() const { return size_ == 0; }
  WARPBENCH_HOST_DEVICE constexpr T* begin() const { return data_; }
  WARPBENCH_HOST_DEVICE constexpr T* end() const { return data_ + size_; }

  /// Element `index`, 0 <= index < size(): checked on simt, unchecked on cuda.
  WARPBENCH_HOST_DEVICE constexpr T& operator[](std::int64_t index) const {
#if defined(WARPBENCH_SIMT)
    if (static_cast<std::uint64_t>(index) >= static_cast<std::uint64_t>(size_)) [[unlikely]] {
      simt::report_index(data_, index, size_);
    }
#endif
    return data_[index];
  }

  /// `count` elements from `offset` on; offset + count <= size(), checked on simt.
  WARPBENCH_HOST_DEVICE constexpr View subview(std::int64_t offset, std::int64_t count) const {
#if defined(WARPBENCH_SIMT)
    if (offset < 0 || offset > size_) [[unlikely]]
      simt::report_index(data_, offset, size_);
    if (count < 0 || count > size_ - offset) [[unlikely]]
      simt::report_index(data_, offset + count, size_);
#endif
    return View(data_ + offset, count);
  }
  WARPBENCH_HOST_DEVICE constexpr View first(std::int64_t count) const {
    return subview(0, count);
  }

 private:
  T* data_ = nullptr;
  std::int64_t size_ = 0;
};

}  // namespace warpbench
