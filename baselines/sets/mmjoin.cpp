// mmjoin: MMJoin on the CPU (bellas2022 §6.3.1, after Deep et al.). Pairs with a light set are counted by a static
// inverted index, pairs of heavy sets by the index for light tokens and by a matrix product for heavy ones. Differs
// from the document: the product is made in tiles of pairs and of heavy tokens, so that a tile's 0/1 matrices stay in
// the cache and its sums are exact in floats, where the authors' code holds both matrices whole; lists of heavy tokens
// have light sets first, so that a heavy set's row never meets what the product counts. Index and thresholds are made
// in the time that is measured, as phase `index`. Eigen's product uses the instruction set that this file is compiled
// for.
#include "baselines/sets/all_pairs.hpp"
#include "baselines/sets/mm_thresholds.hpp"
#include "baselines/threads.hpp"
#include "problems/set_containment/problem.hpp"

#if defined(WARPBENCH_HAS_EIGEN)
#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Core>

#include <exception>
#endif

namespace warpbench::cpu_sets {
namespace {

ParameterSpec threshold(const char* name, const char* meaning) {
  return parameter(name, 0).range(0, 4294967296.0).alias("auto", std::int64_t{0}).means(meaning);
}

SolverInfo facts() {
  return {
      .id = "mmjoin",
      .title = "MMJoin: inverted index for light sets and tokens, matrix product for heavy ones",
      .source = "bellas2022 §6.3.1",
      .role = Role::cpu_baseline,
      .device = Target::cpu,
      .parameters = {threads_parameter(),
                     threshold("set_threshold", "sets of fewer tokens are light, Δ1; 0 or auto: by estimated time"),
                     threshold("element_threshold",
                               "tokens in fewer sets are light, Δ2; 0 or auto: by estimated time")},
      .smoke = {
          {"threads", std::int64_t{2}}, {"set_threshold", std::int64_t{4}}, {"element_threshold", std::int64_t{3}}}};
}

#if defined(WARPBENCH_HAS_EIGEN)

/// The heavy sets' heavy tokens: what the matrix is made of.
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

/// One thread's product of some rows of the matrix with others, transposed.
class TileProduct {
 public:
  static constexpr std::size_t kRows = 256;      ///< heavy sets of a tile
  static constexpr std::uint32_t kDepth = 2048;  ///< heavy tokens that are multiplied at a time

  /// add(i, j, common): the common tokens of heavy sets i and j, i and j + 1, …; for i of [rows, rows + kRows) and what
  /// of [columns, columns + kRows) is behind i.
  template <typename Add>
  void operator()(const HeavyPart& part, std::size_t rows, std::size_t columns, const Add& add) {
    const std::size_t last_row = std::min(rows + kRows, part.sets().size());
    const std::size_t last_column = std::min(columns + kRows, part.sets().size());
    for (std::uint32_t depth = 0; depth < part.columns(); depth += kDepth) {
      fill(part, rows, last_row, depth, a_);
      fill(part, columns, last_column, depth, b_);
      common_.noalias() = b_.transpose() * a_;
      for (std::size_t i = rows; i < last_row; ++i) {
        const std::size_t first = std::max(columns, i + 1);
        if (first < last_column)
          add(i, first, std::span(&common_(at(first - columns), at(i - rows)), last_column - first));
      }
    }
  }

 private:
  static Eigen::Index at(std::size_t index) { return static_cast<Eigen::Index>(index); }

  /// A column of `tile` is a heavy set: kDepth of its places in the matrix.
  static void fill(const HeavyPart& part, std::size_t first, std::size_t last, std::uint32_t depth,
                   Eigen::MatrixXf& tile) {
    const std::uint32_t height = std::min(kDepth, part.columns() - depth);
    tile.setZero(height, at(last - first));
    for (std::size_t i = first; i < last; ++i) {
      const std::span<const std::uint32_t> ones = part.row(i);
      for (auto one = std::ranges::lower_bound(ones, depth); one != ones.end() && *one < depth + height; ++one) {
        tile(*one - depth, at(i - first)) = 1.0F;
      }
    }
  }

  Eigen::MatrixXf a_;
  Eigen::MatrixXf b_;
  Eigen::MatrixXf common_;
};

class MmJoin final : public Solver<SetContainment> {
 public:
  explicit MmJoin(const Parameters& parameters) : parameters_(parameters) {}

  void configure(const Parameters& parameters) override { parameters_ = parameters; }

  void prepare(const SetContainment::Input& input, Phases& phases) override {
    const auto scope = phases.cpu("prepare");
    input_ = &input;
    lists_ = SetLists(*input.sets, true);
    values_ = AllPairs(lists_.count());
  }

  void solve(Phases& phases) override {
    threads_ = threads_of(parameters_, lists_.count() - 1);
    const ThreadLimit limit(threads_);
    build_index(phases);
    values_.make([&](const pairs::Band& band, std::span<std::uint32_t> values) {
      count_by_index(band, values, phases);
      count_by_product(band, values, phases);
      make_values(band, values, phases);
    });
  }

  void download(SetContainment::Answer& answer, Phases& /*phases*/) override { answer = values_.answer(); }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    return {{"threads", threads_},
            {"set_threshold", static_cast<double>(thresholds_.set)},
            {"element_threshold", static_cast<double>(thresholds_.element)},
            {"heavy_sets", static_cast<double>(heavy_.sets().size())},
            {"heavy_elements", static_cast<double>(heavy_.columns())}};
  }

 private:
  void build_index(Phases& phases) {
    const auto scope = phases.cpu("index");
    index_ = InvertedIndex(lists_);
    thresholds_ = choose_thresholds(lists_, index_,
                                    {parameters_.integer("set_threshold"), parameters_.integer("element_threshold")});
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

  /// All but the heavy tokens of pairs of heavy sets.
  void count_by_index(const pairs::Band& band, std::span<std::uint32_t> values, Phases& phases) {
    const auto scope = phases.cpu("light");
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
    for (std::int64_t row = band.first_row; row < band.last_row; ++row) {
      const std::span<std::uint32_t> counts = row_of(lists_.count(), band, values, row);
      std::ranges::fill(counts, 0U);
      const bool light = thresholds_.light_set(lists_.size(row));
      for (const Token token : lists_[row]) {
        const std::span<const std::uint32_t> list = std::as_const(index_)[token];
        if (!heavy_.heavy(token)) {
          add_later(list, row, counts);
          continue;
        }
        add_later(list.first(light_ends_[token]), row, counts);
        if (light) add_later(list.subspan(light_ends_[token]), row, counts);
      }
    }
  }

  static void add_later(std::span<const std::uint32_t> list, std::int64_t row, std::span<std::uint32_t> counts) {
    const auto self = static_cast<std::uint32_t>(row);
    for (auto later = std::ranges::upper_bound(list, self); later != list.end(); ++later) ++counts[*later - self - 1];
  }

  /// The heavy tokens of pairs of heavy sets. Throws std::bad_alloc.
  void count_by_product(const pairs::Band& band, std::span<std::uint32_t> values, Phases& phases) {
    if (heavy_.columns() == 0) return;
    const auto scope = phases.cpu("product");
    const std::span<const std::int64_t> sets = heavy_.sets();
    const auto first = static_cast<std::size_t>(std::ranges::lower_bound(sets, band.first_row) - sets.begin());
    const auto last = static_cast<std::size_t>(std::ranges::lower_bound(sets, band.last_row) - sets.begin());
    std::vector<std::pair<std::size_t, std::size_t>> tiles;
    for (std::size_t row = first; row < last; row += TileProduct::kRows) {
      for (std::size_t column = row; column < sets.size(); column += TileProduct::kRows)
        tiles.emplace_back(row, column);
    }
    const auto count = static_cast<std::int64_t>(tiles.size());
    std::exception_ptr failure;
#pragma omp parallel num_threads(threads_)
    {
      TileProduct product;
#pragma omp for schedule(dynamic)
      for (std::int64_t tile = 0; tile < count; ++tile) {
        const auto [row, column] = tiles[static_cast<std::size_t>(tile)];
        try {
          product(heavy_, row, column, [&](std::size_t i, std::size_t j, std::span<const float> common) {
            if (i >= last) return;  // of the next band
            const std::span<std::uint32_t> counts = row_of(lists_.count(), band, values, sets[i]);
            for (const float number : common) {
              counts[static_cast<std::size_t>(sets[j++] - sets[i] - 1)] += static_cast<std::uint32_t>(number);
            }
          });
        } catch (const std::bad_alloc&) {
#pragma omp critical(mmjoin_failure)
          failure = std::current_exception();
        }
      }
    }
    if (failure) std::rethrow_exception(failure);
  }

  void make_values(const pairs::Band& band, std::span<std::uint32_t> values, Phases& phases) {
    const auto scope = phases.cpu("values");
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
    for (std::int64_t row = band.first_row; row < band.last_row; ++row) {
      std::int64_t column = row;
      for (std::uint32_t& value : row_of(lists_.count(), band, values, row)) {
        value = value_of(input_->output, value, lists_.size(row), lists_.size(++column));
      }
    }
  }

  Parameters parameters_;
  const SetContainment::Input* input_ = nullptr;
  SetLists lists_;
  AllPairs values_;
  InvertedIndex index_;
  Thresholds thresholds_;
  HeavyPart heavy_;
  std::vector<std::uint32_t> light_ends_;  ///< of a heavy token's list: so many light sets come first
  int threads_ = 0;
};

WARPBENCH_SOLVER(SetContainment, MmJoin, facts())

#else

WARPBENCH_SOLVER_UNAVAILABLE(SetContainment, MmJoin, "needs Eigen (Debian: libeigen3-dev)", facts())

#endif

}  // namespace
}  // namespace warpbench::cpu_sets
