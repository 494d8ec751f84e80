// Shared by the two problems of sets: their inputs.
#pragma once

#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/device.hpp"
#include "tests/conformance/support/inputs.hpp"
#include "tests/problems/support/real_sets.hpp"
#include "tests/problems/support/sets.hpp"

namespace warpbench::conformance {

template <typename T>
void append(std::vector<T>& all, std::vector<T> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// Each collection under each task. Bitmaps and matrices as wide as a universe of millions take half a gigabyte a set.
template <typename Problem>
std::vector<Case<Problem>> set_cases(const std::vector<testing::NamedSets>& collections,
                                     const std::vector<std::map<std::string, Value>>& tasks) {
  constexpr std::int64_t kWide = 1 << 20;
  std::vector<Case<Problem>> cases;
  for (const auto& [name, sets] : collections) {
    for (const auto& task : tasks) {
      cases.push_back(case_of<Problem>(name, sets, task));
      cases.back().is_wide = sets.universe() > kWide;
    }
  }
  return cases;
}

inline std::vector<testing::NamedSets> random_collections(std::uint64_t seed, std::uint64_t count) {
  std::vector<testing::NamedSets> collections;
  for (std::uint64_t i = seed; i < seed + count; ++i) {
    collections.push_back({"random, seed " + std::to_string(i), testing::random_sets(i)});
  }
  return collections;
}

/// The largest sets of those files that are here.
inline std::vector<testing::NamedSets> real_collections() {
  std::vector<testing::NamedSets> collections;
  for (const testing::RealSets& file : testing::kRealSets) {
    std::optional<datasets::SetCollection> sets = testing::largest_of(file, backend_name() == "simt" ? 24 : 3000);
    if (sets) collections.push_back({file.path, *std::move(sets)});
  }
  return collections;
}

}  // namespace warpbench::conformance
