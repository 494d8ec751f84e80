// Arena: device memory taken once, so that nothing is allocated in a solve. Parts are taken one after the other and
// given back all together, or down to a mark.
//
//   Arena arena(free_memory() / 16 * 15, stream, 1 << 20);       in prepare(); the last: pinned bytes for put()
//   arena.reset();                                               at the start of each query
//   const View<std::int64_t> bounds = arena.take<std::int64_t>(rows + 1);
//   const View<const Edge> edges = arena.put(std::span(host_edges), stream);     a device copy of a small table
//   const auto [labels, slots] = arena.put_all(stream, std::span(host_labels), std::span(host_slots));     by one copy
//   const Arena::Mark mark = arena.mark(); …; arena.release(mark);               last in, first out
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>

#include "device/buffer.hpp"
#include "device/error.hpp"
#include "device/integers.hpp"
#include "device/stream.hpp"

namespace warpbench {

class Arena {
 public:
  /// The amount that was taken at some time.
  struct Mark {
    std::int64_t used = 0;
    std::int64_t staged = 0;
  };

  Arena() = default;
  /// `bytes` on the device, and `staged_bytes` pinned ones for what put() copies. Throws OutOfDeviceMemory.
  Arena(std::int64_t bytes, Stream& stream, std::int64_t staged_bytes = 0)
      : own_(bytes, stream), memory_(own_.view()), staging_(staged_bytes) {}
  /// In memory of another owner, aligned to 256 bytes, which outlives this.
  explicit Arena(View<std::byte> memory, std::int64_t staged_bytes = 0) : memory_(memory), staging_(staged_bytes) {}

  /// Everything is free again, and the peak 0. The device must have passed the last put().
  void reset() noexcept {
    mark_ = {};
    peak_ = 0;
  }
  [[nodiscard]] Mark mark() const noexcept { return mark_; }
  /// Frees all that was taken since `mark`. The device must have passed what was put since then.
  void release(const Mark& mark) noexcept { mark_ = mark; }

  [[nodiscard]] std::int64_t left() const noexcept { return memory_.size() - mark_.used; }
  /// The most bytes in use at a time since reset().
  [[nodiscard]] std::int64_t peak() const noexcept { return peak_; }

  /// `count` elements, aligned to 256 bytes, uninitialised. Throws OutOfDeviceMemory, std::length_error.
  template <typename T>
  [[nodiscard]] View<T> take(std::int64_t count) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= kAlignment);
    const std::int64_t bytes = round_up(detail::checked_bytes<T>(count), kAlignment);
    if (bytes > left()) throw OutOfDeviceMemory(bytes, left());
    auto* const at = reinterpret_cast<T*>(memory_.data() + mark_.used);
    mark_.used += bytes;
    peak_ = std::max(peak_, mark_.used);
    return View<T>(at, count);
  }

  /// A copy of `values` on the device, in stream order; the values may change at once. Throws OutOfDeviceMemory, and
  /// std::length_error where the pinned bytes do not suffice.
  template <typename T>
  [[nodiscard]] View<const std::remove_const_t<T>> put(std::span<T> values, Stream& stream) {
    return std::get<0>(put_all(stream, values));
  }
  /// The same of several tables, by one copy.
  template <typename... T>
  [[nodiscard]] std::tuple<View<const std::remove_const_t<T>>...> put_all(Stream& stream, std::span<T>... values) {
    const Mark begin = mark_;
    const std::tuple<View<const std::remove_const_t<T>>...> copies{stage(values)...};
    // Both sides round the tables up alike, so that they lie side by side on both.
    const std::int64_t bytes = mark_.staged - begin.staged;
    if (bytes == 0) return copies;
    runtime::copy(memory_.data() + begin.used, staging_.span().data() + begin.staged, bytes, runtime::Copy::kUpload,
                  *stream.handle());
    return copies;
  }

 private:
  static constexpr std::int64_t kAlignment = 256;

  /// The place of `values` on the device, once what is pinned is copied there.
  template <typename T>
  View<const std::remove_const_t<T>> stage(std::span<T> values) {
    const auto bytes = static_cast<std::int64_t>(values.size_bytes());
    if (bytes > staging_.size() - mark_.staged) {
      throw std::length_error("an arena's put() needs more than its " + std::to_string(staging_.size()) +
                              " pinned bytes");
    }
    const auto place = take<std::remove_const_t<T>>(static_cast<std::int64_t>(values.size()));
    std::ranges::copy(std::as_bytes(values), staging_.span().data() + mark_.staged);
    mark_.staged = std::min(mark_.staged + round_up(bytes, kAlignment), staging_.size());
    return place;
  }

  Buffer<std::byte> own_;
  View<std::byte> memory_;
  PinnedBuffer<std::byte> staging_;
  Mark mark_;
  std::int64_t peak_ = 0;
};

}  // namespace warpbench
