// Intersection of sets (bellas2022 §6.1.1): of one pair of large sets (SISI), or of all pairs of a collection (MISI).
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

struct SetIntersection {
  static ProblemInfo info();

  enum class Mode { single, multi };

  struct Input {
    const datasets::SetCollection* sets = nullptr;
    Mode mode = Mode::multi;
    bool as_set = false;  ///< single: the common tokens are asked for, not only their number
    pairs::Limits limits = {};

    [[nodiscard]] bool is_single() const { return mode == Mode::single; }
    /// single: the two sets.
    [[nodiscard]] std::span<const datasets::Token> a() const { return sets->set(0); }
    [[nodiscard]] std::span<const datasets::Token> b() const { return sets->set(1); }
    [[nodiscard]] std::map<std::string, double> work() const { return pairs::work(*sets); }
  };
  /// multi: the number of common tokens of each pair. single: of the one pair, and the tokens, ascending, if asked for.
  struct Answer {
    pairs::Answer counts;
    std::uint64_t common = 0;
    std::span<std::uint32_t> tokens;

    [[nodiscard]] std::uint64_t digest() const;
    void poison() {
      counts.poison();
      common = kPoison;
      std::ranges::fill(tokens, kPoison);
    }
  };
  struct Reference {
    pairs::Values counts;
    std::uint64_t common = 0;
    std::vector<std::uint32_t> tokens;

    [[nodiscard]] auto parts() const { return std::tie(counts, common, tokens); }
  };

  /// Throws InputError where `mode: single` is asked of other than two sets.
  static Input input(const datasets::Dataset& dataset, const Parameters& task);
  /// single: each token of the smaller set is looked for in the larger, O(min log max). multi: pairs::reference().
  static Reference reference(const Input& input);
  /// Exact or wrong. Metrics: `common` (single), the number of common tokens.
  static Judgement judge(const Input& input, const Answer& answer, const Reference& reference);
  static Reference read_reference(const Input& input, ReferenceReader& stored);
};

}  // namespace warpbench
