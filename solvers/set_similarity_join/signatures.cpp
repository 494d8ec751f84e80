#include "solvers/set_similarity_join/signatures.hpp"

#include <algorithm>
#include <cmath>

namespace warpbench::similarity {
namespace {

constexpr int kMostWords = 4;
/// Signatures should differ in this many times the bits that similar sets may differ in.
constexpr double kMargin = 1.5;

/// The bits, of `bits`, in which signatures of sets differ that differ in `tokens` tokens, on average.
double differing_bits(double bits, double tokens) {
  return bits / 2 * (1 - std::exp(-2 * tokens / bits));
}

}  // namespace

int words_for(const OrderedSets& sets, const Bounds& bounds) {
  const auto mean = static_cast<std::uint32_t>(sets.sets.total() / std::max<std::int64_t>(1, sets.count()));
  const std::uint32_t size = std::max<std::uint32_t>(1, mean);
  const double allowed = 2.0 * (size - bounds.min_overlap(size, size));
  int words = 1;
  while (words < kMostWords && differing_bits(64.0 * words, 2.0 * size) < kMargin * allowed) words *= 2;
  return words;
}

void rebuild(Signatures& signatures, const OrderedSets& sets, int words, int threads) {
  signatures.words = words;
  signatures.bits.resize(static_cast<std::size_t>(sets.count()) * static_cast<std::size_t>(words));
  const auto mask = static_cast<std::uint32_t>(64 * words - 1);
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
  for (std::int64_t set = 0; set < sets.count(); ++set) {
    std::uint64_t* const bits = signatures.bits.data() + set * words;
    std::fill_n(bits, words, 0);
    for (const datasets::Token token : sets.sets.set(set)) {
      const std::uint32_t bit = token * 0x9e3779b1U >> 20U & mask;
      bits[bit / 64] ^= std::uint64_t{1} << bit % 64;
    }
  }
}

}  // namespace warpbench::similarity
