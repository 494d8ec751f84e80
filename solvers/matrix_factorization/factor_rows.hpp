// P or Q as solvers on the CPU keep it: rows begin at multiples of 64 bytes and are filled up with zeros, which stay
// zeros under updates, so that vector instructions need no rest.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "problems/matrix_factorization/problem.hpp"

namespace warpbench::matrix_factorization {

class FactorRows {
 public:
  FactorRows() = default;
  /// Zeros.
  FactorRows(std::int64_t rows, std::int64_t k);

  /// Floats from one row to the next: k rounded up to a multiple of 16.
  [[nodiscard]] std::int64_t stride() const { return stride_; }
  /// Row by row, rows × stride.
  [[nodiscard]] std::span<float> all();

  /// The first factors of `matrix` (0: P, 1: Q), those of row r in row places[r]. In parallel, O(rows × k).
  void begin(const MatrixFactorization::Input& input, int matrix, std::span<const std::uint32_t> places);
  /// Row places[r] to row r of `factors`, which is rows × k. In parallel, O(rows × k).
  void copy_to(std::span<float> factors, std::span<const std::uint32_t> places) const;

 private:
  static constexpr std::int64_t kLineFloats = 16;
  static constexpr std::int64_t kPageFloats = 1024;
  /// Whole pages, so that P and Q can be page-locked each by itself.
  struct alignas(4096) Page {
    std::array<float, kPageFloats> factors{};
  };

  std::int64_t k_ = 0;
  std::int64_t stride_ = 0;
  std::int64_t rows_ = 0;
  std::vector<Page> pages_;
};

}  // namespace warpbench::matrix_factorization
