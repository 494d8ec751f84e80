// The technique that the document finds best on a device for sets and a threshold like these (bellas2022 Figure 5.16).
#pragma once

#include <cstdint>
#include <string>

namespace warpbench::similarity {

struct JoinShape {
  std::int64_t sets = 0;
  double mean_size = 0;
  std::int64_t distinct_tokens = 0;
  double threshold = 0;
};

/// What `gpu` may name. Numbers of sets are taken for 10^5, 10^6 or 10^7, whichever is nearest by ratio. Where two
/// names share a cell, the number of distinct tokens decides. Where a cell has the CPU alone, HySet still has a device
/// to use: with cpu-gpu for many sets (§5.4.3), with fgssjoin, which stands in the cells below, for others.
[[nodiscard]] std::string technique_by_table(const JoinShape& join);

}  // namespace warpbench::similarity
