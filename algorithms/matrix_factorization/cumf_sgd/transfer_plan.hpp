// How cumf-sgd fits a device: into how many segments P and Q are cut, how many of them the device holds at a time, and
// how many ratings are copied at once.
#pragma once

#include <cstdint>

namespace warpbench::matrix_factorization {

/// What a training needs. Bands 0: as few as fit.
struct TransferNeed {
  std::int64_t users = 0;
  std::int64_t items = 0;
  std::int64_t ratings = 0;
  std::int64_t row_bytes = 0;  ///< of a row of P or Q
  std::int64_t row_bands = 0;
  std::int64_t column_bands = 0;
};

struct TransferPlan {
  std::int64_t rows = 1;     ///< bands of users
  std::int64_t columns = 1;  ///< bands of items
  std::int64_t p_slots = 1;  ///< segments of P on the device
  std::int64_t q_slots = 1;  ///< segments of Q on the device
  std::int64_t piece = 0;    ///< ratings that are copied at once

  /// Whether all of P and Q stays on the device.
  [[nodiscard]] bool keeps_factors() const { return p_slots == rows && q_slots == columns; }
};

/// Pieces of ratings on the device: one comes in, one is used, and one waits.
inline constexpr std::int64_t kPieceSlots = 3;

/// A plan for `free_bytes` of device memory. Where P and Q do not fit, two segments of P (this and the next) and at
/// least three of Q (one comes in, one is used, one goes out). Throws OutOfDeviceMemory.
[[nodiscard]] TransferPlan plan_transfers(const TransferNeed& need, std::int64_t free_bytes);

}  // namespace warpbench::matrix_factorization
