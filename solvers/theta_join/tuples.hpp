// Tuples on the device as kernels read them, one type for each layout: all have size(), keys(i), x(i), part(first,
// count) and load_four(), which reads four tuples with as few loads as their layout allows.
#pragma once

#include <cstdint>

#include "device/view.hpp"
#include "problems/theta_join/predicate.hpp"
#include "solvers/theta_join/layout.hpp"

namespace warpbench::theta {

/// What a tuple brings to an aggregate.
struct KeysAndX {
  Keys keys;
  std::int32_t x = 0;
};

/// 16 bytes that one load brings.
struct alignas(16) Quad {
  std::int32_t values[4];
};

/// The `index`-th 16 bytes of `values`, whose memory begins at a multiple of 16 bytes.
template <typename T>
WARPBENCH_HOST_DEVICE Quad quad(const View<const T>& values, std::int64_t index) {
  return View<const Quad>(reinterpret_cast<const Quad*>(values.data()),
                          values.bytes() / static_cast<std::int64_t>(sizeof(Quad)))[index];
}

/// Layout::soa. Fields that the query does not need are not on the device: `second` is `first` where θ has one
/// condition, and `x` is empty where nothing is added up.
struct SoaTuples {
  View<const std::int32_t> first;
  View<const std::int32_t> second;
  View<const std::int32_t> x_values;

  [[nodiscard]] WARPBENCH_HOST_DEVICE std::int64_t size() const { return first.size(); }
  [[nodiscard]] WARPBENCH_HOST_DEVICE Keys keys(std::int64_t i) const { return {first[i], second[i]}; }
  [[nodiscard]] WARPBENCH_HOST_DEVICE std::int32_t x(std::int64_t i) const { return x_values[i]; }
  /// Of tuples that have x.
  [[nodiscard]] SoaTuples part(std::int64_t begin, std::int64_t count) const {
    return {first.subview(begin, count), second.subview(begin, count), x_values.subview(begin, count)};
  }

  /// Tuples 4 group to 4 group + 3: a load for each field.
  WARPBENCH_HOST_DEVICE void load_four(std::int64_t group, KeysAndX (&four)[4]) const {
    const Quad firsts = quad(first, group);
    const Quad seconds = quad(second, group);
    const Quad xs = quad(x_values, group);
    for (int k = 0; k < 4; ++k) four[k] = {{firsts.values[k], seconds.values[k]}, xs.values[k]};
  }
};

/// Layout::aos: a tuple is whole, since a field cannot be taken out of it. `a` holds what θ's first condition compares,
/// and `id`, which no query reads, what a second one compares.
struct AosTuples {
  View<const Tuple> tuples;

  [[nodiscard]] WARPBENCH_HOST_DEVICE std::int64_t size() const { return tuples.size(); }
  [[nodiscard]] WARPBENCH_HOST_DEVICE Keys keys(std::int64_t i) const { return {tuples[i].a, tuples[i].id}; }
  [[nodiscard]] WARPBENCH_HOST_DEVICE std::int32_t x(std::int64_t i) const { return tuples[i].x; }
  [[nodiscard]] AosTuples part(std::int64_t begin, std::int64_t count) const { return {tuples.subview(begin, count)}; }

  /// Three loads for four tuples: id a x id, a x id a, x id a x.
  WARPBENCH_HOST_DEVICE void load_four(std::int64_t group, KeysAndX (&four)[4]) const {
    const Quad low = quad(tuples, 3 * group);
    const Quad middle = quad(tuples, 3 * group + 1);
    const Quad high = quad(tuples, 3 * group + 2);
    four[0] = {{low.values[1], low.values[0]}, low.values[2]};
    four[1] = {{middle.values[0], low.values[3]}, middle.values[1]};
    four[2] = {{middle.values[3], middle.values[2]}, high.values[0]};
    four[3] = {{high.values[2], high.values[1]}, high.values[3]};
  }
};

/// Layout::aos_padded, with the fields of AosTuples.
struct PaddedTuples {
  View<const PaddedTuple> tuples;

  [[nodiscard]] WARPBENCH_HOST_DEVICE std::int64_t size() const { return tuples.size(); }
  [[nodiscard]] WARPBENCH_HOST_DEVICE Keys keys(std::int64_t i) const { return {tuples[i].a, tuples[i].id}; }
  [[nodiscard]] WARPBENCH_HOST_DEVICE std::int32_t x(std::int64_t i) const { return tuples[i].x; }
  [[nodiscard]] PaddedTuples part(std::int64_t begin, std::int64_t count) const {
    return {tuples.subview(begin, count)};
  }

  /// A load for each tuple.
  WARPBENCH_HOST_DEVICE void load_four(std::int64_t group, KeysAndX (&four)[4]) const {
    for (int k = 0; k < 4; ++k) {
      const Quad tuple = quad(tuples, 4 * group + k);
      four[k] = {{tuple.values[1], tuple.values[0]}, tuple.values[2]};
    }
  }
};

}  // namespace warpbench::theta
