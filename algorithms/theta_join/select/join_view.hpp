// JoinView: both relations on the device, as the kernels of select read them, whatever their layout.
#pragma once

#include <cstdint>

#include "datasets/relations.hpp"
#include "device/resident.hpp"
#include "device/stream.hpp"
#include "device/view.hpp"
#include "problems/theta_join/predicate.hpp"
#include "problems/theta_join/rows.hpp"
#include "solvers/theta_join/layout.hpp"

namespace warpbench::theta {

/// Tuple i's fields are words[a_at + i stride] and words[x_at + i stride].
struct TupleView {
  View<const std::int32_t> words;
  std::int64_t stride = 1;
  std::int64_t a_at = 0;
  std::int64_t x_at = 0;

  WARPBENCH_HOST_DEVICE std::int32_t a(std::int64_t i) const { return words[a_at + i * stride]; }
  WARPBENCH_HOST_DEVICE std::int32_t x(std::int64_t i) const { return words[x_at + i * stride]; }
  WARPBENCH_HOST_DEVICE std::int32_t field(Column column, std::int64_t i) const {
    return words[(column == Column::a ? a_at : x_at) + i * stride];
  }
};

struct JoinView {
  TupleView r;
  TupleView s;
  Condition first;
  Condition second;

  WARPBENCH_HOST_DEVICE Keys r_keys(std::int64_t i) const { return {r.field(first.r, i), r.field(second.r, i)}; }
  WARPBENCH_HOST_DEVICE Keys s_keys(std::int64_t i) const { return {s.field(first.s, i), s.field(second.s, i)}; }
};

/// A relation in pinned memory and on the device. Structs hold id, a and x; of arrays, id is left out, since no query
/// reads it.
class DeviceTuples {
 public:
  /// Copies `relation` to pinned memory. Throws DeviceError.
  void pin(const datasets::Relation& relation, Layout layout);
  void upload(Stream& stream) { words_.upload(stream); }
  [[nodiscard]] TupleView view() const { return {words_.view(), stride_, a_at_, x_at_}; }

 private:
  Resident<std::int32_t> words_;
  std::int64_t stride_ = 1;
  std::int64_t a_at_ = 0;
  std::int64_t x_at_ = 0;
};

}  // namespace warpbench::theta
