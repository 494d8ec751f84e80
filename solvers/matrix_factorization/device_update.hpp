// The update of P and Q by ratings on a GPU (cuMF_SGD; yu2023 §2.1.2): a warp a rating, Hogwild. Warps that are at the
// same user or item at a time overwrite each other's updates of its row; the method allows it.
#pragma once

#include <cstdint>

#include "device/half.hpp"
#include "device/stream.hpp"
#include "device/view.hpp"
#include "solvers/matrix_factorization/cpu_update.hpp"
#include "solvers/matrix_factorization/rating_grid.hpp"

namespace warpbench::matrix_factorization {

/// Rows of P and of Q in device memory, or a segment of each. As in FactorRows, a row has `stride` factors, a multiple
/// of 16, and is filled up with zeros: in single precision, rows are copied as they are. Factor: float or Half.
template <typename Factor>
struct DeviceFactors {
  View<Factor> p;  ///< row r is that of user first_user + r
  View<Factor> q;  ///< row r is that of item first_item + r
  std::int64_t stride = 0;
  std::int64_t first_user = 0;
  std::int64_t first_item = 0;
};

/// Workers, which are warps, that run at the same time on the current device with rows of `stride` factors.
template <typename Factor>
[[nodiscard]] std::int64_t resident_workers(std::int64_t stride);

/// As many of `workers` (0: all that run at the same time) as are of use: no more than run at the same time, an eighth
/// of `users` or of `items`, or a thirty-second of `ratings`; at least 1. Beyond an eighth, so many updates overwrite
/// each other that the descent slows down; up to a twentieth it hardly does.
template <typename Factor>
[[nodiscard]] std::int64_t useful_workers(std::int64_t workers, std::int64_t stride, std::int64_t users,
                                          std::int64_t items, std::int64_t ratings);

/// Updates by each of `ratings`, once, in stream order. Each of `workers` >= 1 warps takes an equal share of them,
/// which lie one after the other, in their order; one warp is serial descent. More than half of those that run at the
/// same time are rounded down to a multiple of 4. A warp keeps a row in registers as long as the ratings that follow
/// are of the same user, or of the same item. Rows are stored as Factor, everything else is in single precision. stride
/// <= 1024.
template <typename Factor>
void update_on_device(View<const Rating> ratings, const DeviceFactors<Factor>& factors, const UpdateRule& rule,
                      std::int64_t workers, Stream& stream);

/// Converts factors, in stream order: to[i] = from[i], rounded to nearest. Factors are within ±65504. Sizes are equal.
void convert(View<const float> from, View<Half> to, Stream& stream);
void convert(View<const Half> from, View<float> to, Stream& stream);

}  // namespace warpbench::matrix_factorization
