// Intersection of sets (bellas2022 §6.1.1): of one pair of large sets (SISI), or of all pairs of a collection (MISI).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "problems/rules.hpp"
#include "problems/sets/pairs.hpp"

namespace warpbench {

struct SetIntersection {
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
  };
  /// multi: the number of common tokens of each pair. single: of the one pair, and the tokens, ascending, if asked for.
  struct Answer {
    pairs::Answer counts;
    std::uint64_t common = 0;
    std::span<std::uint32_t> tokens;
  };
  struct Reference {
    pairs::Values counts;
    std::uint64_t common = 0;
    std::vector<std::uint32_t> tokens;
  };

  static ProblemInfo info();
  /// Throws InputError where `mode: single` is asked of other than two sets.
  static Input input(const datasets::Dataset& dataset, const Parameters& task);
  /// single: each token of the smaller set is looked for in the larger, O(min log max). multi: pairs::reference().
  static Reference reference(const Input& input);
  /// Exact or wrong. Metrics: `common` (single), the number of common tokens.
  static Judgement judge(const Input& input, const Answer& answer, const Reference& reference);
  static std::uint64_t digest(const Answer& answer);
  /// pairs::work().
  static std::map<std::string, double> work(const Input& input);
  static std::vector<std::byte> to_bytes(const Reference& reference);
  static Reference from_bytes(const Input& input, std::span<const std::byte> bytes);
};

}  // namespace warpbench
