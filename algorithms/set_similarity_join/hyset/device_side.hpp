// DeviceSide: the technique of HySet's thread that drives the device (bellas2022 §5.4.3).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "algorithms/set_similarity_join/engine/block_join.hpp"
#include "algorithms/set_similarity_join/engine/device_pair_sink.hpp"
#include "algorithms/set_similarity_join/engine/device_sets.hpp"
#include "device/stream.hpp"
#include "solvers/phases.hpp"

namespace warpbench::similarity {

class DeviceSide {
 public:
  /// The sets outlive it. Throws OutOfDeviceMemory.
  void prepare(std::unique_ptr<BlockJoin> technique, const OrderedSets& sets, const SetSimilarityJoin::Input& input,
               std::int64_t block_size, Stream& stream);

  /// Before the first join of a solve.
  void begin(const SetsView& sets, Stream& stream, Phases& phases);
  /// Enqueues the join of two blocks. Waits for the join before the last, so that the host never runs far ahead: what
  /// it does not take is the CPU's.
  void join(const BlockPair& pair, const SetsView& sets, Stream& stream, Phases& phases);
  /// Waits for the stream; the pairs are this object's memory.
  void download(SetSimilarityJoin::Answer& answer, Stream& stream) { sink_.download(answer, stream); }
  [[nodiscard]] std::map<std::string, double> counters() const { return technique_->counters(); }

 private:
  std::unique_ptr<BlockJoin> technique_;
  DevicePairSink sink_;
  std::array<Event, 2> joined_;
  std::int64_t joins_ = 0;
};

}  // namespace warpbench::similarity
