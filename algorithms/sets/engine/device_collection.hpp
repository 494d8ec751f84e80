// DeviceCollection: a collection of sets that a device works on.
#pragma once

#include <cstdint>

#include "algorithms/sets/engine/pair_tile.cuh"
#include "datasets/sets.hpp"
#include "device/resident.hpp"

namespace warpbench::sets {

class DeviceCollection {
 public:
  /// Copies the sets to pinned memory, and takes device memory for them. Throws OutOfDeviceMemory.
  void prepare(const datasets::SetCollection& sets, Stream& stream) {
    count_ = sets.count();
    offsets_.pin(sets.offsets.span());
    tokens_.pin(sets.tokens.span());
    offsets_.allocate(stream);
    tokens_.allocate(stream);
  }
  void upload(Stream& stream) {
    offsets_.upload(stream);
    tokens_.upload(stream);
  }
  [[nodiscard]] DeviceSets view() const { return {offsets_.view(), tokens_.view(), count_}; }
  [[nodiscard]] std::int64_t bytes() const { return offsets_.bytes() + tokens_.bytes(); }

 private:
  std::int64_t count_ = 0;
  Resident<std::uint64_t> offsets_;
  Resident<std::uint32_t> tokens_;
};

}  // namespace warpbench::sets
