#include "problems/sets/pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace warpbench::pairs {

using datasets::SetCollection;

Pair pair_at(std::int64_t sets, std::uint64_t place) {
  std::int64_t low = 0;
  for (std::int64_t high = sets - 1; high - low > 1;) {
    const std::int64_t middle = low + (high - low) / 2;
    (first_place(sets, middle) <= place ? low : high) = middle;
  }
  return {low, low + 1 + static_cast<std::int64_t>(place - first_place(sets, low))};
}

std::uint64_t max_places(std::span<const Band> bands) {
  std::uint64_t max = 0;
  for (const Band& band : bands) max = std::max(max, band.places);
  return max;
}

std::vector<Band> one_band(std::int64_t sets) {
  if (sets < 2) return {};
  return {{0, sets - 1, 0, count(sets)}};
}

std::vector<Band> bands(std::int64_t sets, std::uint64_t max_places) {
  return bands_of_rows(sets, 0, sets - 1, max_places);
}

std::vector<Band> bands_of_rows(std::int64_t sets, std::int64_t first_row, std::int64_t last_row,
                                std::uint64_t max_places) {
  std::vector<Band> all;
  for (std::int64_t row = first_row; row < last_row;) {
    const std::uint64_t first = first_place(sets, row);
    std::int64_t last = row + 1;
    while (last < last_row && first_place(sets, last + 1) - first <= max_places) ++last;
    all.push_back({row, last, first, first_place(sets, last) - first});
    row = last;
  }
  return all;
}

std::map<std::string, double> work(const SetCollection& sets) {
  return {{"pairs", static_cast<double>(count(sets.count()))},
          {"elements", static_cast<double>(sets.total()) * static_cast<double>(sets.count() - 1)}};
}

namespace {

/// value_at(i) is the value of place first_place + i.
template <typename ValueAt>
std::uint64_t sum_of_mixes(std::uint64_t places, std::uint64_t first_place, const ValueAt& value_at) {
  const auto size = static_cast<std::int64_t>(places);
  std::uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::int64_t i = 0; i < size; ++i) {
    const auto at = static_cast<std::uint64_t>(i);
    sum += mix64(first_place + at, value_at(at));
  }
  return sum;
}

}  // namespace

std::uint64_t digest_of_band(std::span<const std::uint32_t> values, std::uint64_t first_place) {
  return sum_of_mixes(values.size(), first_place, [&](std::uint64_t i) { return values[i]; });
}

std::uint64_t digest_of_packed_band(std::span<const std::uint32_t> words, int bits, std::uint64_t places,
                                    std::uint64_t first_place) {
  const auto width = static_cast<std::uint32_t>(bits);
  const std::uint32_t in_word = 32 / width;
  const std::uint32_t mask = (std::uint32_t{1} << width) - 1;
  return sum_of_mixes(places, first_place,
                      [&](std::uint64_t i) { return words[i / in_word] >> (i % in_word * width) & mask; });
}

void append_places_of_ones(std::span<const std::uint32_t> values, std::uint64_t first_place,
                           std::vector<std::uint64_t>& places) {
  constexpr std::int64_t kShare = 1 << 16;
  const auto size = static_cast<std::int64_t>(values.size());
  const std::int64_t shares = (size + kShare - 1) / kShare;
  std::vector<std::size_t> begins(static_cast<std::size_t>(shares) + 1, places.size());
  const auto part = [&](std::int64_t share) {
    const auto begin = static_cast<std::size_t>(share * kShare);
    return values.subspan(begin, std::min(static_cast<std::size_t>(kShare), values.size() - begin));
  };
#pragma omp parallel for
  for (std::int64_t share = 0; share < shares; ++share) {
    begins[static_cast<std::size_t>(share) + 1] = static_cast<std::size_t>(std::ranges::count(part(share), 1U));
  }
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  places.resize(begins.back());
#pragma omp parallel for
  for (std::int64_t share = 0; share < shares; ++share) {
    const std::span<const std::uint32_t> own = part(share);
    std::size_t next = begins[static_cast<std::size_t>(share)];
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (own[i] == 1) places[next++] = first_place + static_cast<std::uint64_t>(share * kShare) + i;
    }
  }
}

Judgement judge(const SetCollection& sets, const Answer& answer, const Values& reference, const Limits& limits) {
  const std::int64_t k = sets.count();
  if (answer.kept.size() != reference.kept.size() || answer.band_digests.size() != reference.band_digests.size()) {
    return wrong(fmt::format("expected {} values and {} digests of bands for {} sets, found {} and {}",
                             reference.kept.size(), reference.band_digests.size(), k, answer.kept.size(),
                             answer.band_digests.size()));
  }
  const auto [found, expected] = std::ranges::mismatch(answer.kept, reference.kept);
  if (expected != reference.kept.end()) {
    const Pair pair = pair_at(k, static_cast<std::uint64_t>(expected - reference.kept.begin()));
    return wrong(fmt::format("sets {} and {}: expected {}, found {}", pair.row, pair.column, *expected, *found));
  }
  const auto [digest, right] = std::ranges::mismatch(answer.band_digests, reference.band_digests);
  if (right != reference.band_digests.end()) {
    const Band band = bands(k, limits.in_band)[static_cast<std::size_t>(right - reference.band_digests.begin())];
    return wrong(fmt::format("sets {} to {} with all later ones: expected the digest {:016x}, found {:016x}",
                             band.first_row, band.last_row - 1, *right, *digest));
  }
  Judgement judgement;
  judgement.verdict = Verdict::exact;
  return judgement;
}

std::uint64_t Answer::digest() const {
  if (band_digests.empty()) return digest_of_places(kept);
  return std::accumulate(band_digests.begin(), band_digests.end(), std::uint64_t{0});
}

Values read(ReferenceReader& stored, std::int64_t sets, const Limits& limits) {
  const bool kept = count(sets) <= limits.kept;
  Values values;
  values.kept = stored.take<std::uint32_t>(kept ? count(sets) : 0);
  values.band_digests = stored.take<std::uint64_t>(kept ? 0 : bands(sets, limits.in_band).size());
  return values;
}

}  // namespace warpbench::pairs
