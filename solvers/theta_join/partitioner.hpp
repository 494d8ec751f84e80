// Partitioner: cuts the join matrix R × S into rectangles whose rows fit the device even if all their pairs match
// (bellas2022 §3.2.2, §3.2.3). Their least number is t = ceil(|R| |S| o / M_d). Three cases:
//
//   squares     both |R| and |S| are multiples of the side sqrt(|R| |S| / t): squares of that side
//   strips      one relation is smaller than the other divided by t: all of it by parts of the other
//   remainders  else: as many squares as possible, and smaller rectangles at the two far edges
//
// Sides are whole tuples, so that there may be more than t parts where the document's sides are no integers.
#pragma once

#include <cstdint>
#include <vector>

namespace warpbench::theta {

/// The pairs of R's tuples [r_begin, r_end) and S's tuples [s_begin, s_end).
struct JoinPart {
  std::int64_t r_begin = 0;
  std::int64_t r_end = 0;
  std::int64_t s_begin = 0;
  std::int64_t s_end = 0;

  [[nodiscard]] constexpr std::int64_t r_count() const { return r_end - r_begin; }
  [[nodiscard]] constexpr std::int64_t s_count() const { return s_end - s_begin; }
  [[nodiscard]] constexpr std::int64_t pairs() const { return r_count() * s_count(); }
  friend bool operator==(const JoinPart&, const JoinPart&) = default;
};

enum class PartitionCase { squares, strips, remainders };

struct Partition {
  PartitionCase kind = PartitionCase::squares;
  std::int64_t least_parts = 0;  ///< t
  std::vector<JoinPart> parts;   ///< none of no pairs

  /// Of the largest part.
  [[nodiscard]] std::int64_t max_pairs() const;
};

/// `pair_bytes` is what a pair takes of `memory_bytes`, at least 1. At most 2^31 - 1 tuples a relation. Throws
/// OutOfDeviceMemory where not even one pair fits.
[[nodiscard]] Partition partition(std::int64_t r_count, std::int64_t s_count, std::int64_t pair_bytes,
                                  std::int64_t memory_bytes);

}  // namespace warpbench::theta
