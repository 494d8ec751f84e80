// mmjoin-gpu: MMJoin with its matrix product on a GPU (bellas2022 §6.3.1). As in the document each processor does what
// it does best: the CPU makes the index and counts what is light, while the GPU multiplies the matrix of heavy sets and
// heavy tokens. Its products come down some rows at a time and are added to the counts. SGEMM, as there.
//
// Thresholds that it chooses itself leave a matrix that fits into device memory; where those that are given leave a
// larger one, memory is short.
//
// Differs from the document: light elements of heavy sets are counted with the light sets, before the product is
// waited for, as solvers/sets/mmjoin.hpp has them in one pass.
#include <algorithm>
#include <string>
#include <vector>

#include "algorithms/sets/mm/heavy_product.hpp"
#include "device/device.hpp"
#include "solvers/sets/mmjoin.hpp"
#include "solvers/solver.hpp"

namespace warpbench::sets {
namespace {

/// Of the free device memory; the rest is for the library that multiplies and for rounding.
constexpr double kUsableShare = 0.9;

class GpuMmJoin final : public cpu_sets::MmJoin {
 public:
  using MmJoin::MmJoin;

  [[nodiscard]] std::map<std::string, double> counters() const override {
    std::map<std::string, double> counters = MmJoin::counters();
    counters["matrix_bytes"] = static_cast<double>(product_.matrix_bytes());
    return counters;
  }

 protected:
  /// A GPU's time counts for as many threads as could add meanwhile: 25 multiplications and additions in a picosecond,
  /// 4 bytes a result over PCIe at 55 GB/s (docs/performance/sets.md), and adding it up.
  [[nodiscard]] cpu_sets::ProductCosts product_costs(int threads) const override {
    const std::int64_t free = free_memory() + product_.device_bytes();  // what the last product holds is given back
    return {.product = 4e-5 * threads,
            .result = 0.07 * threads + 0.3,
            .place = 1e-3 * threads,
            .fits = [free, ones = token_count()](double sets, double tokens) {
              return HeavyProduct::max_bytes(sets, tokens, ones) <= static_cast<double>(free) * kUsableShare;
            }};
  }

  void start_product(const pairs::Band& band, Phases& phases) override {
    const auto scope = phases.cpu("start_product");
    if (band.first_row == 0) make_matrix();
    const HeavyRange rows = heavy_range(band);
    // Aligned as the product wants it; rows of the band before are computed again and left out.
    next_ = static_cast<std::int64_t>(rows.first) / 16 * 16;
    end_ = static_cast<std::int64_t>(rows.last);
    if (next_ < end_) product_.start(next_, 0);
  }

  void add_product(const pairs::Band& band, std::span<std::uint32_t> counts, Phases& phases) override {
    const auto scope = phases.cpu("product");
    for (std::size_t slot = 0; next_ < end_; slot = 1 - slot) {
      const std::int64_t row = next_;
      next_ += HeavyProduct::kTileRows;
      if (next_ < end_) product_.start(next_, 1 - slot);
      add_tile(band, counts, row, product_.finish(slot));
    }
  }

 private:
  void make_matrix() {
    std::vector<std::uint64_t> offsets{0};
    std::vector<std::uint32_t> columns;
    for (std::size_t i = 0; i < heavy().sets().size(); ++i) {
      columns.insert(columns.end(), heavy().row(i).begin(), heavy().row(i).end());
      offsets.push_back(columns.size());
    }
    product_.make_matrix(offsets, columns, heavy().columns());
  }

  void add_tile(const pairs::Band& band, std::span<std::uint32_t> counts, std::int64_t first,
                std::span<const float> product) {
    const std::span<const std::int64_t> sets = heavy().sets();
    const std::int64_t columns = product_.columns(first);
    const auto begin = std::max(first, static_cast<std::int64_t>(heavy_range(band).first));
    const std::int64_t end = std::min(first + HeavyProduct::kTileRows, end_);
#pragma omp parallel for schedule(dynamic) num_threads(threads())
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t set = sets[static_cast<std::size_t>(i)];
      const std::span<std::uint32_t> row = cpu_sets::row_of(set_count(), band, counts, set);
      const std::span<const float> common =
          product.subspan(static_cast<std::size_t>((i - first) * columns), static_cast<std::size_t>(columns));
      for (std::size_t j = static_cast<std::size_t>(i) + 1; j < sets.size(); ++j) {
        row[static_cast<std::size_t>(sets[j] - set - 1)] +=
            static_cast<std::uint32_t>(common[j - static_cast<std::size_t>(first)]);
      }
    }
  }

  HeavyProduct product_;
  std::int64_t next_ = 0;  ///< the heavy row that the next tile begins with
  std::int64_t end_ = 0;
};

}  // namespace

WARPBENCH_SOLVER(SetContainment, GpuMmJoin,
                 {.id = "mmjoin-gpu",
                  .title = "MMJoin with its matrix product on a GPU",
                  .source = "bellas2022 §6.3.1",
                  .role = Role::proposed,
                  .device = Target::hybrid,
                  .parameters = cpu_sets::mmjoin_parameters(),
                  .smoke = {{"threads", 2}, {"set_threshold", 4}, {"element_threshold", 3}}})

}  // namespace warpbench::sets
