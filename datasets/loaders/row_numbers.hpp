// Tells a column of row numbers, which are ids, from a column of values.
#pragma once

#include <cstdint>

namespace warpbench::datasets {

/// Whether the values that it sees, in order, number the rows: each is one more than the one before.
class RowNumbers {
 public:
  void see(double value) noexcept {
    if (rows_ == 0) first_ = value;
    consecutive_ = consecutive_ && (rows_ == 0 || value == last_ + 1);
    last_ = value;
    ++rows_;
  }

  /// As if what `next` saw had followed.
  void append(const RowNumbers& next) noexcept {
    if (next.rows_ == 0) return;
    if (rows_ == 0) {
      *this = next;
      return;
    }
    consecutive_ = consecutive_ && next.consecutive_ && next.first_ == last_ + 1;
    last_ = next.last_;
    rows_ += next.rows_;
  }

  /// Fewer rows may follow each other by chance.
  [[nodiscard]] bool numbers_rows() const noexcept { return consecutive_ && rows_ >= kRowsThatTell; }

 private:
  static constexpr std::uint64_t kRowsThatTell = 3;

  double first_ = 0;
  double last_ = 0;
  std::uint64_t rows_ = 0;
  bool consecutive_ = true;
};

}  // namespace warpbench::datasets
