#include "datasets/generators/relations/coordinates.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "datasets/generators/random.hpp"
#include "datasets/generators/relations/tuple_counts.hpp"
#include "datasets/generators/sets/token_cells.hpp"
#include "datasets/generators/size.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

constexpr std::int64_t kDegree = 10'000'000;  // of 1e-7 degrees
constexpr std::int64_t kSouthernmostCentre = -45 * kDegree;
constexpr std::int64_t kNorthernmostCentre = 65 * kDegree;

enum Stream : std::uint64_t {
  kCentreLatitudes = 521,
  kCentreLongitudes,
  kCentreOfPlaces,
  kLatitudeOffsets,
  kLongitudeOffsets
};
constexpr std::uint64_t kCheckinsOfR = 530;  // two streams each: order and places
constexpr std::uint64_t kCheckinsOfS = 532;

/// Nearly Gaussian, its standard deviation `deviation`: that of the sum of twelve 32-bit words is 2^32.
std::int64_t offset_of(const Random& random, std::uint64_t index, std::int64_t deviation) {
  constexpr std::int64_t kUnit = std::int64_t{1} << 32U;
  std::int64_t sum = -6 * kUnit;
  for (std::uint64_t i = 0; i < 6; ++i) {
    const std::uint64_t word = random.at(6 * index + i);
    sum += static_cast<std::int64_t>((word >> 32U) + (word & 0xffff'ffffU));
  }
  return sum * deviation / kUnit;  // spread is at most 10 degrees: the product has less than 62 bits
}

/// Longitudes go round the globe, latitudes end at the poles.
std::int32_t wrapped(std::int64_t longitude) {
  constexpr std::int64_t kRound = 360 * kDegree;
  const std::int64_t east = (longitude + kRound / 2) % kRound;
  return static_cast<std::int32_t>((east < 0 ? east + kRound : east) - kRound / 2);
}

Relation make_places(const Properties& values, std::uint64_t places, std::uint64_t seed, int threads) {
  const auto centres = static_cast<std::uint64_t>(integer(values, "centres"));
  const std::int64_t spread = std::llround(real(values, "spread") * static_cast<double>(kDegree));
  const TokenDraw draw(token_cells(centres, TokenDistribution::zipf, real(values, "centre_exponent")));
  const Random centre_latitudes(seed, kCentreLatitudes);
  const Random centre_longitudes(seed, kCentreLongitudes);
  const Random centre_of_places(seed, kCentreOfPlaces);
  const Random latitude_offsets(seed, kLatitudeOffsets);
  const Random longitude_offsets(seed, kLongitudeOffsets);
  std::vector<std::int32_t> latitudes(places);
  std::vector<std::int32_t> longitudes(places);
  for_chunks(places, kTupleGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t centre = draw(centre_of_places.at(i));
      const auto latitude = kSouthernmostCentre + static_cast<std::int64_t>(centre_latitudes.below(
                                                      kNorthernmostCentre - kSouthernmostCentre + 1, centre));
      const auto longitude = -180 * kDegree + static_cast<std::int64_t>(centre_longitudes.below(360 * kDegree, centre));
      latitudes[i] = static_cast<std::int32_t>(
          std::clamp(latitude + offset_of(latitude_offsets, i, spread), -90 * kDegree, 90 * kDegree));
      longitudes[i] = wrapped(longitude + offset_of(longitude_offsets, i, spread));
    }
  });
  return {std::move(latitudes), std::move(longitudes)};
}

/// Check-ins at the places, of which the first are the most popular.
Relation make_checkins(std::int64_t tuples, const Relation& places, const TokenDraw& popularity, std::uint64_t seed,
                       std::uint64_t first_stream, int threads) {
  const auto count = static_cast<std::uint64_t>(tuples);
  const Random place_of_checkins(seed, first_stream + 1);
  const Permutation order(count, seed, first_stream);
  std::vector<std::int32_t> a(count);
  std::vector<std::int32_t> x(count);
  for_chunks(count, kTupleGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t number = order(i);
      const std::uint64_t place = number < places.a.size() ? number : popularity(place_of_checkins.at(number));
      a[i] = places.a[place];
      x[i] = places.x[place];
    }
  });
  return {std::move(a), std::move(x)};
}

}  // namespace

std::vector<ParameterDeclaration> coordinates_parameters() {
  std::vector<ParameterDeclaration> all = tuple_parameters();
  const std::vector<ParameterDeclaration> others{
      {"places", 0, 1, 1e9, "different places at scale 1", true},
      {"centres", 1000, 1, 1e6, "towns that places lie around, at any scale", false},
      {"spread", 0.1, 0.0, 10.0, "degrees: standard deviation of a place from its centre", false},
      {"centre_exponent", 0.8, 0.0, 16.0, "of the Zipf law of places a centre; 0: all alike", false},
      {"place_exponent", 0.8, 0.0, 16.0, "of the Zipf law of check-ins a place; 0: all alike", false},
      scale_parameter()};
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

Content generate_coordinates(const Properties& values, std::uint64_t seed, int threads) {
  const TupleCounts tuples = scaled_tuples("coordinates", values);
  const auto scaled = static_cast<double>(integer(values, "places")) * real(values, "scale");
  const auto places = static_cast<std::uint64_t>(std::clamp(std::llround(scaled), 1LL, 1'000'000'000LL));
  const Relation all = make_places(values, places, seed, threads);
  const TokenDraw popularity(token_cells(places, TokenDistribution::zipf, real(values, "place_exponent")));
  Relation r = make_checkins(tuples.r, all, popularity, seed, kCheckinsOfR, threads);
  Relation s = make_checkins(tuples.s, all, popularity, seed, kCheckinsOfS, threads);
  return {Relations{std::move(r), std::move(s)}, {{"places", static_cast<std::int64_t>(places)}}, {}};
}

}  // namespace warpbench::datasets
