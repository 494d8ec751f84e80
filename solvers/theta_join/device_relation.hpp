// DeviceRelation: a relation's tuples on the device in one of the layouts, with the fields that a query needs.
#pragma once

#include <cstdint>
#include <span>

#include "datasets/relations.hpp"
#include "device/resident.hpp"
#include "device/stream.hpp"
#include "problems/theta_join/predicate.hpp"
#include "solvers/theta_join/layout.hpp"
#include "solvers/theta_join/tuples.hpp"

namespace warpbench::theta {

/// The fields of a relation that a query needs, a column each, of one length.
struct Fields {
  std::span<const std::int32_t> first;   ///< what θ's first condition compares
  std::span<const std::int32_t> second;  ///< what its second one compares; empty where it has one
  std::span<const std::int32_t> x;       ///< what is added up; empty: nothing
};

/// What θ compares of R and of S, without x.
[[nodiscard]] Fields keys_of_r(const datasets::Relations& relations, const Predicate& predicate);
[[nodiscard]] Fields keys_of_s(const datasets::Relations& relations, const Predicate& predicate);

class DeviceRelation {
 public:
  /// Puts the fields into the layout's order in pinned memory. Throws DeviceError.
  void pin(const Fields& fields, Layout layout);
  /// Copies them to the device, in stream order. Throws OutOfDeviceMemory.
  void upload(Stream& stream);

  [[nodiscard]] Layout layout() const { return layout_; }
  /// Tuples.
  [[nodiscard]] std::int64_t size() const { return size_; }
  /// On the device.
  [[nodiscard]] std::int64_t bytes() const;

  /// The tuples on the device, of the layout that they have.
  [[nodiscard]] SoaTuples soa() const;
  [[nodiscard]] AosTuples aos() const { return {tuples_.view()}; }
  [[nodiscard]] PaddedTuples padded() const { return {padded_tuples_.view()}; }

 private:
  Layout layout_ = Layout::soa;
  std::int64_t size_ = 0;
  Resident<std::int32_t> first_;
  Resident<std::int32_t> second_;
  Resident<std::int32_t> x_;
  Resident<Tuple> tuples_;
  Resident<PaddedTuple> padded_tuples_;
};

}  // namespace warpbench::theta
