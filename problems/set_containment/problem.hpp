// Containment of sets (bellas2022 §6.1.2, §6.3): for all pairs of a collection (MISC), whether the smaller set is
// contained in the larger, or to which degree: |A ∩ B| / min(|A|, |B|). Equal sets contain each other; the empty set is
// contained in every set, to the degree 1.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "problems/rules.hpp"
#include "problems/sets/pairs.hpp"

namespace warpbench {

struct SetContainment {
  static ProblemInfo info();

  enum class Output { degree, contained };

  struct Input {
    const datasets::SetCollection* sets = nullptr;
    Output output = Output::degree;
    pairs::Limits limits = {};

    [[nodiscard]] std::map<std::string, double> work() const { return pairs::work(*sets); }
  };
  /// Of each pair value_of(): the bits of a float, or 0 or 1.
  using Answer = pairs::Answer;
  using Reference = pairs::Values;

  static Input input(const datasets::Dataset& dataset, const Parameters& task);
  static Reference reference(const Input& input);
  /// Exact or wrong. Metrics: `contained`, the number of pairs with the smaller set in the larger; where the values are
  /// kept.
  static Judgement judge(const Input& input, const Answer& answer, const Reference& reference);
  static Reference read_reference(const Input& input, ReferenceReader& stored);
};

/// The degree of containment as a float's bits, or whether it is 1. The quotient is rounded as IEEE 754 says, on every
/// processor alike, so that answers are compared bit by bit.
[[nodiscard]] std::uint32_t value_of(SetContainment::Output output, std::uint32_t common, std::int64_t a,
                                     std::int64_t b);

}  // namespace warpbench
