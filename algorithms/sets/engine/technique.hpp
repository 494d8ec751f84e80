// Technique: one way to intersect sets on a GPU. set_solver.hpp makes solvers of it: of set_intersection, one pair or
// all, and of set_containment.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "algorithms/sets/engine/pair_tile.cuh"
#include "datasets/sets.hpp"
#include "device/digest.cuh"
#include "device/stream.hpp"
#include "problems/parameters.hpp"
#include "solvers/phases.hpp"
#include "solvers/solver.hpp"

namespace warpbench::sets {

/// The two sets of a single intersection.
struct SingleTask {
  DeviceSet smaller;
  DeviceSet larger;
  View<DigestWord> common;   ///< one number, 0 before
  View<std::uint8_t> found;  ///< a place for each token of `smaller`, 0 before, 1 for common ones; may be empty

  [[nodiscard]] __device__ CommonFlags flags() const { return {found, smaller, 0}; }
};

class Technique {
 public:
  Technique() = default;
  Technique(const Technique&) = delete;
  Technique& operator=(const Technique&) = delete;
  virtual ~Technique() = default;

  /// New values of solve-parameters.
  virtual void configure(const Parameters& parameters) = 0;
  /// Takes memory for the helper structures, whose sizes follow from the sets. Throws Unsupported where the technique
  /// cannot work on these sets or on this device.
  virtual void prepare(const datasets::SetCollection& host, Stream& stream) = 0;
  /// Throws Unsupported where the technique is for many sets only.
  virtual void require_single_pairs() const {}
  /// Makes the helper structures of all sets on the device, where it has any. Part of the time that is measured.
  virtual void build(const DeviceSets& sets, Stream& stream, Phases& phases) = 0;
  /// Enqueues the counts of a tile's pairs.
  virtual void count_pairs(const DeviceSets& sets, const PairTile& tile, Stream& stream, Phases& phases) = 0;
  /// Enqueues the intersection of two sets.
  virtual void intersect(const SingleTask& task, Stream& stream, Phases& phases) = 0;
  [[nodiscard]] virtual std::map<std::string, double> counters() const { return {}; }
};

}  // namespace warpbench::sets
