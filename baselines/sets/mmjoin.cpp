// mmjoin: MMJoin on the CPU (solvers/sets/mmjoin.hpp). Differs from the document: the product is made in tiles of pairs
// and of heavy tokens. A tile's 0/1 matrices stay in the cache and its sums are exact in floats; the authors' code
// holds both matrices whole. Eigen's product uses the instruction set that this file is compiled for.
#include "solvers/sets/mmjoin.hpp"
#include "problems/first_failure.hpp"
#include "solvers/solver.hpp"

#if defined(WARPBENCH_HAS_EIGEN)
#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Core>

#include <algorithm>
#endif

namespace warpbench::cpu_sets {
namespace {

SolverInfo facts() {
  return {.id = "mmjoin",
          .title = "MMJoin: inverted index for light sets and tokens, matrix product for heavy ones",
          .source = "bellas2022 §6.3.1",
          .role = Role::cpu_baseline,
          .device = Target::cpu,
          .parameters = mmjoin_parameters(),
          .smoke = {{"threads", 2}, {"set_threshold", 4}, {"element_threshold", 3}}};
}

#if defined(WARPBENCH_HAS_EIGEN)

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

class CpuMmJoin final : public MmJoin {
 public:
  using MmJoin::MmJoin;

 protected:
  /// Measured on one thread of the development machine, as the cost of an addition is.
  [[nodiscard]] ProductCosts product_costs(int /*threads*/) const override {
    return {.product = 0.12, .result = 1.0, .place = 0.3};
  }
  /// The heavy tokens of pairs of heavy sets. Throws std::bad_alloc.
  void add_product(const pairs::Band& band, std::span<std::uint32_t> values, Phases& phases) override {
    const auto scope = phases.cpu("product");
    const std::span<const std::int64_t> sets = heavy().sets();
    const HeavyRange rows = heavy_range(band);
    std::vector<std::pair<std::size_t, std::size_t>> tiles;
    for (std::size_t row = rows.first; row < rows.last; row += TileProduct::kRows) {
      for (std::size_t column = row; column < sets.size(); column += TileProduct::kRows)
        tiles.emplace_back(row, column);
    }
    const auto count = static_cast<std::int64_t>(tiles.size());
    FirstFailure failure;
#pragma omp parallel num_threads(threads())
    {
      TileProduct product;
#pragma omp for schedule(dynamic)
      for (std::int64_t tile = 0; tile < count; ++tile) {
        failure.guard([&] {
          const auto& [row, column] = tiles[static_cast<std::size_t>(tile)];
          product(heavy(), row, column, [&](std::size_t i, std::size_t j, std::span<const float> common) {
            if (i >= rows.last) return;  // of the next band
            const std::span<std::uint32_t> counts = row_of(set_count(), band, values, sets[i]);
            for (const float number : common) {
              counts[static_cast<std::size_t>(sets[j++] - sets[i] - 1)] += static_cast<std::uint32_t>(number);
            }
          });
        });
      }
    }
    failure.rethrow();
  }
};

WARPBENCH_SOLVER(SetContainment, CpuMmJoin, facts())

#else

WARPBENCH_SOLVER_UNAVAILABLE(SetContainment, CpuMmJoin, "needs Eigen (Debian: libeigen3-dev)", facts())

#endif

}  // namespace
}  // namespace warpbench::cpu_sets
