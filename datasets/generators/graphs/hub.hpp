// hub: a follower network such as twitter: a power law plus a few vertices that touch a large share of all others
// (che2019 Table 1: a vertex of degree 1,405,985 among 41.6 million).
#pragma once

#include <cstdint>

#include "datasets/dataset.hpp"

namespace warpbench::datasets {

/// Hub h (0, 1, …) has hub_degree * 4 / (4 + h) distinct neighbours, chosen uniformly, plus its share of the power law.
/// The other edges are Chung-Lu draws. O(edges / threads).
[[nodiscard]] Content generate_hub(const Properties& values, std::uint64_t seed, int threads);

}  // namespace warpbench::datasets
