// Judgement: what became of an answer when it was compared with the truth.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "device/mix64.hpp"

namespace warpbench {

/// Stands where an answer was overwritten: no count, id or digest that a test meets.
inline constexpr std::uint32_t kPoison = 0xdbdbdbdbU;

/// `unverified`: nothing wrong was found, but no reference was there to compare with.
enum class Verdict { exact, approximate, wrong, unverified };
const char* to_string(Verdict verdict);

struct Judgement {
  Verdict verdict = Verdict::wrong;
  /// recall, rmse, total, …; `unverified_…`: a number of the answer that no reference verified, the same in all right
  /// answers, so that solvers can be compared with each other.
  std::map<std::string, double> metrics;
  std::string difference;  ///< for `wrong`: the first difference, expected and found; for `unverified`: why
};

/// The judgement on an answer that differs from the truth: what was expected and what was found where.
Judgement wrong(std::string difference);

/// The digest of an answer that is one value a place: the sum over places of mix64(place, value), plus the
/// number of places. O(places), in parallel.
std::uint64_t digest_of_places(std::span<const std::uint32_t> values);

}  // namespace warpbench
