// DeviceSets: an ordered collection on the device.
#pragma once

#include <cstdint>

#include "device/resident.hpp"
#include "device/stream.hpp"
#include "device/view.hpp"
#include "solvers/set_similarity_join/ordered_sets.hpp"

namespace warpbench::similarity {

struct SetsView {
  View<const std::uint64_t> offsets;
  View<const datasets::Token> tokens;
  View<const std::uint32_t> originals;
  View<const std::uint8_t> sides;  ///< empty in a self-join

  [[nodiscard]] WARPBENCH_HOST_DEVICE std::int64_t count() const { return originals.size(); }
  [[nodiscard]] WARPBENCH_HOST_DEVICE std::uint32_t size(std::int64_t i) const {
    return static_cast<std::uint32_t>(offsets[i + 1] - offsets[i]);
  }
  [[nodiscard]] WARPBENCH_HOST_DEVICE View<const datasets::Token> set(std::int64_t i) const {
    const auto begin = static_cast<std::int64_t>(offsets[i]);
    return tokens.subview(begin, static_cast<std::int64_t>(offsets[i + 1]) - begin);
  }
  /// Whether two different sets are joined at all.
  [[nodiscard]] WARPBENCH_HOST_DEVICE bool joins(std::int64_t i, std::int64_t j) const {
    return sides.empty() || sides[i] != sides[j];
  }
};

class DeviceSets {
 public:
  /// Copies the sets to pinned memory, and takes device memory for them. Throws OutOfDeviceMemory.
  void prepare(const OrderedSets& sets, Stream& stream) {
    offsets_.pin(sets.sets.offsets.span());
    tokens_.pin(sets.sets.tokens.span());
    originals_.pin(sets.originals);
    sides_.pin(sets.sides);
    offsets_.allocate(stream);
    tokens_.allocate(stream);
    originals_.allocate(stream);
    sides_.allocate(stream);
  }
  /// Enqueues their copies.
  void upload(Stream& stream) {
    offsets_.upload(stream);
    tokens_.upload(stream);
    originals_.upload(stream);
    sides_.upload(stream);
  }

  [[nodiscard]] SetsView view() const { return {offsets_.view(), tokens_.view(), originals_.view(), sides_.view()}; }
  [[nodiscard]] std::int64_t bytes() const {
    return offsets_.bytes() + tokens_.bytes() + originals_.bytes() + sides_.bytes();
  }

 private:
  Resident<std::uint64_t> offsets_;
  Resident<datasets::Token> tokens_;
  Resident<std::uint32_t> originals_;
  Resident<std::uint8_t> sides_;
};

}  // namespace warpbench::similarity
