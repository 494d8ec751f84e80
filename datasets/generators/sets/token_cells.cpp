#include "datasets/generators/sets/token_cells.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "datasets/generators/fixed_math.hpp"

namespace warpbench::datasets {
namespace {

constexpr std::uint64_t kMaxDensity = std::uint64_t{1} << 62U;

std::vector<TokenCell> zipf_cells(std::uint64_t universe, double exponent, std::uint64_t shift) {
  constexpr std::uint64_t kSingles = 4096;
  constexpr std::uint64_t kWidthShare = 256;
  const auto slope = static_cast<std::uint64_t>(exponent * static_cast<double>(kOne));
  std::vector<TokenCell> cells;
  for (std::uint64_t first = 0; first < universe;) {
    const std::uint64_t width = first < kSingles ? 1 : std::min(first / kWidthShare, universe - first);
    cells.push_back({first, width, power_ratio_q62(first + width / 2 + 1 + shift, 1 + shift, slope)});
    first += width;
  }
  return cells;
}

std::vector<TokenCell> normal_cells(std::uint64_t universe) {
  // z = 4 d / universe for a distance d / 2 from the middle; e^(-z^2 / 2) = 2^-(8 log2(e) d^2 / universe^2).
  constexpr std::uint64_t kEightLog2E = 49'570'624'149;  // Q32
  constexpr std::uint64_t kCells = 8192;
  const std::uint64_t count = std::min(universe, kCells);
  std::vector<TokenCell> cells;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t first = universe * i / count;
    const std::uint64_t next = universe * (i + 1) / count;
    const std::uint64_t twice_middle = first + next;
    const std::uint64_t distance = twice_middle > universe ? twice_middle - universe : universe - twice_middle;
    const std::uint64_t ratio = (distance << 31U) / universe;
    const auto power = static_cast<std::uint64_t>((static_cast<Wide>(ratio * ratio) * kEightLog2E) >> 62U);
    cells.push_back({first, next - first, exp2_minus_q62(power)});
  }
  return cells;
}

/// The cells' shares of all draws, scaled so that the largest is near 2^31, and none is 0.
std::vector<std::uint32_t> weights_of(std::span<const TokenCell> cells) {
  Wide largest = 1;
  for (const TokenCell& cell : cells) largest = std::max(largest, static_cast<Wide>(cell.width) * cell.density);
  unsigned shift = 0;
  while ((largest >> shift) >= (Wide{1} << 31U)) ++shift;
  std::vector<std::uint32_t> weights;
  weights.reserve(cells.size());
  for (const TokenCell& cell : cells) {
    weights.push_back(static_cast<std::uint32_t>((static_cast<Wide>(cell.width) * cell.density) >> shift) + 1);
  }
  return weights;
}

}  // namespace

std::vector<std::string> token_distribution_names() {
  return {"uniform", "normal", "zipf"};
}

TokenDistribution token_distribution_from_string(const std::string& name) {
  return name == "normal" ? TokenDistribution::normal
         : name == "zipf" ? TokenDistribution::zipf
                          : TokenDistribution::uniform;
}

std::vector<TokenCell> token_cells(std::uint64_t universe, TokenDistribution distribution, double exponent,
                                   std::uint64_t shift) {
  switch (distribution) {
    case TokenDistribution::normal:
      return normal_cells(universe);
    case TokenDistribution::zipf:
      if (exponent > 0.0) return zipf_cells(universe, exponent, shift);
      break;
    case TokenDistribution::uniform:
      break;
  }
  return {{0, universe, kMaxDensity}};
}

TokenDraw::TokenDraw(std::vector<TokenCell> cells) : cells_(std::move(cells)), choice_(weights_of(cells_)) {}

Token TokenDraw::operator()(std::uint64_t word) const noexcept {
  const auto part_of = [](std::uint64_t bits, std::uint64_t bound) {
    return static_cast<std::uint64_t>((static_cast<Wide>(bits) * bound) >> 64U);
  };
  const TokenCell& cell = cells_[choice_.find(part_of(word, choice_.total()))];
  return static_cast<Token>(cell.width == 1 ? cell.first : cell.first + part_of(mix64(word), cell.width));
}

}  // namespace warpbench::datasets
