#include "solvers/sets/mmjoin.hpp"

#include <algorithm>
#include <utility>

#include "solvers/sets/containment_values.hpp"
#include "solvers/solver.hpp"
#include "solvers/threads.hpp"

namespace warpbench::cpu_sets {
namespace {

ParameterSpec threshold(const char* name, const char* meaning) {
  return parameter(name, 0).range(0, 4294967296.0).alias("auto", 0).means(meaning);
}

}  // namespace

std::vector<ParameterSpec> mmjoin_parameters() {
  return {threads_parameter(),
          threshold("set_threshold", "sets of fewer tokens are light, Δ1; 0 or auto: by estimated time"),
          threshold("element_threshold", "tokens in fewer sets are light, Δ2; 0 or auto: by estimated time")};
}

void MmJoin::prepare(const SetContainment::Input& input, Phases& phases) {
  const auto scope = phases.cpu("prepare");
  input_ = &input;
  lists_ = SetLists(*input.sets, true);
  const bool pairs_alone = input.output == SetContainment::Output::pairs;
  values_ = AllPairsValues(lists_.count(), input.limits,
                           pairs_alone ? AllPairsValues::Kept::places : AllPairsValues::Kept::values);
}

void MmJoin::solve(Phases& phases) {
  threads_ = threads_of(parameters_, lists_.count() - 1);
  const ThreadLimit limit(threads_);
  build_index(phases);
  values_.make(phases, [&](const pairs::Band& band, std::span<std::uint32_t> values) {
    if (heavy_.columns() > 0) start_product(band, phases);
    count_by_index(band, values, phases);
    if (heavy_.columns() == 0) return;
    add_product(band, values, phases);
    make_values_of_heavy_sets(band, values, phases);
  });
}

std::map<std::string, double> MmJoin::counters() const {
  return {{"threads", threads_},
          {"set_threshold", static_cast<double>(thresholds_.set)},
          {"element_threshold", static_cast<double>(thresholds_.element)},
          {"heavy_sets", static_cast<double>(heavy_.sets().size())},
          {"heavy_elements", static_cast<double>(heavy_.columns())}};
}

MmJoin::HeavyRange MmJoin::heavy_range(const pairs::Band& band) const {
  const std::span<const std::int64_t> sets = heavy_.sets();
  return {static_cast<std::size_t>(std::ranges::lower_bound(sets, band.first_row) - sets.begin()),
          static_cast<std::size_t>(std::ranges::lower_bound(sets, band.last_row) - sets.begin())};
}

void MmJoin::build_index(Phases& phases) {
  const auto scope = phases.cpu("index");
  index_ = InvertedIndex(lists_);
  sizes_.resize(static_cast<std::size_t>(lists_.count()));
  for (std::size_t i = 0; i < sizes_.size(); ++i)
    sizes_[i] = static_cast<std::uint32_t>(lists_.size(static_cast<std::int64_t>(i)));
  thresholds_ = choose_thresholds(lists_, index_,
                                  {parameters_.integer("set_threshold"), parameters_.integer("element_threshold")},
                                  product_costs(threads_));
  heavy_ = HeavyPart(lists_, index_, thresholds_);
  light_ends_.assign(index_.tokens(), 0);
  const auto tokens = static_cast<std::int64_t>(index_.tokens());
#pragma omp parallel for schedule(dynamic, 64)
  for (std::int64_t t = 0; t < tokens; ++t) {
    const auto token = static_cast<Token>(t);
    const std::span<std::uint32_t> list = index_.list(token);
    if (!heavy_.heavy(token)) continue;
    const auto heavy = std::stable_partition(
        list.begin(), list.end(), [&](std::uint32_t set) { return thresholds_.light_set(lists_.size(set)); });
    light_ends_[token] = static_cast<std::uint32_t>(heavy - list.begin());
  }
}

/// All but the heavy tokens of pairs of heavy sets. The values of rows that nothing is added to are made at once, while
/// their counts are in the cache.
void MmJoin::count_by_index(const pairs::Band& band, std::span<std::uint32_t> values, Phases& phases) {
  const auto scope = phases.cpu("light");
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
  for (std::int64_t row = band.first_row; row < band.last_row; ++row) {
    const std::span<std::uint32_t> counts = row_of(lists_.count(), band, values, row);
    std::ranges::fill(counts, 0U);
    const bool light = thresholds_.light_set(lists_.size(row));
    for (const Token token : lists_[row]) {
      const std::span<const std::uint32_t> list = std::as_const(index_)[token];
      if (!heavy_.heavy(token)) {
        count_later(list, row, counts);
        continue;
      }
      count_later(list.first(light_ends_[token]), row, counts);
      if (light) count_later(list.subspan(light_ends_[token]), row, counts);
    }
    if (light || heavy_.columns() == 0) make_values_of_row(row, counts);
  }
}

void MmJoin::make_values_of_heavy_sets(const pairs::Band& band, std::span<std::uint32_t> values, Phases& phases) {
  const auto scope = phases.cpu("values");
  const auto [first, last] = heavy_range(band);
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
  for (std::size_t i = first; i < last; ++i) {
    const std::int64_t row = heavy_.sets()[i];
    make_values_of_row(row, row_of(lists_.count(), band, values, row));
  }
}

void MmJoin::make_values_of_row(std::int64_t row, std::span<std::uint32_t> values) const {
  make_values(input_->output, sizes_[static_cast<std::size_t>(row)], std::span(sizes_).last(values.size()), values);
}

}  // namespace warpbench::cpu_sets
