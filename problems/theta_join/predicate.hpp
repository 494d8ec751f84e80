// The join condition θ of theta_join: a comparison of a column of R with one of S, or a conjunction of two. Solvers on
// a GPU get it as a functor, one type for each comparison, so that any θ works and none is known beforehand.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "device/view.hpp"

namespace warpbench::theta {

enum class Comparison { less, less_equal, greater, greater_equal, equal, not_equal };
enum class Column { a, x };

/// `R.<r> <comparison> S.<s>`
struct Condition {
  Column r = Column::a;
  Comparison comparison = Comparison::greater;
  Column s = Column::a;

  friend bool operator==(const Condition&, const Condition&) = default;
};

/// Both conditions, or the first alone.
struct Predicate {
  Condition first;
  Condition second;
  bool is_conjunction = false;

  friend bool operator==(const Predicate&, const Predicate&) = default;
};

/// `R.a > S.a`, `R.a < S.a and R.x >= S.x`: six comparisons (<, <=, >, >=, =, !=), columns a and x, R on the left.
/// Throws std::invalid_argument that shows what was expected.
[[nodiscard]] Predicate parse(const std::string& text);
[[nodiscard]] std::string to_string(const Predicate& predicate);

/// What a tuple of R, or of S, brings to θ: the values that its conditions compare. A predicate of one condition has
/// twice the same.
struct Keys {
  std::int32_t first = 0;
  std::int32_t second = 0;
};

/// θ of one condition.
template <Comparison kComparison>
struct Single {
  WARPBENCH_HOST_DEVICE bool operator()(const Keys& r, const Keys& s) const {
    if constexpr (kComparison == Comparison::less) return r.first < s.first;
    if constexpr (kComparison == Comparison::less_equal) return r.first <= s.first;
    if constexpr (kComparison == Comparison::greater) return r.first > s.first;
    if constexpr (kComparison == Comparison::greater_equal) return r.first >= s.first;
    if constexpr (kComparison == Comparison::equal) return r.first == s.first;
    return r.first != s.first;
  }
};

/// θ of two conditions, each a set of the outcomes that satisfy it: 1 less, 2 equal, 4 greater.
struct Conjunction {
  unsigned first = 0;
  unsigned second = 0;

  WARPBENCH_HOST_DEVICE bool operator()(const Keys& r, const Keys& s) const {
    return (outcome(r.first, s.first) & first) != 0 && (outcome(r.second, s.second) & second) != 0;
  }

 private:
  WARPBENCH_HOST_DEVICE static unsigned outcome(std::int32_t r, std::int32_t s) {
    return r < s ? 1U : r == s ? 2U : 4U;
  }
};

/// Calls body(functor) with the functor of the predicate: one of seven types.
template <typename Body>
decltype(auto) with_functor(const Predicate& predicate, const Body& body) {
  if (predicate.is_conjunction) {
    constexpr std::array<unsigned, 6> kOutcomes{1, 3, 4, 6, 2, 5};  // in the order of Comparison
    return body(Conjunction{kOutcomes.at(static_cast<std::size_t>(predicate.first.comparison)),
                            kOutcomes.at(static_cast<std::size_t>(predicate.second.comparison))});
  }
  switch (predicate.first.comparison) {
    case Comparison::less:
      return body(Single<Comparison::less>{});
    case Comparison::less_equal:
      return body(Single<Comparison::less_equal>{});
    case Comparison::greater:
      return body(Single<Comparison::greater>{});
    case Comparison::greater_equal:
      return body(Single<Comparison::greater_equal>{});
    case Comparison::equal:
      return body(Single<Comparison::equal>{});
    default:
      return body(Single<Comparison::not_equal>{});
  }
}

}  // namespace warpbench::theta
