// social: a friendship network such as livejournal or orkut: power-law degrees and, unlike Chung-Lu
// graphs, plenty of triangles, because most edges lie inside small overlapping communities.
//
// Each vertex spends a share of its expected degree on communities and the rest on Chung-Lu draws. There are nine
// community sizes from 4 to 145: small ones are cliques, larger ones have density sqrt(16 / size), so that any two
// members share several neighbours. A vertex joins only communities that its degree can pay for, so hubs are in many
// and most vertices in one or two.
#pragma once

#include <cstdint>

#include "datasets/dataset.hpp"

namespace warpbench::datasets {

/// O(edges / threads) time, memory linear in vertices + edges.
[[nodiscard]] Content generate_social(const Properties& values, std::uint64_t seed, int threads);

}  // namespace warpbench::datasets
