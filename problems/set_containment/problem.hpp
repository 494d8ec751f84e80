// Containment of sets (bellas2022 §6.1.2, §6.3): for all pairs of a collection (MISC), whether the smaller set is
// contained in the larger, or to which degree: |A ∩ B| / min(|A|, |B|). Equal sets contain each other; the empty set is
// contained in every set, to the degree 1. An answer has a value for each pair, or the contained pairs alone: they are
// few where sets are small, so that a million sets can be joined.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "problems/rules.hpp"
#include "problems/sets/pairs.hpp"

namespace warpbench {

struct SetContainment {
  static ProblemInfo info();

  enum class Output { degree, contained, pairs };

  struct Input {
    const datasets::SetCollection* sets = nullptr;
    Output output = Output::degree;
    pairs::Limits limits = {};

    [[nodiscard]] std::map<std::string, double> work() const { return pairs::work(*sets); }
  };
  /// Of each pair value_of(): the bits of a float, or 0 or 1. Of `pairs` instead the places of those whose value is 1
  /// (problems/sets/pairs.hpp), ascending.
  struct Answer : pairs::Answer {
    std::span<std::uint64_t> places = {};

    [[nodiscard]] std::uint64_t digest() const;
    void poison() {
      pairs::Answer::poison();
      std::ranges::fill(places, kPoison);
    }
  };
  struct Reference : pairs::Values {
    std::vector<std::uint64_t> places;

    [[nodiscard]] auto parts() const { return std::tie(kept, band_digests, places); }
  };

  static Input input(const datasets::Dataset& dataset, const Parameters& task);
  /// pairs::reference(); of `pairs`, contained_pairs().
  static Reference reference(const Input& input);
  /// Exact or wrong. Metrics: `contained`, the number of pairs with the smaller set in the larger; where values are
  /// kept, or pairs are asked for.
  static Judgement judge(const Input& input, const Answer& answer, const Reference& reference);
  static Reference read_reference(const Input& input, ReferenceReader& stored);
};

/// The places of the pairs in which one set holds the other, ascending. The lists of a set's tokens are intersected,
/// the shortest first. O(sum over sets of their shortest list × log sets × tokens that it takes), in parallel over
/// sets.
[[nodiscard]] std::vector<std::uint64_t> contained_pairs(const datasets::SetCollection& sets);

/// The degree of containment as a float's bits, or whether it is 1. The quotient is rounded as IEEE 754 says, on every
/// processor alike, so that answers are compared bit by bit.
[[nodiscard]] std::uint32_t value_of(SetContainment::Output output, std::uint32_t common, std::int64_t a,
                                     std::int64_t b);

}  // namespace warpbench
