// The sizes of a collection's sets: all alike, by a power law, or log-normal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "datasets/generators/random.hpp"
#include "datasets/parameters/declared.hpp"

namespace warpbench::datasets {

/// The sizes of the sets of a collection, each a function of the set's number.
class SetSizes {
 public:
  /// Reads mean_size, min_size, max_size, size_exponent, largest_share and size_spread. Throws InputError(where) if
  /// they do not go together.
  SetSizes(const std::string& where, std::uint64_t sets, std::uint64_t universe, const Properties& values,
           std::uint64_t seed, int threads);

  /// The largest size that a set may have.
  [[nodiscard]] std::uint64_t largest() const noexcept { return largest_; }
  /// The size of set i. Fractions of a token are rounded up as often as their value says.
  [[nodiscard]] std::uint64_t operator()(std::uint64_t i) const noexcept;

 private:
  /// min_size plus a log-normal number, in 1/256 token.
  [[nodiscard]] std::uint64_t log_normal(std::uint64_t i) const noexcept;

  double mean_;
  std::uint64_t smallest_;
  std::uint64_t largest_;
  std::vector<std::uint32_t> weights_;  // the power law: sizes by rank, descending, in 1/256 token; else empty
  std::int64_t spread_ = 0;             // of log2(size - smallest), Q32; 0 unless log-normal
  std::int64_t from_largest_ = 0;       // log2((largest - smallest) / median of size - smallest), Q32
  Permutation rank_;                    // sizes by a power law come in random order
  Random rounding_;
  Random normal_;
};

}  // namespace warpbench::datasets
