// Judgement: what became of an answer when it was compared with the truth.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

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

/// 64 well-mixed bits of `x` (the finalizer of splitmix64): digests of answers are sums of mixed tuples, so that
/// they do not depend on order and can be computed where the tuples are, on a GPU too.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// The digest of an answer that is one value a place: the sum over places of mix64(mix64(place) ^ value), plus the
/// number of places. O(places), in parallel.
std::uint64_t digest_of_places(std::span<const std::uint32_t> values);

}  // namespace warpbench
