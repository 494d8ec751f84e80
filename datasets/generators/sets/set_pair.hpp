// Two large sets, the input of single-instance set intersection and containment (bellas2022 §6.2.3).
#pragma once

#include <cstdint>
#include <vector>

#include "datasets/dataset.hpp"
#include "datasets/parameters/declared.hpp"

namespace warpbench::datasets {

/// size, second_size, universe, distribution, exponent, scale.
[[nodiscard]] std::vector<ParameterDeclaration> set_pair_parameters();

/// `set_pair`: two independent sets of exactly the requested sizes, each as if drawn until enough tokens are distinct
/// (large_set.hpp). O((size + second_size) log 1000 / threads).
[[nodiscard]] Content generate_set_pair(const Properties& values, std::uint64_t seed, int threads);

}  // namespace warpbench::datasets
