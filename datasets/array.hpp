// Array<T>: immutable, shared, contiguous values.
//
// A graph of a billion edges must not be copied when a Dataset is passed around, and it may live in a vector (just
// parsed or generated) or in a memory-mapped cache file. An Array hides the difference: it keeps its owner alive and
// shows the values as a span. Copying it is O(1). The values never change, so any number of threads may read them.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpbench::datasets {

template <typename T>
requires std::is_trivially_copyable_v<T>
class Array {
 public:
  using value_type = T;

  Array() = default;

  /// Takes over the vector's storage without a copy. Implicit, so that a builder can return vectors.
  Array(std::vector<T> values) {  // NOLINT(google-explicit-constructor)
    auto owner = std::make_shared<const std::vector<T>>(std::move(values));
    view_ = std::span<const T>(*owner);
    owner_ = std::move(owner);
  }

  /// Shows `view`, which must stay valid as long as `owner` lives (a mapped file).
  Array(std::shared_ptr<const void> owner, std::span<const T> view) : owner_(std::move(owner)), view_(view) {}

  [[nodiscard]] std::size_t size() const noexcept { return view_.size(); }
  [[nodiscard]] bool empty() const noexcept { return view_.empty(); }
  [[nodiscard]] const T* data() const noexcept { return view_.data(); }
  [[nodiscard]] const T* begin() const noexcept { return view_.data(); }
  [[nodiscard]] const T* end() const noexcept { return view_.data() + view_.size(); }
  [[nodiscard]] const T& operator[](std::size_t index) const noexcept { return view_[index]; }
  [[nodiscard]] const T& front() const noexcept { return view_.front(); }
  [[nodiscard]] const T& back() const noexcept { return view_.back(); }
  [[nodiscard]] std::span<const T> span() const noexcept { return view_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return view_.size_bytes(); }

  /// Compares values; where they are stored does not matter.
  friend bool operator==(const Array& left, const Array& right) noexcept {
    if (left.size() != right.size()) return false;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (!(left[i] == right[i])) return false;
    }
    return true;
  }

 private:
  std::shared_ptr<const void> owner_;
  std::span<const T> view_;
};

}  // namespace warpbench::datasets
