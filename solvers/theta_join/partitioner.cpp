#include "solvers/theta_join/partitioner.hpp"

#include <algorithm>
#include <cmath>

#include "device/error.hpp"
#include "device/integers.hpp"

namespace warpbench::theta {
namespace {

/// The largest integer whose square is at most `value`, for values below 2^62.
std::int64_t integer_sqrt(std::int64_t value) {
  auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(value)));
  while (root * root > value) --root;
  while ((root + 1) * (root + 1) <= value) ++root;
  return root;
}

/// 0, side, 2 side, …, count.
std::vector<std::int64_t> cuts_at(std::int64_t count, std::int64_t side) {
  std::vector<std::int64_t> cuts;
  for (std::int64_t at = 0; at < count; at += side) cuts.push_back(at);
  cuts.push_back(count);
  return cuts;
}

/// The bounds of `bands` bands of [0, count) whose sizes differ by at most one.
std::vector<std::int64_t> even_cuts(std::int64_t count, std::int64_t bands) {
  std::vector<std::int64_t> cuts;
  for (std::int64_t band = 0; band <= bands; ++band) {
    cuts.push_back(count / bands * band + std::min(band, count % bands));
  }
  return cuts;
}

std::vector<JoinPart> grid_of(const std::vector<std::int64_t>& r_cuts, const std::vector<std::int64_t>& s_cuts) {
  std::vector<JoinPart> parts;
  parts.reserve((r_cuts.size() - 1) * (s_cuts.size() - 1));
  for (std::size_t r = 1; r < r_cuts.size(); ++r) {
    for (std::size_t s = 1; s < s_cuts.size(); ++s) {
      parts.push_back({r_cuts[r - 1], r_cuts[r], s_cuts[s - 1], s_cuts[s]});
    }
  }
  return parts;
}

}  // namespace

std::int64_t Partition::max_pairs() const {
  std::int64_t most = 0;
  for (const JoinPart& part : parts) most = std::max(most, part.pairs());
  return most;
}

Partition partition(std::int64_t r_count, std::int64_t s_count, std::int64_t pair_bytes, std::int64_t memory_bytes) {
  const std::int64_t pairs = r_count * s_count;
  if (pairs == 0) return {};
  const std::int64_t max_pairs = memory_bytes / pair_bytes;
  if (max_pairs < 1) throw OutOfDeviceMemory(pair_bytes, memory_bytes);

  Partition result;
  result.least_parts = ceil_div(pairs, max_pairs);
  const auto [shorter, longer] = std::minmax(r_count, s_count);
  if (shorter < ceil_div(longer, result.least_parts)) {
    result.kind = PartitionCase::strips;
    // max_pairs >= shorter longer / t > shorter^2, so that a band has at least one tuple.
    const std::vector<std::int64_t> bands = even_cuts(longer, ceil_div(longer, max_pairs / shorter));
    const std::vector<std::int64_t> whole{0, shorter};
    result.parts = r_count == longer ? grid_of(bands, whole) : grid_of(whole, bands);
    return result;
  }
  // side <= shorter, since shorter^2 >= shorter longer / t.
  const std::int64_t side = integer_sqrt(pairs / result.least_parts);
  const bool is_exact = side * side * result.least_parts == pairs && r_count % side == 0 && s_count % side == 0;
  result.kind = is_exact ? PartitionCase::squares : PartitionCase::remainders;
  result.parts = grid_of(cuts_at(r_count, side), cuts_at(s_count, side));
  return result;
}

}  // namespace warpbench::theta
