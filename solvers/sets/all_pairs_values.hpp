// AllPairsValues: the values of all pairs as a CPU solver keeps them. Those of large collections are made band by band
// in the same memory, and only their digests are kept; or of each band the places of values that are 1.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problems/sets/pairs.hpp"
#include "solvers/phases.hpp"

namespace warpbench::cpu_sets {

class AllPairsValues {
 public:
  enum class Kept { values, places };

  AllPairsValues() = default;
  /// Values whole where there are at most `limits.kept` pairs, else in bands.
  AllPairsValues(std::int64_t sets, const pairs::Limits& limits, Kept kept = Kept::values)
      : kept_(kept),
        keeps_(kept == Kept::values && pairs::count(sets) <= limits.kept),
        bands_(keeps_ ? pairs::one_band(sets) : pairs::bands(sets, limits.in_band)),
        values_(pairs::max_places(bands_)),
        digests_(keeps_ || kept == Kept::places ? 0 : bands_.size()) {}

  /// fill(band, values) for one band after another; it writes every value, place by place. The digests are the judge's
  /// and not in the solver's time.
  template <typename Fill>
  void make(Phases& phases, const Fill& fill) {
    places_.clear();
    for (std::size_t i = 0; i < bands_.size(); ++i) {
      const std::span<std::uint32_t> values = std::span(values_).first(bands_[i].places);
      fill(bands_[i], values);
      if (keeps_) continue;
      if (kept_ == Kept::places) {
        const auto scope = phases.cpu("select");
        pairs::append_places_of_ones(values, bands_[i].first_place, places_);
        continue;
      }
      const auto scope = phases.untimed("digest");
      digests_[i] = pairs::digest_of_band(values, bands_[i].first_place);
    }
  }

  /// Of Kept::values.
  [[nodiscard]] pairs::Answer answer() { return keeps_ ? pairs::Answer{values_, {}} : pairs::Answer{{}, digests_}; }
  /// Of Kept::places, ascending.
  [[nodiscard]] std::span<std::uint64_t> places() { return places_; }

 private:
  Kept kept_ = Kept::values;
  bool keeps_ = true;  ///< all values
  std::vector<pairs::Band> bands_;
  std::vector<std::uint32_t> values_;
  std::vector<std::uint64_t> digests_;
  std::vector<std::uint64_t> places_;
};

/// The values of one row of a band: of (row, row + 1), (row, row + 2), ….
[[nodiscard]] inline std::span<std::uint32_t> row_of(std::int64_t sets, const pairs::Band& band,
                                                     std::span<std::uint32_t> values, std::int64_t row) {
  return values.subspan(pairs::first_place(sets, row) - band.first_place, static_cast<std::size_t>(sets - row - 1));
}

}  // namespace warpbench::cpu_sets
