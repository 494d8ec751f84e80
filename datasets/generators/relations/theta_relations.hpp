// Two relations of which a given share of all pairs satisfies R.a > S.a.
//
// Keys of S are uniform over n integers, 0 to n - 1. Keys of R are uniform over n integers, too, but moved: by c, and
// with probability w by c + 1. With R = S (c = 0) a pair is greater with probability (n - 1) / 2n; c and w are chosen
// so that the probability is the selectivity, exactly up to 2^-32. So it is whatever the number of different keys and
// of ties, and both relations have uniform keys, as far apart as the selectivity demands.
#pragma once

#include <cstdint>
#include <vector>

#include "datasets/dataset.hpp"
#include "datasets/parameters/declared.hpp"

namespace warpbench::datasets {

/// r_tuples, s_tuples, selectivity, distinct_keys, extremes, x_low, x_high, correlation, scale.
[[nodiscard]] std::vector<ParameterDeclaration> theta_relations_parameters();

/// x is uniform over x_low to x_high. It has the correlation |c| with the tuple's key, for it is as far up its range as
/// the key with that probability (for c < 0 as far down), and otherwise independent. With probability `extremes` a key
/// is instead the smallest or the largest integer, and so, independently, is an x; the other keys then make up for the
/// selectivity. O(tuples / threads). Throws InputError if extremes alone have another selectivity.
[[nodiscard]] Content generate_theta_relations(const Properties& resolved, std::uint64_t seed, int threads);

}  // namespace warpbench::datasets
