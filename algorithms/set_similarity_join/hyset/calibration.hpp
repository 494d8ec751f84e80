// Calibration: times some probing sets of either side of HySet, so that techniques and a split can be chosen by what
// they cost on these sets and this machine.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/set_similarity_join/hyset/cpu_side.hpp"
#include "algorithms/set_similarity_join/hyset/device_side.hpp"
#include "algorithms/set_similarity_join/hyset/index_builder.hpp"
#include "algorithms/set_similarity_join/hyset/split_model.hpp"

namespace warpbench::similarity {

class Calibration {
 public:
  /// The sets are on the device and outlive it, and are not empty. Builds an index of all of them. Throws
  /// OutOfDeviceMemory.
  Calibration(const OrderedSets& sets, const Bounds& bounds, std::int64_t block_size, const SetsView& device_sets,
              IndexBuilder& builder, Stream& stream);

  /// Of all threads, which share the probing sets evenly. Leaves the side as it was.
  [[nodiscard]] std::vector<CostSample> samples_of(CpuSide& side) const;
  /// Whole blocks of probing sets, each joined with all sets before. The side's next solve is to begin anew.
  [[nodiscard]] std::vector<CostSample> samples_of(DeviceSide& side) const;
  /// Of a side that has all sets.
  [[nodiscard]] double seconds_of_all(const std::vector<CostSample>& samples) const {
    return seconds_before(samples, cuts()).back();
  }
  /// Where a join may be cut: ascending, from no set to all.
  [[nodiscard]] std::vector<std::int64_t> cuts() const;

 private:
  const OrderedSets* sets_;
  Bounds bounds_;
  std::int64_t block_size_;
  SetsView device_sets_;
  Stream* stream_;
  PrefixIndex index_;
};

}  // namespace warpbench::similarity
