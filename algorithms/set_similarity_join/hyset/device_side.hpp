// DeviceSide: the technique of HySet's thread that drives the device (bellas2022 §5.4.3): one that joins blocks on the
// device alone, or the co-processing join.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "algorithms/set_similarity_join/engine/device_sets.hpp"
#include "device/stream.hpp"
#include "problems/set_similarity_join/problem.hpp"
#include "solvers/phases.hpp"
#include "solvers/set_similarity_join/blocks.hpp"
#include "solvers/set_similarity_join/ordered_sets.hpp"

namespace warpbench::similarity {

class DeviceSide {
 public:
  DeviceSide() = default;
  DeviceSide(const DeviceSide&) = delete;
  DeviceSide& operator=(const DeviceSide&) = delete;
  virtual ~DeviceSide() = default;

  /// Before the first join of a solve: forgets the answer of the one before.
  virtual void begin(const SetsView& sets, Stream& stream, Phases& phases) = 0;
  /// Joins two blocks, at most one join behind: what the host does not take yet, the CPU can have.
  virtual void join(const BlockPair& pair, const SetsView& sets, Stream& stream, Phases& phases) = 0;
  /// Joins `probes` with all sets before; `pairs` are the pairs of blocks that this takes.
  virtual void join_probes(SetRange probes, std::span<const BlockPair> pairs, const SetsView& sets, Stream& stream,
                           Phases& phases) = 0;
  /// Probing sets that join_probes() takes about as long for as its share of all: fewer cost more each.
  [[nodiscard]] virtual std::int64_t fair_sample() const = 0;
  /// Whether a pair of blocks takes as long as another one near by, however many sets they have; else a set does.
  /// Techniques at their best do so only roughly.
  [[nodiscard]] virtual bool works_by_pairs() const = 0;
  /// After the last join: waits for all of them.
  virtual void finish(Stream& stream, Phases& phases) = 0;
  /// The pairs are this object's memory.
  virtual void download(SetSimilarityJoin::Answer& answer, Stream& stream) = 0;
  /// Drops what is kept of the answer on the host.
  virtual void forget() {}
  [[nodiscard]] virtual std::map<std::string, double> counters() const = 0;
};

/// The values of the parameters of `gpu`, a technique of engine/techniques.hpp: those of `techniques`, a value of
/// `device_technique`, and of those `given` the ones that it has.
[[nodiscard]] std::map<std::string, Value> technique_values(const std::string& gpu, const std::string& techniques,
                                                            const std::map<std::string, Value>& given);

/// What `gpu` names, a technique or cpu-gpu, with values for its parameters as technique_values() has them. Takes the
/// memory for blocks of `block_size` sets. The sets outlive it. Throws OutOfDeviceMemory.
[[nodiscard]] std::unique_ptr<DeviceSide> make_device_side(const std::string& gpu, const std::string& techniques,
                                                           const std::map<std::string, Value>& given,
                                                           const OrderedSets& sets,
                                                           const SetSimilarityJoin::Input& input,
                                                           std::int64_t block_size, Stream& stream);

}  // namespace warpbench::similarity
