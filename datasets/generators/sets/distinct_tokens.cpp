#include "datasets/generators/sets/distinct_tokens.hpp"

#include <algorithm>
#include <bit>

#include "device/integers.hpp"

namespace warpbench::datasets {
namespace {

constexpr std::uint64_t kBitmapUniverse = std::uint64_t{1} << 24U;  // 2 MiB
constexpr std::uint64_t kWordBits = 64;

}  // namespace

DistinctTokens::DistinctTokens(std::uint64_t universe, std::uint64_t most) {
  added_.reserve(most);
  if (universe <= kBitmapUniverse) {
    bitmap_.resize(ceil_div(universe, kWordBits));
  } else {
    table_.resize(std::bit_ceil(2 * most + 1));
    table_shift_ = 32U - static_cast<unsigned>(std::countr_zero(table_.size()));
  }
}

bool DistinctTokens::add(Token token) {
  if (!(bitmap_.empty() ? add_to_table(token) : add_to_bitmap(token))) return false;
  added_.push_back(token);
  return true;
}

void DistinctTokens::take(Token* out) {
  constexpr std::size_t kWordsPerToken = 4;  // scanning this many words costs as much as sorting one token
  if (!bitmap_.empty() && bitmap_.size() <= kWordsPerToken * added_.size()) {
    scan_bitmap(out);
  } else {
    std::sort(added_.begin(), added_.end());
    std::copy(added_.begin(), added_.end(), out);
    for (const Token token : added_) {
      if (!bitmap_.empty()) bitmap_[token / kWordBits] = 0;
    }
    std::fill(table_.begin(), table_.end(), 0);
  }
  added_.clear();
}

bool DistinctTokens::add_to_bitmap(Token token) noexcept {
  std::uint64_t& word = bitmap_[token / kWordBits];
  const std::uint64_t bit = std::uint64_t{1} << (token % kWordBits);
  const bool fresh = (word & bit) == 0;
  word |= bit;
  return fresh;
}

bool DistinctTokens::add_to_table(Token token) noexcept {
  constexpr std::uint32_t kGolden = 0x9E37'79B9U;
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = (token * kGolden) >> table_shift_;
  for (; table_[slot] != 0; slot = (slot + 1) & mask) {
    if (added_[table_[slot] - 1] == token) return false;
  }
  table_[slot] = static_cast<std::uint32_t>(added_.size() + 1);
  return true;
}

void DistinctTokens::scan_bitmap(Token* out) noexcept {
  for (std::size_t i = 0; i < bitmap_.size(); ++i) {
    for (std::uint64_t word = bitmap_[i]; word != 0; word &= word - 1) {
      *out++ = static_cast<Token>(i * kWordBits + static_cast<unsigned>(std::countr_zero(word)));
    }
    bitmap_[i] = 0;
  }
}

}  // namespace warpbench::datasets
