#include "datasets/generators/sets/near_duplicates.hpp"

#include <algorithm>
#include <cmath>

#include "datasets/generators/fixed_math.hpp"

namespace warpbench::datasets {
namespace {

enum CopyStream : std::uint64_t { kCopies = 329, kOriginals, kReplacements, kDropped };

std::uint64_t q32(double share) {
  return static_cast<std::uint64_t>(std::llround(share * static_cast<double>(kOne)));
}

}  // namespace

NearDuplicates::NearDuplicates(double share, double replaced, std::uint64_t seed)
    : share_(q32(share)),
      replaced_(q32(replaced)),
      copies_(seed, kCopies),
      originals_(seed, kOriginals),
      replacements_(seed, kReplacements),
      dropped_(seed, kDropped) {}

std::optional<std::uint64_t> NearDuplicates::original_of(std::uint64_t i) const noexcept {
  constexpr std::uint64_t kTries = 64;
  if (!is_copy(i)) return std::nullopt;
  for (std::uint64_t attempt = 0; attempt < kTries; ++attempt) {
    const std::uint64_t original = originals_.below(i, i * kTries + attempt);
    if (!is_copy(original)) return original;
  }
  return std::nullopt;
}

std::vector<Token> NearDuplicates::kept(std::uint64_t i, std::span<const Token> original) const {
  const std::uint64_t word = replacements_.at(i);
  const std::uint64_t share = (replaced_ * (word >> 32U)) >> 32U;  // uniform up to the largest share, Q32
  const std::uint64_t rounding = word & (kOne - 1);
  const std::uint64_t replaced =
      std::clamp<std::uint64_t>((original.size() * share + rounding) >> 32U, 1, original.size());
  std::uint64_t wanted = original.size() - replaced;
  std::uint64_t left = original.size();
  std::vector<Token> kept;
  kept.reserve(wanted);
  for (const Token token : original) {
    if (dropped_.below(left, (i << 32U) + left) < wanted) {
      kept.push_back(token);
      --wanted;
    }
    --left;
  }
  return kept;
}

}  // namespace warpbench::datasets
