// fewest(): the least effort that is enough.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace warpbench::nearest_neighbors {

/// attempt(n) for the fewest n of 1 .. most whose attempt `reaches`; for `most` where none does. With an n that
/// reaches, every larger one does. n is doubled until it is enough, so that no attempt takes much more than twice the
/// effort of the one that is found. O(log n) attempts.
template <typename Attempt>
auto fewest(std::int64_t most, const Attempt& attempt) {
  std::int64_t low = 1;
  std::int64_t high = 1;
  auto found = attempt(high);
  while (!found.reaches && high < most) {
    low = high + 1;
    high = std::min(2 * high, most);
    found = attempt(high);
  }
  while (found.reaches && low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    auto tried = attempt(middle);
    if (tried.reaches) {
      high = middle;
      found = std::move(tried);
    } else {
      low = middle + 1;
    }
  }
  return found;
}

}  // namespace warpbench::nearest_neighbors
