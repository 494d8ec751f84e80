// Base of mmjoin and mmjoin-gpu (bellas2022 §6.3.1, after Deep et al.): MMJoin but for its matrix product. Pairs with a
// light set are counted by a static inverted index, pairs of heavy sets by the index for light tokens and by a matrix
// product for heavy ones.
//
// Differs from the document: lists of heavy tokens have light sets first, so that a heavy set's row never meets what
// the product counts. Index and thresholds are made in the time that is measured, as phase `index`.
#pragma once

#include <span>
#include <vector>

#include "problems/set_containment/problem.hpp"
#include "solvers/sets/all_pairs_values.hpp"
#include "solvers/sets/mm_thresholds.hpp"
#include "solvers/solver.hpp"

namespace warpbench::cpu_sets {

/// threads, set_threshold, element_threshold.
std::vector<ParameterSpec> mmjoin_parameters();

/// The heavy tokens of the heavy sets: the ones of the 0/1 matrix that is multiplied.
class HeavyPart {
 public:
  HeavyPart() = default;
  HeavyPart(const SetLists& lists, const InvertedIndex& index, const Thresholds& thresholds)
      : heavy_tokens_before_(index.tokens() + 1) {
    for (std::size_t t = 0; t < index.tokens(); ++t) {
      const bool heavy = !thresholds.light_element(index[static_cast<Token>(t)].size());
      heavy_tokens_before_[t + 1] = heavy_tokens_before_[t] + (heavy ? 1 : 0);
    }
    for (std::int64_t i = 0; i < lists.count(); ++i) {
      if (thresholds.light_set(lists.size(i))) continue;
      sets_.push_back(i);
      for (const Token token : lists[i]) {
        if (heavy(token)) columns_.push_back(heavy_tokens_before_[token]);
      }
      offsets_.push_back(columns_.size());
    }
  }

  [[nodiscard]] bool heavy(Token token) const { return heavy_tokens_before_[token + 1] != heavy_tokens_before_[token]; }
  /// The heavy tokens' number: the width of the matrix.
  [[nodiscard]] std::uint32_t columns() const { return heavy_tokens_before_.empty() ? 0 : heavy_tokens_before_.back(); }
  /// The numbers of the heavy sets, ascending.
  [[nodiscard]] std::span<const std::int64_t> sets() const { return sets_; }
  /// The columns of the i-th heavy set that are 1, ascending.
  [[nodiscard]] std::span<const std::uint32_t> row(std::size_t i) const {
    return std::span(columns_).subspan(offsets_[i], offsets_[i + 1] - offsets_[i]);
  }

 private:
  std::vector<std::uint32_t> heavy_tokens_before_;
  std::vector<std::int64_t> sets_;
  std::vector<std::size_t> offsets_{0};
  std::vector<std::uint32_t> columns_;
};

/// The join; a subclass multiplies.
class MmJoin : public Solver<SetContainment> {
 public:
  explicit MmJoin(const Parameters& parameters) : parameters_(parameters) {}

  void configure(const Parameters& parameters) override { parameters_ = parameters; }
  void prepare(const SetContainment::Input& input, Phases& phases) override;
  void solve(Phases& phases) override;
  void download(SetContainment::Answer& answer, Phases& /*phases*/) override {
    answer = {values_.answer(), values_.places()};
  }
  [[nodiscard]] std::map<std::string, double> counters() const override;

 protected:
  /// Of the product, as `threads` threads that add would see them.
  [[nodiscard]] virtual ProductCosts product_costs(int threads) const = 0;
  /// Called before the light part of a band is counted: a product elsewhere may begin.
  virtual void start_product(const pairs::Band& /*band*/, Phases& /*phases*/) {}
  /// Adds the common heavy tokens of pairs of heavy sets to the band's counts.
  virtual void add_product(const pairs::Band& band, std::span<std::uint32_t> counts, Phases& phases) = 0;

  [[nodiscard]] const HeavyPart& heavy() const { return heavy_; }
  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] std::int64_t set_count() const { return lists_.count(); }
  /// Of all sets together.
  [[nodiscard]] std::int64_t token_count() const { return lists_.total(); }
  /// The heavy sets of the band's rows: places [first, last) of heavy().sets().
  struct HeavyRange {
    std::size_t first;
    std::size_t last;
  };
  [[nodiscard]] HeavyRange heavy_range(const pairs::Band& band) const;

 private:
  void build_index(Phases& phases);
  void count_by_index(const pairs::Band& band, std::span<std::uint32_t> values, Phases& phases);
  void make_values_of_heavy_sets(const pairs::Band& band, std::span<std::uint32_t> values, Phases& phases);
  /// Of the pairs of a set with all later ones: their counts become values.
  void make_values_of_row(std::int64_t row, std::span<std::uint32_t> values) const;

  Parameters parameters_;
  const SetContainment::Input* input_ = nullptr;
  SetLists lists_;
  AllPairsValues values_;
  InvertedIndex index_;
  Thresholds thresholds_;
  HeavyPart heavy_;
  std::vector<std::uint32_t> sizes_;
  std::vector<std::uint32_t> light_ends_;  ///< of a heavy token's list: so many light sets come first
  int threads_ = 0;
};

}  // namespace warpbench::cpu_sets
