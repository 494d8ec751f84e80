// Collections of sets for the tests of set_intersection and set_containment: small ones that are awkward, and random
// ones by seed.
#pragma once

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "datasets/sets.hpp"

namespace warpbench::testing {

using Tokens = std::vector<datasets::Token>;

inline datasets::SetCollection sets_of(const std::vector<Tokens>& all) {
  std::vector<std::uint64_t> offsets{0};
  std::vector<datasets::Token> tokens;
  for (const Tokens& set : all) {
    tokens.insert(tokens.end(), set.begin(), set.end());
    offsets.push_back(tokens.size());
  }
  return datasets::build_sets(offsets, tokens, 1);
}

/// first, first + step, …: `count` tokens.
inline Tokens arithmetic(datasets::Token first, datasets::Token step, std::size_t count) {
  Tokens tokens(count);
  for (std::size_t i = 0; i < count; ++i) tokens[i] = first + step * static_cast<datasets::Token>(i);
  return tokens;
}

/// `count` sets of up to `size` tokens below `universe`, small tokens more often.
inline datasets::SetCollection random_sets(std::uint64_t seed, std::size_t count, std::size_t size,
                                           std::uint32_t universe) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> share(0, 1);
  std::vector<Tokens> all(count);
  for (Tokens& set : all) {
    set.resize(static_cast<std::size_t>(share(random) * static_cast<double>(size)));
    for (datasets::Token& token : set) {
      token = static_cast<datasets::Token>(share(random) * share(random) * universe);
    }
  }
  return sets_of(all);
}
/// Of random sizes.
inline datasets::SetCollection random_sets(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  return random_sets(seed, random() % 60, random() % 120, static_cast<std::uint32_t>(1 + random() % 500));
}

struct NamedSets {
  std::string name;
  datasets::SetCollection sets;
};

inline constexpr datasets::Token kLastToken = 0xffffffffU;

inline std::vector<NamedSets> adversarial_sets() {
  std::vector<NamedSets> all;
  all.push_back({"no set", sets_of({})});
  all.push_back({"one set", sets_of({{1, 2, 3}})});
  all.push_back({"empty sets", sets_of({{}, {}, {}})});
  all.push_back({"an empty set among others", sets_of({{5}, {}, {5, 7}, {}})});
  all.push_back({"the first and the last token", sets_of({{0}, {kLastToken}, {0, kLastToken}, {0, 1, kLastToken}})});
  all.push_back({"equal sets", sets_of(std::vector<Tokens>(70, arithmetic(3, 2, 50)))});
  all.push_back({"disjoint sets", sets_of({arithmetic(0, 1, 40), arithmetic(40, 1, 40), arithmetic(80, 1, 40)})});
  all.push_back({"interleaved sets", sets_of({arithmetic(0, 2, 100), arithmetic(1, 2, 100), arithmetic(0, 1, 200)})});
  all.push_back({"one token and thousands", sets_of({{4000}, arithmetic(0, 1, 5000), {1}, arithmetic(1, 2, 3000)})});
  std::vector<Tokens> nested;
  for (std::size_t i = 0; i < 40; ++i) nested.push_back(arithmetic(0, 3, i));
  all.push_back({"each set in the next", sets_of(nested)});
  std::vector<Tokens> hashed;
  for (datasets::Token i = 0; i < 6; ++i) hashed.push_back(arithmetic(i % 2, 256, 60));
  all.push_back({"tokens a power of two apart", sets_of(hashed)});
  return all;
}

inline std::vector<NamedSets> adversarial_pairs() {
  std::vector<NamedSets> all;
  all.push_back({"two empty sets", sets_of({{}, {}})});
  all.push_back({"an empty set and another", sets_of({{}, {1, 2}})});
  all.push_back({"equal tokens", sets_of({{7}, {7}})});
  all.push_back({"the first and the last token", sets_of({{0, kLastToken}, {0, 5, kLastToken}})});
  all.push_back({"equal sets", sets_of({arithmetic(0, 3, 3000), arithmetic(0, 3, 3000)})});
  all.push_back({"disjoint, one after the other", sets_of({arithmetic(0, 1, 1500), arithmetic(1500, 1, 2500)})});
  all.push_back({"disjoint, interleaved", sets_of({arithmetic(0, 2, 2000), arithmetic(1, 2, 2000)})});
  all.push_back({"hugely unequal", sets_of({arithmetic(0, 1, 9000), {8999}})});
  all.push_back({"tokens a power of two apart", sets_of({arithmetic(0, 1024, 1200), arithmetic(2048, 1024, 2000)})});
  all.push_back({"every third", sets_of({arithmetic(0, 3, 3000), arithmetic(0, 1, 9000)})});
  return all;
}

}  // namespace warpbench::testing
