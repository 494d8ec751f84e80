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
  /// The sets are on the device, they and `builder` outlive it, and they are not empty. Builds an index of all of them.
  /// Throws OutOfDeviceMemory.
  Calibration(const OrderedSets& sets, const Bounds& bounds, std::int64_t block_size, const SetsView& device_sets,
              IndexBuilder& builder, Stream& stream);

  /// Of all threads, which share the probing sets evenly. Where the whole join should take less than a tenth of a
  /// second, it is the sample; else some probing sets are, from the first to the last. Drops the side's answer.
  [[nodiscard]] std::vector<CostSample> cost_of(CpuSide& side);
  /// Some probing sets, each joined with all sets before; where all are few, how much less their join takes without the
  /// smallest ones. The side's next solve is to begin anew.
  [[nodiscard]] DeviceCost cost_of(DeviceSide& side) const;
  /// Of a side that has all sets.
  [[nodiscard]] double seconds_of_all(const std::vector<CostSample>& samples) const {
    return seconds_before(samples, cuts()).back();
  }
  /// Of an index of the sets before each of cuts(): it takes a time however small it is, and the rest by its tokens.
  [[nodiscard]] std::vector<double> index_seconds() const;
  /// Where a join may be cut: ascending, from no set to all.
  [[nodiscard]] std::vector<std::int64_t> cuts() const;

 private:
  [[nodiscard]] std::vector<CostSample> samples_of_join(CpuSide& side);
  [[nodiscard]] std::vector<CostSample> samples_at(std::int64_t places, CpuSide& side) const;
  [[nodiscard]] CostSample timed_join(CpuSide::Worker& worker, SetRange probes) const;
  [[nodiscard]] DeviceCost cost_of_parts(DeviceSide& side, const std::vector<SetRange>& parts) const;
  [[nodiscard]] DeviceCost cost_of_rests(DeviceSide& side) const;

  const OrderedSets* sets_;
  Bounds bounds_;
  std::int64_t block_size_;
  SetsView device_sets_;
  IndexBuilder* builder_;
  Stream* stream_;
  double least_index_seconds_ = 0;
  double whole_index_seconds_ = 0;
  PrefixIndex index_;
};

}  // namespace warpbench::similarity
