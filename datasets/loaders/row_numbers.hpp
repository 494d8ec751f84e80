// Tells a column of ids from a column of values.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace warpbench::datasets {

/// Tells whether the values of a column, seen in order, look like ids: each is one more than the one before, or they
/// are whole numbers that only rise or only fall.
class RowNumbers {
 public:
  void see(double value) noexcept {
    if (rows_ == 0) {
      first_ = low_ = high_ = value;
    } else {
      follow(value);
    }
    whole_ = whole_ && value == std::floor(value);
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
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
    follow(next.first_);
    consecutive_ = consecutive_ && next.consecutive_;
    rises_ = rises_ && next.rises_;
    falls_ = falls_ && next.falls_;
    whole_ = whole_ && next.whole_;
    low_ = std::min(low_, next.low_);
    high_ = std::max(high_, next.high_);
    last_ = next.last_;
    rows_ += next.rows_;
  }

  /// Each value is one more than the one before. Fewer rows may follow each other by chance.
  [[nodiscard]] bool numbers_rows() const noexcept { return consecutive_ && rows_ >= kRowsThatNumber; }
  /// Whole numbers, each above the one before or each below it. That alone is no proof: a table may be sorted.
  [[nodiscard]] bool may_be_ids() const noexcept { return whole_ && (rises_ || falls_) && rows_ >= kRowsThatRise; }
  /// Whether all values lie outside a range.
  [[nodiscard]] bool outside(double low, double high) const noexcept { return high_ < low || low_ > high; }
  [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }

 private:
  static constexpr std::uint64_t kRowsThatNumber = 3;
  static constexpr std::uint64_t kRowsThatRise = 5;

  void follow(double value) noexcept {
    consecutive_ = consecutive_ && value == last_ + 1;
    rises_ = rises_ && value > last_;
    falls_ = falls_ && value < last_;
  }

  double first_ = 0;
  double last_ = 0;
  double low_ = 0;
  double high_ = 0;
  std::uint64_t rows_ = 0;
  bool consecutive_ = true;
  bool rises_ = true;
  bool falls_ = true;
  bool whole_ = true;
};

}  // namespace warpbench::datasets
