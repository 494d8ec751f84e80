// Collections for the tests of set similarity joins: random ones with near-duplicates, and awkward ones. Thresholds:
// such that pairs just reach them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "problems/set_similarity_join/problem.hpp"
#include "tests/problems/support/sets.hpp"

namespace warpbench::testing {

/// As specs give them: decimals, and the doubles nearest to fractions.
inline const std::vector<double> kThresholds{0.1, 0.2, 0.3,  0.4,     0.5,     0.6,     0.7,     0.8,
                                             0.9, 1.0, 0.95, 1.0 / 3, 2.0 / 3, 3.0 / 7, 8.0 / 9, 0.001};

inline const std::vector<std::string> kMeasures{"jaccard", "cosine", "dice"};

/// The measure as a task names it.
inline similarity::Measure measure_of(const std::string& name) {
  using similarity::Measure;
  return name == "cosine" ? Measure::cosine : name == "dice" ? Measure::dice : Measure::jaccard;
}

struct SimilarSetsOptions {
  std::size_t count = 30;
  std::size_t size = 20;  ///< up to
  std::uint32_t universe = 80;
  double copies = 0.6;  ///< the share of sets that are made of an earlier one
};

/// Sets of which some are copies of earlier ones, with up to a third of their tokens replaced, dropped or added; one in
/// three copies is exact. Small tokens are frequent. Few sets are empty.
inline datasets::SetCollection similar_sets(std::uint64_t seed, const SimilarSetsOptions& options) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> share(0, 1);
  const auto token = [&] {
    return static_cast<datasets::Token>(share(random) * share(random) * static_cast<double>(options.universe));
  };
  std::vector<Tokens> all;
  while (all.size() < options.count) {
    Tokens set;
    if (!all.empty() && share(random) < options.copies) {
      set = all[random() % all.size()];
      const std::size_t changes = random() % 3 == 0 ? 0 : random() % (1 + set.size() / 3);
      for (std::size_t change = 0; change < changes; ++change) {
        const std::size_t place = random() % set.size();
        if (random() % 3 == 0) {
          set.erase(set.begin() + static_cast<std::ptrdiff_t>(place));
        } else if (random() % 2 == 0) {
          set.push_back(token());
        } else {
          set[place] = token();
        }
        if (set.empty()) break;
      }
    } else {
      set.resize(random() % (options.size + 1));
      std::ranges::generate(set, token);
    }
    all.push_back(std::move(set));
  }
  return sets_of(all);
}
/// Of random sizes, tiny.
inline datasets::SetCollection similar_sets(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  return similar_sets(seed, {random() % 40, 1 + random() % 30, static_cast<std::uint32_t>(1 + random() % 150)});
}

/// As adversarial_sets(), and: sets that just reach thresholds, and one giant set.
inline std::vector<NamedSets> awkward_similar_sets() {
  std::vector<NamedSets> all = adversarial_sets();
  // Runs of 1 to 20 tokens: sizes a < b share a, so that similarities are all simple fractions.
  std::vector<Tokens> runs;
  for (std::size_t size = 1; size <= 20; ++size) runs.push_back(arithmetic(0, 1, size));
  all.push_back({"runs of 1 to 20 tokens", sets_of(runs)});
  std::vector<Tokens> shifted;
  for (datasets::Token i = 0; i < 20; ++i) shifted.push_back(arithmetic(i, 1, 19));
  all.push_back({"runs of 19 tokens, one further each", sets_of(shifted)});
  std::vector<Tokens> beside_giant{arithmetic(0, 1, 3000), arithmetic(0, 1, 2990), {}, {}, {7}};
  for (datasets::Token i = 0; i < 12; ++i) beside_giant.push_back(arithmetic(100 * i, 1, 5));
  all.push_back({"a giant set, nearly a copy of it, and small ones", sets_of(beside_giant)});
  return all;
}

}  // namespace warpbench::testing
