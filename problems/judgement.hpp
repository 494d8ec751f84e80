// Judgement: what became of an answer when it was compared with the truth.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "device/mix64.hpp"

namespace warpbench {

enum class Verdict { exact, approximate, wrong };
const char* to_string(Verdict verdict);

struct Judgement {
  Verdict verdict = Verdict::wrong;
  std::map<std::string, double> metrics;  ///< recall, rmse, total, …
  std::string difference;                 ///< for `wrong`: the first difference, expected and found
};

/// The judgement on an answer that differs from the truth: what was expected and what was found where.
Judgement wrong(std::string difference);

/// The digest of an answer that is one value a place: the sum over places of mix64(place, value), plus the
/// number of places. O(places), in parallel.
std::uint64_t digest_of_places(std::span<const std::uint32_t> values);

}  // namespace warpbench
