// The numbers of tuples, which generators of relations share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "datasets/parameters/declared.hpp"

namespace warpbench::datasets {

/// A grain for loops over tuples.
inline constexpr std::size_t kTupleGrain = std::size_t{1} << 16U;

struct TupleCounts {
  std::int64_t r = 0;
  std::int64_t s = 0;
};

/// r_tuples, s_tuples.
[[nodiscard]] std::vector<ParameterDeclaration> tuple_parameters();

/// r_tuples and s_tuples times scale. Throws InputError(where) if one is above kMaxTuples.
[[nodiscard]] TupleCounts scaled_tuples(const std::string& where, const Properties& values);

}  // namespace warpbench::datasets
