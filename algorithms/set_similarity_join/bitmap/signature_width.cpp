#include "algorithms/set_similarity_join/bitmap/signature_width.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>

#include "algorithms/set_similarity_join/engine/signature_bit.hpp"
#include "device/mix64.hpp"

namespace warpbench::similarity {
namespace {

constexpr std::uint32_t kBits = 32;       ///< of a word
constexpr std::int64_t kUsualBits = 128;  ///< where there is no pair to tell more
constexpr std::uint32_t kMaxWords = 64;
constexpr std::size_t kWidths = std::bit_width(kMaxWords);  ///< 1, 2, 4, … kMaxWords words
constexpr std::uint64_t kPairs = 4096;                      ///< that the lengths leave
constexpr std::uint64_t kMostDraws = 32 * kPairs;
/// What an H100 took (docs/performance/set-similarity-joins.md): to compare a pair 0.79 ps with 32 bits and 1.36 with
/// 128; to list and verify a candidate 0.54 ns of sets of 8 tokens, and 0.75 of sets of 88.
constexpr double kPairPicoseconds = 0.6;
constexpr double kWordPicoseconds = 0.19;
constexpr double kCandidatePicoseconds = 520;
constexpr double kTokenPicoseconds = 1.3;

/// In how many bits the signatures of two sets differ, for each width.
std::array<int, kWidths> differences(std::span<const datasets::Token> a, std::span<const datasets::Token> b) {
  std::array<std::uint32_t, kMaxWords> words{};
  for (const auto set : {a, b}) {
    for (const datasets::Token token : set) {
      const std::uint32_t bit = signature_bit(token, kMaxWords * kBits);
      words[bit / kBits] ^= 1U << (bit % kBits);
    }
  }
  std::array<int, kWidths> different{};
  std::size_t count = kMaxWords;
  for (std::size_t width = kWidths; width-- > 0; count /= 2) {
    for (std::size_t k = 0; k < count; ++k) different[width] += std::popcount(words[k]);
    for (std::size_t k = 0; k < count / 2; ++k) words[k] ^= words[k + count / 2];
  }
  return different;
}

}  // namespace

ParameterSpec signature_bits_parameter() {
  return parameter("signature_bits", 128)
      .range(0, 4096)
      .multiple_of(32)
      .power_of_two()
      .alias("auto", 0)
      .document({32, 64, 128, 256, 512, 1024, 2048, 4096})
      .in("bits")
      .means("size of a signature; auto: by a sample of the pairs")
      .at(Stage::prepare);
}

std::int64_t cheapest_signature_bits(const OrderedSets& sets, const Bounds& bounds) {
  std::array<double, kWidths> picoseconds{};
  const auto count = static_cast<std::uint64_t>(sets.count());
  if (count < 2) return kUsualBits;
  std::uint64_t pairs = 0;
  for (std::uint64_t pair = 0; pair < kMostDraws && pairs < kPairs; ++pair) {
    auto i = static_cast<std::int64_t>(mix64(2 * pair) % count);
    auto j = static_cast<std::int64_t>(mix64(2 * pair + 1) % count);
    if (j < i) std::swap(i, j);
    const auto a = static_cast<std::uint32_t>(sets.sets.size(i));
    const auto b = static_cast<std::uint32_t>(sets.sets.size(j));
    if (i == j || !sets.joins(i, j) || a < bounds.min_size(b)) continue;
    ++pairs;
    const std::int64_t most = std::int64_t{a} + b - 2 * std::int64_t{bounds.min_overlap(a, b)};
    const std::array<int, kWidths> different = differences(sets.sets.set(i), sets.sets.set(j));
    for (std::size_t width = 0; width < kWidths; ++width) {
      picoseconds[width] += kPairPicoseconds + kWordPicoseconds * static_cast<double>(std::size_t{1} << width);
      if (different[width] <= most) {
        picoseconds[width] += kCandidatePicoseconds + kTokenPicoseconds * (static_cast<double>(a) + b);
      }
    }
  }
  if (pairs == 0) return kUsualBits;
  return std::int64_t{kBits} << (std::ranges::min_element(picoseconds) - picoseconds.begin());
}

}  // namespace warpbench::similarity
