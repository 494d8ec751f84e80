#include "solvers/sets/mm_thresholds.hpp"

#include <limits>

#include "problems/first_failure.hpp"

namespace warpbench::cpu_sets {
namespace {

/// Nanoseconds of an addition at a place that is looked up in the counts of a row, on one thread of the development
/// machine.
constexpr double kAddition = 0.6;
constexpr double kTileRows = 256;

double pairs_of(double count) {
  return count * (count - 1) / 2;
}

/// 1, 2, 4, … and the first power of two above `max`; `given` alone where it is not 0.
std::vector<std::int64_t> candidates(std::int64_t given, std::int64_t max) {
  if (given != 0) return {given};
  std::vector<std::int64_t> all{1};
  while (all.back() <= max) all.push_back(2 * all.back());
  return all;
}

/// In how many heavy sets each token is.
std::vector<std::uint32_t> heavy_lists(const SetLists& lists, const InvertedIndex& index, std::int64_t set_threshold) {
  std::vector<std::uint32_t> all(index.tokens());
  const auto tokens = static_cast<std::int64_t>(all.size());
#pragma omp parallel for schedule(dynamic, 64)
  for (std::int64_t t = 0; t < tokens; ++t) {
    std::uint32_t heavy = 0;
    for (const std::uint32_t set : index[static_cast<Token>(t)]) heavy += lists.size(set) >= set_threshold ? 1 : 0;
    all[static_cast<std::size_t>(t)] = heavy;
  }
  return all;
}

double time_of(double additions, double heavy_sets, double heavy_tokens, const ProductCosts& costs) {
  if (heavy_tokens == 0) return additions * kAddition;
  if (costs.fits && !costs.fits(heavy_sets, heavy_tokens)) return std::numeric_limits<double>::infinity();
  const double tiles = std::max(1.0, heavy_sets / kTileRows);
  return additions * kAddition + pairs_of(heavy_sets) * (heavy_tokens * costs.product + costs.result) +
         tiles * heavy_sets * heavy_tokens * costs.place;
}

/// The least time of any element threshold, and that threshold.
struct Choice {
  double time = std::numeric_limits<double>::infinity();
  std::int64_t element = 1;
};
Choice best_element_threshold(const InvertedIndex& index, const std::vector<std::uint32_t>& heavy, double heavy_sets,
                              const std::vector<std::int64_t>& thresholds, const ProductCosts& costs) {
  Choice best;
  std::vector<double> tokens(thresholds.size());
  std::vector<double> spared(thresholds.size());
  double additions = 0;
  const auto all = static_cast<std::int64_t>(heavy.size());
  FirstFailure failure;
#pragma omp parallel
  {
    std::vector<double> own_tokens;
    std::vector<double> own_spared;
    failure.guard([&] {
      own_tokens.resize(thresholds.size());
      own_spared.resize(thresholds.size());
    });
#pragma omp for schedule(static) reduction(+ : additions)
    for (std::int64_t t = 0; t < all; ++t) {
      if (failure.has_failed()) continue;
      const std::size_t length = index[static_cast<Token>(t)].size();
      const double in_heavy_sets = heavy[static_cast<std::size_t>(t)];
      additions += pairs_of(static_cast<double>(length));
      // Heavy under all thresholds up to the last that the list reaches.
      const auto reached = std::ranges::upper_bound(thresholds, static_cast<std::int64_t>(length));
      if (reached == thresholds.begin() || in_heavy_sets < 2) continue;
      const auto last = static_cast<std::size_t>(reached - thresholds.begin()) - 1;
      own_tokens[last] += 1;
      own_spared[last] += pairs_of(in_heavy_sets);
    }
#pragma omp critical(best_element_threshold)
    for (std::size_t i = 0; i < own_spared.size(); ++i) {
      tokens[i] += own_tokens[i];
      spared[i] += own_spared[i];
    }
  }
  failure.rethrow();
  double heavy_tokens = 0;
  for (std::size_t i = thresholds.size(); i-- > 0;) {
    heavy_tokens += tokens[i];
    additions -= spared[i];
    const double time = time_of(additions, heavy_sets, heavy_tokens, costs);
    if (time < best.time) best = {time, thresholds[i]};
  }
  return best;
}

}  // namespace

Thresholds choose_thresholds(const SetLists& lists, const InvertedIndex& index, Thresholds given,
                             const ProductCosts& costs) {
  if (given.set != 0 && given.element != 0) return given;
  std::int64_t max_size = 0;
  for (std::int64_t i = 0; i < lists.count(); ++i) max_size = std::max(max_size, lists.size(i));
  const std::vector<std::int64_t> elements = candidates(given.element, lists.count());
  Thresholds best;
  double min_time = std::numeric_limits<double>::infinity();
  for (const std::int64_t set : candidates(given.set, max_size)) {
    double heavy_sets = 0;
    for (std::int64_t i = 0; i < lists.count(); ++i) heavy_sets += lists.size(i) >= set ? 1 : 0;
    const Choice choice = best_element_threshold(index, heavy_lists(lists, index, set), heavy_sets, elements, costs);
    if (choice.time >= min_time) continue;
    min_time = choice.time;
    best = {set, choice.element};
  }
  return best;
}

}  // namespace warpbench::cpu_sets
