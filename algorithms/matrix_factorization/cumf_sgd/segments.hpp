// The segments of P or of Q: all of them in pinned host memory, some on the device. A segment comes in when a block
// needs it; the one that was not needed for longest goes out. Three streams copy in, run kernels and copy out (yu2023,
// Fig. 3.7); events order them, and the host never waits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "device/buffer.hpp"
#include "device/stream.hpp"
#include "solvers/phases.hpp"

namespace warpbench::matrix_factorization {

struct Streams {
  Stream in;
  Stream kernels;
  Stream out;

  void synchronize() {
    in.synchronize();
    kernels.synchronize();
    out.synchronize();
  }
};

template <typename Factor>
class Segments {
 public:
  /// Band b has the rows bands[b] to bands[b + 1], of `stride` factors each.
  Segments(std::span<const std::int64_t> bands, std::int64_t stride)
      : bands_(bands.begin(), bands.end()), stride_(stride), host_(bands.back() * stride), written_(bands.size() - 1) {}

  /// Takes the device memory of `slots` segments, if it has not yet. Throws OutOfDeviceMemory.
  void allocate(std::int64_t slots, Stream& stream) {
    if (!slots_.empty()) return;
    std::int64_t longest = 0;
    for (std::int64_t band = 0; band < std::ssize(written_); ++band) longest = std::max(longest, rows(band));
    std::vector<Slot> made(static_cast<std::size_t>(slots));
    for (Slot& slot : made) slot.memory = Buffer<Factor>(longest * stride_, stream);
    stream.synchronize();  // other streams use the memory
    slots_ = std::move(made);
  }

  /// All rows. The streams must have passed what was queued before.
  [[nodiscard]] std::span<Factor> host() { return host_.span(); }
  [[nodiscard]] std::int64_t first_row(std::int64_t band) const { return bands_[static_cast<std::size_t>(band)]; }
  [[nodiscard]] std::int64_t rows(std::int64_t band) const { return first_row(band + 1) - first_row(band); }
  /// Bytes that were copied in and out since the last call.
  [[nodiscard]] std::int64_t take_copied_bytes() { return std::exchange(copied_bytes_, 0); }

  /// The device has no segments. The streams must have passed what was queued before.
  void forget() {
    for (Slot& slot : slots_) slot.band = kNoBand;
  }

  /// A segment on the device, for work that is queued on streams.kernels from now on; call used() after that.
  View<Factor> bring(std::int64_t band, Streams& streams, Phases& phases) {
    Slot* slot = find(band);
    if (slot == nullptr) {
      slot = &*std::ranges::min_element(slots_, {}, &Slot::last_use);
      if (slot->band != kNoBand) put_out(*slot, streams, phases);
      streams.in.wait(written_[static_cast<std::size_t>(band)]);
      {
        const auto scope = phases.gpu("copy_in", streams.in);
        slot->memory.upload(of(band), streams.in);
      }
      slot->ready.record(streams.in);
      slot->band = band;
      copied_bytes_ += bytes(band);
    }
    slot->last_use = ++uses_;
    streams.kernels.wait(slot->ready);
    return slot->memory.view().first(rows(band) * stride_);
  }
  /// The work on the segment is queued.
  void used(std::int64_t band, Streams& streams) { find(band)->used.record(streams.kernels); }

  /// Queues a copy to host() of all segments that the device has; they stay there.
  void write_back(Streams& streams, Phases& phases) {
    for (Slot& slot : slots_) {
      if (slot.band != kNoBand) copy_out(slot, streams, phases);
    }
  }

 private:
  static constexpr std::int64_t kNoBand = -1;

  struct Slot {
    Buffer<Factor> memory;
    std::int64_t band = kNoBand;
    std::int64_t last_use = 0;
    Event ready;  ///< copied in
    Event used;   ///< the last kernel is done
  };

  Slot* find(std::int64_t band) {
    const auto slot = std::ranges::find(slots_, band, &Slot::band);
    return slot == slots_.end() ? nullptr : &*slot;
  }
  [[nodiscard]] std::span<Factor> of(std::int64_t band) {
    return host_.span().subspan(static_cast<std::size_t>(first_row(band) * stride_),
                                static_cast<std::size_t>(rows(band) * stride_));
  }
  [[nodiscard]] std::int64_t bytes(std::int64_t band) { return static_cast<std::int64_t>(of(band).size_bytes()); }

  void copy_out(Slot& slot, Streams& streams, Phases& phases) {
    streams.out.wait(slot.used);
    {
      const auto scope = phases.gpu("copy_out", streams.out);
      slot.memory.download(of(slot.band), streams.out);
    }
    written_[static_cast<std::size_t>(slot.band)].record(streams.out);
    copied_bytes_ += bytes(slot.band);
  }
  /// The slot is free for what is queued on streams.in from now on.
  void put_out(Slot& slot, Streams& streams, Phases& phases) {
    copy_out(slot, streams, phases);
    streams.in.wait(written_[static_cast<std::size_t>(slot.band)]);
  }

  std::vector<std::int64_t> bands_;
  std::int64_t stride_;
  PinnedBuffer<Factor> host_;
  std::vector<Event> written_;  ///< of each band: its last copy out
  std::vector<Slot> slots_;
  std::int64_t uses_ = 0;
  std::int64_t copied_bytes_ = 0;
};

}  // namespace warpbench::matrix_factorization
