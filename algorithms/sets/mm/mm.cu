// mm: all intersections as a product of matrices (bellas2022 §6.2.2): the sets as a 0/1 matrix of sets × universe,
// times its transpose. `precision: fp32` is the document's SGEMM; `int8` (ours) runs on tensor cores and sums in
// integers.
//
// The matrix is made on the device. Only the upper triangle is computed: a call multiplies `tile` rows with the rows
// from there on, and what lies above the diagonal is packed into the table. As in the document the matrix is never
// split: where it does not fit, mm does not run.
#include <algorithm>
#include <optional>

#include "algorithms/sets/engine/set_solver.hpp"
#include "algorithms/sets/mm/matrix_product.hpp"
#include "algorithms/sets/mm/set_matrix.cuh"
#include "device/device.hpp"
#include "solvers/solver.hpp"

namespace warpbench::sets {
namespace {

struct PackTuning {
  static constexpr int kThreads = 256;
  static constexpr std::int64_t kItemsPerThread = 4;
  static constexpr std::int64_t kMaxBlocksPerRow = 1024;
};

/// Blocks (r, …) pack what row first_row + r of the product holds above the diagonal.
template <typename Product>
__global__ void __launch_bounds__(PackTuning::kThreads)
    pack_kernel(View<const Product> product, Rectangle rectangle, PairTile tile, std::int64_t first_row) {
  const std::int64_t row = first_row + block::index();
  const View<const Product> row_product =
      product.subview((row - rectangle.first_row) * rectangle.columns, rectangle.columns);
  for (const std::int64_t column : grid::strided<PackTuning::kThreads, Axis::y>(row + 1, tile.sets)) {
    tile.count(row, column) = static_cast<std::uint32_t>(row_product[column - rectangle.first_column]);
  }
}

/// The matrix of one precision and what multiplies it.
template <typename Element>
class SetMatrix {
 public:
  using Product = typename ProductOf<Element>::Type;

  SetMatrix(std::int64_t sets, std::int64_t universe, std::int64_t tile, Stream& stream)
      : width_(std::max(round_up(universe, kWidthUnit), kWidthUnit)),
        rows_(round_up(sets, kRowUnit)),
        tile_(std::min(round_up(tile, kRowUnit), rows_)) {
    const std::int64_t bytes = rows_ * width_ * static_cast<std::int64_t>(sizeof(Element)) + tile_ * rows_ * 4;
    if (bytes > free_memory() / 8 * 7) {
      throw Unsupported("the matrix of all sets takes " + std::to_string(bytes) + " bytes, and " +
                        std::to_string(free_memory()) + " are free");
    }
    matrix_ = Buffer<Element>(rows_ * width_, stream);
    product_ = Buffer<Product>(tile_ * rows_, stream);
  }

  void build(const DeviceSets& sets, Stream& stream) { make_matrix(sets, matrix_, width_, stream); }

  void count_pairs(const PairTile& tile, Stream& stream) {
    for (std::int64_t begin = tile.first_row; begin < tile.last_row;) {
      const std::int64_t aligned = begin / kRowUnit * kRowUnit;
      const std::int64_t rows = std::min(tile_, rows_ - aligned);
      const std::int64_t end = std::min(aligned + rows, tile.last_row);
      const Rectangle rectangle{aligned, rows, aligned, rows_ - aligned};
      multiplier_.multiply(std::as_const(matrix_).view(), width_, rectangle, product_.view(), stream);
      const std::int64_t blocks_per_row = std::clamp<std::int64_t>(
          (tile.sets - begin) / (PackTuning::kItemsPerThread * PackTuning::kThreads), 1, PackTuning::kMaxBlocksPerRow);
      launch(pack_kernel<Product>, Grid{{end - begin, blocks_per_row}, PackTuning::kThreads}, stream,
             std::as_const(product_).view(), rectangle, tile, begin);
      begin = end;
    }
  }

  [[nodiscard]] std::int64_t bytes() const { return matrix_.bytes(); }
  /// Multiplications and additions for all pairs of so many sets, both triangles of the blocks on the diagonal.
  [[nodiscard]] double operations() const {
    double sum = 0;
    for (std::int64_t row = 0; row < rows_; row += tile_) {
      sum += 2.0 * static_cast<double>(std::min(tile_, rows_ - row)) * static_cast<double>(rows_ - row) *
             static_cast<double>(width_);
    }
    return sum;
  }

 private:
  std::int64_t width_;
  std::int64_t rows_;
  std::int64_t tile_;
  Buffer<Element> matrix_;
  Buffer<Product> product_;
  MatrixProduct<Element> multiplier_;
};

class Mm final : public Technique {
 public:
  explicit Mm(const Parameters& parameters)
      : int8_(parameters.text("precision") == "int8"), tile_(parameters.integer("tile")) {}
  void configure(const Parameters& /*parameters*/) override {}

  void prepare(const datasets::SetCollection& host, Stream& stream) override {
    if (int8_) {
      bytes_.emplace(host.count(), host.universe(), tile_, stream);
      return;
    }
    if (host.max_size() >= std::int64_t{1} << 24) {
      throw Unsupported("a set of 2^24 tokens or more: single precision cannot count them; say precision: int8");
    }
    floats_.emplace(host.count(), host.universe(), tile_, stream);
  }

  void build(const DeviceSets& sets, Stream& stream, Phases& /*phases*/) override {
    int8_ ? bytes_->build(sets, stream) : floats_->build(sets, stream);
  }
  void count_pairs(const DeviceSets& /*sets*/, const PairTile& tile, Stream& stream, Phases& /*phases*/) override {
    int8_ ? bytes_->count_pairs(tile, stream) : floats_->count_pairs(tile, stream);
  }
  void require_single_pairs() const override {
    throw Unsupported("mm multiplies a matrix of many sets; one pair would be a product of two vectors");
  }
  void intersect(const SingleTask& /*task*/, Stream& /*stream*/, Phases& /*phases*/) override {
    require_single_pairs();
  }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    const auto of = [](const auto& matrix) {
      return std::map<std::string, double>{{"matrix_bytes", static_cast<double>(matrix->bytes())},
                                           {"operations", matrix->operations()}};
    };
    return int8_ ? of(bytes_) : of(floats_);
  }

 private:
  bool int8_;
  std::int64_t tile_;
  std::optional<SetMatrix<float>> floats_;
  std::optional<SetMatrix<std::int8_t>> bytes_;
};

std::vector<ParameterSpec> parameters() {
  return {parameter("tile", 2048).range(16, 65536).at(Stage::prepare).in("sets").means("rows that a call multiplies"),
          parameter("precision", "fp32")
              .one_of({"fp32", "int8"})
              .document({"fp32"})
              .at(Stage::prepare)
              .means("fp32: SGEMM; int8: tensor cores (ours)")};
}

[[maybe_unused]] const bool registered =
    register_for_both<Mm>({.id = "mm",
                           .title = "product of the matrix of sets with its transpose",
                           .source = "bellas2022 §6.2.2",
                           .role = Role::proposed,
                           .device = Target::gpu,
                           .parameters = parameters(),
                           .smoke = {{"tile", 64}},
                           .best = {{"precision", "int8"}}});

}  // namespace

}  // namespace warpbench::sets
