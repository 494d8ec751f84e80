// Calibration: times some probing sets of either side of HySet, so that techniques and a split can be chosen by what
// they cost on these sets and this machine.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/set_similarity_join/hyset/cpu_side.hpp"
#include "algorithms/set_similarity_join/hyset/device_side.hpp"
#include "algorithms/set_similarity_join/hyset/index_builder.hpp"
#include "algorithms/set_similarity_join/hyset/split_model.hpp"

namespace warpbench::similarity {

/// What was measured of the device: what it takes however little it has to do, and what its work takes besides.
struct DeviceCost {
  double least_seconds = 0;
  std::vector<CostSample> samples;
  bool is_by_pairs = false;  ///< samples are of pairs of blocks, by their larger block, else of probing sets
};

class Calibration {
 public:
  /// The sets are on the device, they and `builder` outlive it, and they are not empty. Builds an index of all of them.
  /// Throws OutOfDeviceMemory.
  Calibration(const OrderedSets& sets, const Bounds& bounds, std::int64_t block_size, const SetsView& device_sets,
              IndexBuilder& builder, Stream& stream);

  /// Of all threads, which share the probing sets evenly. Where the whole join should take less than a quarter of a
  /// second, it is the sample; else some probing sets are, from the first to the last. Drops the side's answer.
  [[nodiscard]] std::vector<CostSample> cost_of(CpuSide& side);
  /// Some probing sets, each joined with all sets before; where all are few, how much less their join takes without the
  /// smallest ones. Nothing if it takes so much more than `seconds_to_beat` that a share of the join is hardly worth
  /// giving to this side. The side's next solve is to begin anew.
  [[nodiscard]] std::optional<DeviceCost> cost_of(DeviceSide& side, double seconds_to_beat) const;
  /// Of a CPU side that has all sets.
  [[nodiscard]] double seconds_of_all(const std::vector<CostSample>& samples) const {
    return seconds_before(samples, places()).back();
  }
  /// The cut that leaves the device nothing.
  [[nodiscard]] Cut cut_of_cpu(const std::vector<CostSample>& cpu) const {
    return {sets_->count(), index_seconds(sets_->count()), seconds_of_all(cpu), 0};
  }
  /// Where a join may be cut, ascending from no set to all, and what each cut should take.
  [[nodiscard]] std::vector<Cut> cuts(const std::vector<CostSample>& cpu, const DeviceCost& device) const;

 private:
  [[nodiscard]] std::vector<std::int64_t> places() const;
  /// Of an index of the sets before `place`: it takes a time however small it is, and the rest by its tokens.
  [[nodiscard]] double index_seconds(std::int64_t place) const;
  /// Of the device with the sets behind each of `places`.
  [[nodiscard]] std::vector<double> seconds_behind(const DeviceCost& cost,
                                                   const std::vector<std::int64_t>& places) const;
  [[nodiscard]] std::vector<double> seconds_of_pairs_behind(const std::vector<CostSample>& samples,
                                                            const std::vector<std::int64_t>& places) const;
  [[nodiscard]] std::vector<CostSample> samples_of_join(CpuSide& side);
  [[nodiscard]] std::vector<CostSample> samples_at(std::int64_t places, CpuSide& side);
  void renew_index();
  [[nodiscard]] std::vector<std::int64_t> sampled_sets(std::int64_t places) const;
  [[nodiscard]] CostSample timed_join(CpuSide::Worker& worker, SetRange probes) const;
  [[nodiscard]] std::optional<DeviceCost> cost_of_parts(DeviceSide& side, const std::vector<SetRange>& parts,
                                                        double most_seconds) const;
  [[nodiscard]] std::optional<DeviceCost> cost_of_rests(DeviceSide& side, double most_seconds) const;

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
