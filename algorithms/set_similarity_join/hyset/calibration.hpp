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

  /// Of all threads, which share the probing sets evenly. Leaves the side as it was.
  [[nodiscard]] std::vector<CostSample> samples_of(CpuSide& side);
  /// Blocks of probing sets, each joined with all sets before; of few blocks, how much less the join of all takes
  /// without the smallest probing sets. The side's next solve is to begin anew.
  [[nodiscard]] std::vector<CostSample> samples_of(DeviceSide& side) const;
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
  [[nodiscard]] std::vector<CostSample> samples_at(std::int64_t places, CpuSide& side);
  [[nodiscard]] CostSample timed_join(CpuSide::Worker& worker, SetRange probes) const;
  [[nodiscard]] std::vector<CostSample> samples_of_blocks(DeviceSide& side, const std::vector<SetRange>& blocks) const;
  [[nodiscard]] std::vector<CostSample> samples_of_rests(DeviceSide& side) const;

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
