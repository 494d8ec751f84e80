// The reference of theta_join: nested loops; and, for more pairs than they answer in seconds, sorting.
#pragma once

#include <cstdint>

#include "datasets/relations.hpp"
#include "problems/theta_join/predicate.hpp"
#include "problems/theta_join/sum.hpp"

namespace warpbench::theta {

/// A join; the relations outlive it.
struct Join {
  const datasets::Relations* relations = nullptr;
  Predicate predicate;
};

/// Of some or all rows of a join.
struct Found {
  Int128 sum = 0;  ///< of S.x
  std::uint64_t count = 0;
  std::uint64_t digest = 0;  ///< sum of digest_of_row(), where it was asked for

  Found& operator+=(const Found& other) {
    sum += other.sum;
    count += other.count;
    digest += other.digest;
    return *this;
  }
  friend bool operator==(const Found&, const Found&) = default;
};

/// O(|R| |S|), in parallel.
[[nodiscard]] Found by_nested_loops(const Join& join, bool with_digest);

/// By ranges of S in the order of its keys, prefix sums and binary search. A random sample of R's tuples is joined by
/// nested loops, too; throws std::logic_error where they differ. O((|R| + |S|) log |S|), of conjunctions
/// O(|R| sqrt(|S|) log |S|); and O(rows) with a digest. In parallel.
[[nodiscard]] Found by_sorting(const Join& join, bool with_digest);

}  // namespace warpbench::theta
