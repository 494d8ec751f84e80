// PlaceList: the places of pairs that kernels find, as many as fit the device twice, there and then on the host.
//
//   list.clear(stream);
//   list.collect(stream, [&](const PlaceSink& sink) { launch(kernel, grid, stream, …, sink); });
//   list.sort(set_count, stream);
//   list.download(stream);                      places() are there once the stream has passed
//
// A kernel adds by whole warps: sink.add(found, place).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>

#include "device/buffer.hpp"
#include "device/device.hpp"
#include "device/digest.cuh"
#include "device/growing.hpp"
#include "device/kernel.hpp"
#include "device/primitives.hpp"
#include "device/stream.hpp"
#include "device/view.hpp"
#include "device/warp.cuh"
#include "problems/sets/pairs.hpp"

namespace warpbench::sets {

/// Where kernels put places. Those beyond the room are counted alone.
struct PlaceSink {
  View<std::uint64_t> places;
  View<DigestWord> count;  ///< one number

  /// Adds the places of the lanes that found one. A whole warp.
  __device__ void add(bool found, std::uint64_t place) const {
    const warp::Slot slot = warp::compact(found);
    if (slot.count == 0) return;
    DigestWord first = 0;
    if (warp::lane() == 0) first = atomicAdd(&count[0], static_cast<DigestWord>(slot.count));
    first = __shfl_sync(kFullMask, first, 0);
    const auto at = static_cast<std::int64_t>(first) + slot.index;
    if (found && at < places.size()) places[at] = place;
  }
};

class PlaceList {
 public:
  /// Takes memory for some places: an eighth of what is free at most.
  void prepare(Stream& stream) {
    constexpr std::int64_t kPlaces = 1 << 20;
    constexpr std::int64_t kPlaceBytes = sizeof(std::uint64_t);
    grow(found_, std::min(kPlaces, free_memory() / 8 / kPlaceBytes), stream);
    count_ = Buffer<DigestWord>(1, stream);
    host_count_ = PinnedBuffer<DigestWord>(1);
  }
  void clear(Stream& stream) {
    size_ = 0;
    count_.fill(0, stream);
  }

  /// enqueue(sink) adds to what is there. Where it finds more than there is room for, room is made and it is called
  /// again, to find the same. Waits for the stream. Throws OutOfDeviceMemory.
  template <typename Enqueue>
  void collect(Stream& stream, const Enqueue& enqueue) {
    for (bool again = false;; again = true) {
      if (again) count_.upload(host_count_.span(), stream);
      enqueue(PlaceSink{found_.view(), count_.view()});
      count_.download(host_count_.span(), stream);
      stream.synchronize();
      const auto found = static_cast<std::int64_t>(host_count_.span()[0]);
      if (found <= found_.size()) {
        size_ = found;
        return;
      }
      grow(found_, found, stream, size_ == 0 ? Contents::lost : Contents::kept);
      host_count_.span()[0] = static_cast<DigestWord>(size_);
    }
  }

  /// Ascending, of pairs of so many sets. Takes as much memory again.
  void sort(std::int64_t sets, Stream& stream) {
    grow(sorted_, size_, stream);
    if (size_ == 0) return;
    const int bits = std::max(1, static_cast<int>(std::bit_width(pairs::count(sets) - 1)));
    sort_keys(std::as_const(found_).view().first(size_), sorted_.view().first(size_), stream, 0, bits);
  }
  /// Enqueues the copy to the host.
  void download(Stream& stream) {
    grow(on_host_, size_);
    sorted_.download(on_host_.span().first(static_cast<std::size_t>(size_)), stream);
  }
  [[nodiscard]] std::span<std::uint64_t> places() { return on_host_.span().first(static_cast<std::size_t>(size_)); }
  [[nodiscard]] std::int64_t size() const { return size_; }

 private:
  std::int64_t size_ = 0;
  Buffer<std::uint64_t> found_;
  Buffer<std::uint64_t> sorted_;
  Buffer<DigestWord> count_;
  PinnedBuffer<DigestWord> host_count_;
  PinnedBuffer<std::uint64_t> on_host_;
};

}  // namespace warpbench::sets
