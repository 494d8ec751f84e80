// Check-ins of two relations at the same places: a is the latitude, x the longitude, in 1e-7 degrees.
//
// Places lie around centres, as in towns: normally distributed, about as many degrees in both directions. Centres are
// uniform over the inhabited latitudes; the places that they have, and the check-ins that a place has, fall by Zipf's
// law.
#pragma once

#include <cstdint>
#include <vector>

#include "datasets/dataset.hpp"
#include "datasets/parameters/declared.hpp"

namespace warpbench::datasets {

/// r_tuples, s_tuples, places, centres, spread, centre_exponent, place_exponent, scale.
[[nodiscard]] std::vector<ParameterDeclaration> coordinates_parameters();

/// Each place has at least one check-in of a relation with at least as many check-ins as there are places; with fewer,
/// no place has two. Check-ins
/// are in random order, those of R and S independent. `places` shrinks with the scale, centres do not. Property:
/// places. O((tuples + places) / threads).
[[nodiscard]] Content generate_coordinates(const Properties& resolved, std::uint64_t seed, int threads);

}  // namespace warpbench::datasets
