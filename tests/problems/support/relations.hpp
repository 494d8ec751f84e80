// Relations for the tests of theta_join: small ones that are awkward, and random ones by seed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "problems/theta_join/problem.hpp"

namespace warpbench::testing {

using datasets::Relation;
using datasets::Relations;

inline constexpr std::int32_t kSmallest = std::numeric_limits<std::int32_t>::min();
inline constexpr std::int32_t kLargest = std::numeric_limits<std::int32_t>::max();

/// Every comparison, conjunctions of two, and conditions on all columns.
inline const std::vector<std::string> kThetas{"R.a > S.a",
                                              "R.a < S.a",
                                              "R.a >= S.a",
                                              "R.x <= S.a",
                                              "R.a = S.x",
                                              "R.x != S.x",
                                              "R.a > S.a and R.x < S.x",
                                              "R.a >= S.x and R.x != S.a",
                                              "R.a <= S.a and R.a = S.x",
                                              "R.x = S.x and R.a > S.a"};

/// Values from -range to range; with range 0 all of 32 bits.
inline std::vector<std::int32_t> random_column(std::mt19937_64& random, std::size_t count, std::int32_t range) {
  std::uniform_int_distribution<std::int32_t> value(range == 0 ? kSmallest : -range, range == 0 ? kLargest : range);
  std::vector<std::int32_t> column(count);
  std::ranges::generate(column, [&] { return value(random); });
  return column;
}

inline Relation random_relation(std::mt19937_64& random, std::size_t count, std::int32_t range) {
  std::vector<std::int32_t> a = random_column(random, count, range);
  return {std::move(a), random_column(random, count, range)};
}

/// With few different values in a small range, so that many are equal.
inline Relations random_relations(std::uint64_t seed, std::size_t r, std::size_t s, std::int32_t range) {
  std::mt19937_64 random(seed);
  Relation of_r = random_relation(random, r, range);
  return {std::move(of_r), random_relation(random, s, range)};
}

/// All tuples alike.
inline Relation equal_tuples(std::size_t count, std::int32_t a, std::int32_t x) {
  return {std::vector<std::int32_t>(count, a), std::vector<std::int32_t>(count, x)};
}

/// Tuples of the extremes of 32 bits and their neighbours, every combination.
inline Relation extreme_tuples() {
  std::vector<std::int32_t> a;
  std::vector<std::int32_t> x;
  for (const std::int32_t key : {kSmallest, kSmallest + 1, -1, 0, 1, kLargest - 1, kLargest}) {
    for (const std::int32_t value : {kSmallest, 0, kLargest}) {
      a.push_back(key);
      x.push_back(value);
    }
  }
  return {std::move(a), std::move(x)};
}

struct NamedRelations {
  std::string name;
  Relations relations;
};

inline std::vector<NamedRelations> awkward_relations() {
  return {{"R is empty", {{}, equal_tuples(5, 1, 2)}},
          {"S is empty", {equal_tuples(5, 1, 2), {}}},
          {"both are empty", {}},
          {"one tuple each", {equal_tuples(1, 3, 1), equal_tuples(1, 2, -7)}},
          {"all keys equal", {equal_tuples(70, 4, 4), equal_tuples(40, 4, 4)}},
          {"extremes", {extreme_tuples(), extreme_tuples()}},
          {"all pairs, sums beyond 32 bits", {equal_tuples(40, kLargest, 0), equal_tuples(300, kSmallest, kLargest)}},
          {"all pairs, negative sums", {equal_tuples(300, kLargest, kSmallest), equal_tuples(33, 0, kSmallest)}},
          {"one of R", random_relations(11, 1, 1000, 50)},
          {"one of S", random_relations(12, 1000, 1, 50)}};
}

}  // namespace warpbench::testing
