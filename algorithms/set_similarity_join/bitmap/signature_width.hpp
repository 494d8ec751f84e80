// How wide signatures should be: narrow ones are compared sooner, wide ones leave fewer candidates.
#pragma once

#include <cstdint>

#include "problems/parameters.hpp"
#include "solvers/set_similarity_join/bounds.hpp"
#include "solvers/set_similarity_join/ordered_sets.hpp"

namespace warpbench::similarity {

/// `signature_bits`; 0 is `auto`.
[[nodiscard]] ParameterSpec signature_bits_parameter();

/// The bits, a power of two from 32 to 2048, with which comparing all pairs and verifying the candidates costs least,
/// by a sample of pairs. The same for the same sets. O(tokens of the sample).
[[nodiscard]] std::int64_t cheapest_signature_bits(const OrderedSets& sets, const Bounds& bounds);

}  // namespace warpbench::similarity
