// AllPairsValues: the values of all pairs as a CPU solver keeps them. Those of large collections are made band by band
// in the same memory, and only their digests are kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problems/sets/pairs.hpp"
#include "solvers/phases.hpp"

namespace warpbench::cpu_sets {

class AllPairsValues {
 public:
  AllPairsValues() = default;
  /// Whole where there are at most `limits.kept` pairs, else in bands.
  AllPairsValues(std::int64_t sets, const pairs::Limits& limits)
      : keeps_(pairs::count(sets) <= limits.kept),
        bands_(keeps_ ? pairs::one_band(sets) : pairs::bands(sets, limits.in_band)),
        values_(pairs::max_places(bands_)),
        digests_(keeps_ ? 0 : bands_.size()) {}

  /// fill(band, values) for one band after another; it writes every value, place by place. The digests are the judge's
  /// and not in the solver's time.
  template <typename Fill>
  void make(Phases& phases, const Fill& fill) {
    for (std::size_t i = 0; i < bands_.size(); ++i) {
      const std::span<std::uint32_t> values = std::span(values_).first(bands_[i].places);
      fill(bands_[i], values);
      if (keeps_) continue;
      const auto scope = phases.untimed("digest");
      digests_[i] = pairs::digest_of_band(values, bands_[i].first_place);
    }
  }

  [[nodiscard]] pairs::Answer answer() { return keeps_ ? pairs::Answer{values_, {}} : pairs::Answer{{}, digests_}; }

 private:
  bool keeps_ = true;
  std::vector<pairs::Band> bands_;
  std::vector<std::uint32_t> values_;
  std::vector<std::uint64_t> digests_;
};

/// The values of one row of a band: of (row, row + 1), (row, row + 2), ….
[[nodiscard]] inline std::span<std::uint32_t> row_of(std::int64_t sets, const pairs::Band& band,
                                                     std::span<std::uint32_t> values, std::int64_t row) {
  return values.subspan(pairs::first_place(sets, row) - band.first_place, static_cast<std::size_t>(sets - row - 1));
}

}  // namespace warpbench::cpu_sets
