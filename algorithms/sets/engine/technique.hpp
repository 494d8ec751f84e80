// Technique: what a way to intersect sets on a GPU supplies. set_solver.hpp makes solvers of it: of set_intersection,
// one pair or all, and of set_containment.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "algorithms/sets/engine/pair_table.cuh"
#include "datasets/sets.hpp"
#include "device/stream.hpp"
#include "problems/parameters.hpp"
#include "solvers/phases.hpp"
#include "solvers/solver.hpp"

namespace warpbench::sets {

/// The two sets of a single intersection. `found`, where it is not empty, has a place for each token of `smaller` and
/// is all 0: the technique sets those of common tokens to 1.
struct SingleTask {
  View<const std::uint32_t> smaller;
  View<const std::uint32_t> larger;
  View<unsigned long long> common;  ///< one number, 0 before
  View<std::uint8_t> found;
};

class Technique {
 public:
  Technique() = default;
  Technique(const Technique&) = delete;
  Technique& operator=(const Technique&) = delete;
  virtual ~Technique() = default;

  /// New values of solve-parameters.
  virtual void configure(const Parameters& parameters) = 0;
  /// What does not change between solves is known from here: sizes of helper structures. Throws Unsupported where the
  /// technique cannot work on these sets or on this device.
  virtual void prepare(const datasets::SetCollection& host, Stream& stream) = 0;
  /// Makes the helper structures of all sets on the device, where it has any. Part of the time that is measured.
  virtual void build(const DeviceSets& sets, Stream& stream, Phases& phases) = 0;
  /// Enqueues the counts of a table's pairs.
  virtual void count_pairs(const DeviceSets& sets, const PairTable& table, Stream& stream, Phases& phases) = 0;
  /// Enqueues the intersection of two sets.
  virtual void intersect(const SingleTask& task, Stream& stream, Phases& phases) = 0;
  /// Bytes of device memory that count_pairs() needs for itself: what is left is for tables.
  [[nodiscard]] virtual std::int64_t reserved_bytes() const { return 0; }
  [[nodiscard]] virtual std::map<std::string, double> counters() const { return {}; }
};

}  // namespace warpbench::sets
