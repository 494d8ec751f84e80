#include "algorithms/matrix_factorization/cumf_sgd/transfer_plan.hpp"

#include <algorithm>

#include "device/error.hpp"
#include "device/integers.hpp"
#include "solvers/matrix_factorization/rating_grid.hpp"

namespace warpbench::matrix_factorization {
namespace {

/// 25 MB: half a millisecond on the bus, far more than a launch takes.
constexpr std::int64_t kMaxPiece = std::int64_t{1} << 21;
/// At least so many, so that copies overlap with kernels.
constexpr std::int64_t kMinPieces = 4;

}  // namespace

TransferPlan plan_transfers(const TransferNeed& need, std::int64_t free_bytes) {
  constexpr auto kRingBytes = kPieceSlots * static_cast<std::int64_t>(sizeof(Rating));
  TransferPlan plan;
  plan.piece =
      std::clamp<std::int64_t>(free_bytes / 4 / kRingBytes, 1, std::min(kMaxPiece, ceil_div(need.ratings, kMinPieces)));
  const std::int64_t left = free_bytes - plan.piece * kRingBytes;
  for (std::int64_t bands = 1;; ++bands) {
    plan.rows = need.row_bands > 0 ? need.row_bands : bands;
    plan.columns = need.column_bands > 0 ? need.column_bands : bands;
    plan.p_slots = std::min<std::int64_t>(plan.rows, 2);
    plan.q_slots = std::min<std::int64_t>(plan.columns, 3);
    const std::int64_t p_bytes = plan.p_slots * ceil_div(need.users, plan.rows) * need.row_bytes;
    const std::int64_t q_segment = ceil_div(need.items, plan.columns) * need.row_bytes;
    const std::int64_t wanted = p_bytes + plan.q_slots * q_segment;
    if (wanted <= left) {
      if (need.column_bands == 0) plan.q_slots = std::min(plan.columns, (left - p_bytes) / q_segment);
      return plan;
    }
    const bool finest = plan.rows >= need.users || need.row_bands > 0;
    if (finest && (plan.columns >= need.items || need.column_bands > 0)) {
      throw OutOfDeviceMemory(wanted + free_bytes - left, free_bytes);
    }
  }
}

}  // namespace warpbench::matrix_factorization
