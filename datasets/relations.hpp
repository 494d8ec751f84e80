// Relations: two relations R and S of tuples (id, a, x), the input of theta_join (bellas2022 §3.3). A tuple's id is its
// number; a and x are any 32-bit integers, and may repeat.
#pragma once

#include <cstdint>
#include <limits>

#include "datasets/array.hpp"
#include "datasets/kind.hpp"
#include "datasets/parameters/property.hpp"

namespace warpbench::datasets {

/// The maximum number of tuples of a relation: ids are 32-bit signed integers in the document's layouts.
inline constexpr std::int64_t kMaxTuples = std::numeric_limits<std::int32_t>::max();

/// Column by column.
struct Relation {
  Array<std::int32_t> a;
  Array<std::int32_t> x;

  [[nodiscard]] std::int64_t count() const noexcept { return static_cast<std::int64_t>(a.size()); }

  friend bool operator==(const Relation&, const Relation&) = default;
};

struct Relations {
  static constexpr Kind kKind = Kind::Relation;

  Relation r;
  Relation s;

  /// Checks that the columns of a relation have one length of at most kMaxTuples. Throws InputError("relations", …).
  void validate() const;

  /// r_tuples, s_tuples, and for each column its smallest and largest value, 0 if it is empty, and the number of
  /// distinct ones (r_a_smallest, …, s_x_distinct); selectivity_greater: the share of all pairs with R.a > S.a, exact,
  /// 0 without pairs. O((r + s) log(r + s)).
  [[nodiscard]] Properties describe() const;

  /// The arrays in canonical order, for the digest and the cache (see dataset.hpp).
  template <typename Self, typename Visitor>
  static void visit_arrays(Self& self, Visitor&& visit) {
    visit("r_a", self.r.a);
    visit("r_x", self.r.x);
    visit("s_a", self.s.a);
    visit("s_x", self.s.x);
  }

  friend bool operator==(const Relations&, const Relations&) = default;
};

}  // namespace warpbench::datasets
