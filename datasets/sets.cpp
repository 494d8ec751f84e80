#include "datasets/sets.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>

#include "datasets/input_error.hpp"
#include "datasets/parallel.hpp"
#include "device/integers.hpp"

namespace warpbench::datasets {
namespace {

constexpr std::size_t kSetGrain = 1 << 8;

[[noreturn]] void fail(const std::string& expected, const std::string& found) {
  throw InputError("sets", 0, expected, found);
}

void check_offsets(const SetCollection& sets) {
  const auto& offsets = sets.offsets;
  if (offsets.empty()) fail("at least one offset", "none");
  if (sets.count() > kMaxSets) fail("at most " + std::to_string(kMaxSets) + " sets", std::to_string(sets.count()));
  if (offsets.front() != 0) fail("a first offset of 0", std::to_string(offsets.front()));
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    if (offsets[i] < offsets[i - 1]) {
      fail("an offset of at least " + std::to_string(offsets[i - 1]) + " after set " + std::to_string(i - 1),
           std::to_string(offsets[i]));
    }
  }
  if (offsets.back() != sets.tokens.size()) {
    fail("a last offset of " + std::to_string(sets.tokens.size()) + ", the number of tokens",
         std::to_string(offsets.back()));
  }
}

/// Receives a range of tokens and the number of occurrences of each.
using Visit = std::function<void(std::size_t slice, std::span<const Token> tokens, std::span<const std::uint32_t>)>;

/// Counts tokens in slices of the universe, one thread per slice. A slice is so large that finding its place in every
/// set costs less than reading its tokens.
class TokenCounter {
 public:
  explicit TokenCounter(const SetCollection& sets)
      : sets_(sets), universe_(static_cast<std::uint64_t>(sets.universe())) {
    constexpr std::int64_t kSliceTokens = std::int64_t{1} << 20U;
    constexpr std::int64_t kMaxSlices = 4096;
    const std::int64_t tokens_each = std::max(kSliceTokens, 4 * sets.count());
    const auto slices = static_cast<std::uint64_t>(std::clamp<std::int64_t>(sets.total() / tokens_each, 1, kMaxSlices));
    width_ = std::max<std::uint64_t>(1, ceil_div(universe_, slices));
  }

  [[nodiscard]] std::size_t slices() const { return ceil_div(universe_, width_); }

  void run(int threads, const Visit& visit) const {
    for_chunks(slices(), 1, threads, [&](std::size_t slice, std::size_t, std::size_t) { count(slice, visit); });
  }

 private:
  template <typename Body>
  void for_tokens(std::uint64_t low, Body&& body) const {
    const std::uint64_t high = std::min(universe_, low + width_);
    for (std::int64_t i = 0; i < sets_.count(); ++i) {
      const auto set = sets_.set(i);
      auto at = std::lower_bound(set.begin(), set.end(), low);
      for (; at != set.end() && *at < high; ++at) body(*at);
    }
  }

  /// Uses a table if enough of the slice's tokens occur, otherwise sorts.
  void count(std::size_t slice, const Visit& visit) const {
    constexpr std::uint64_t kTableEntriesPerToken = 16;
    const std::uint64_t low = slice * width_;
    std::vector<Token> found;
    std::vector<std::uint32_t> counts;
    if (universe_ / kTableEntriesPerToken <= static_cast<std::uint64_t>(sets_.total())) {
      std::vector<std::uint32_t> table(width_);
      for_tokens(low, [&](Token token) { ++table[token - low]; });
      for (std::uint64_t i = 0; i < table.size(); ++i) {
        if (table[i] == 0) continue;
        found.push_back(static_cast<Token>(low + i));
        counts.push_back(table[i]);
      }
    } else {
      std::vector<Token> all;
      for_tokens(low, [&](Token token) { all.push_back(token); });
      std::sort(all.begin(), all.end());
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (i == 0 || all[i] != all[i - 1]) {
          found.push_back(all[i]);
          counts.push_back(0);
        }
        ++counts.back();
      }
    }
    visit(slice, found, counts);
  }

  const SetCollection& sets_;
  std::uint64_t universe_;
  std::uint64_t width_ = 1;
};

/// Number of tokens by their number of occurrences, the most frequent first.
using CountClasses = std::map<std::uint32_t, std::int64_t, std::greater<>>;

CountClasses count_classes(const SetCollection& sets) {
  CountClasses classes;
  std::mutex merging;
  TokenCounter(sets).run(0, [&](std::size_t, std::span<const Token>, std::span<const std::uint32_t> counts) {
    CountClasses own;
    for (const std::uint32_t count : counts) ++own[count];
    const std::lock_guard lock(merging);
    for (const auto& [count, tokens] : own) classes[count] += tokens;
  });
  return classes;
}

/// The share of all tokens that belongs to the most frequent hundredth (at least one) of the distinct ones.
double frequent_share(const CountClasses& classes, std::int64_t distinct, std::int64_t total) {
  if (total == 0) return 0.0;
  std::int64_t left = (distinct + 99) / 100;
  std::int64_t covered = 0;
  for (const auto& [count, tokens] : classes) {
    const std::int64_t taken = std::min(left, tokens);
    covered += taken * std::int64_t{count};
    left -= taken;
  }
  return static_cast<double>(covered) / static_cast<double>(total);
}

/// Adds size_class_1, sets_of_class_1, … up to the last class that has sets.
void add_size_classes(const SetCollection& sets, Properties& properties) {
  std::map<int, std::int64_t> classes;  // by the number of bits of a size
  for (std::int64_t i = 0; i < sets.count(); ++i) {
    ++classes[static_cast<int>(std::bit_width(static_cast<std::uint64_t>(sets.size(i))))];
  }
  classes.erase(0);
  if (classes.empty()) return;
  const int first = classes.begin()->first;
  for (int bits = first; bits <= classes.rbegin()->first; ++bits) {
    const std::string number = std::to_string(bits - first + 1);
    properties["size_class_" + number] = std::int64_t{1} << (bits - 1);
    properties["sets_of_class_" + number] = classes[bits];
  }
}

}  // namespace

std::int64_t SetCollection::universe() const noexcept {
  std::int64_t largest = -1;
  for (std::int64_t i = 0; i < count(); ++i) {
    if (size(i) > 0) largest = std::max(largest, std::int64_t{set(i).back()});
  }
  return largest + 1;
}

std::int64_t SetCollection::max_size() const noexcept {
  std::int64_t largest = 0;
  for (std::int64_t i = 0; i < count(); ++i) largest = std::max(largest, size(i));
  return largest;
}

void SetCollection::validate() const {
  check_offsets(*this);
  for_chunks(static_cast<std::size_t>(count()), kSetGrain, 0, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto one = set(static_cast<std::int64_t>(i));
      const auto bad = std::adjacent_find(one.begin(), one.end(), std::greater_equal<>());
      if (bad == one.end()) continue;
      fail("ascending tokens without repeats in set " + std::to_string(i),
           std::to_string(*(bad + 1)) + " after " + std::to_string(*bad));
    }
  });
}

Properties SetCollection::describe() const {
  const CountClasses classes = count_classes(*this);
  std::int64_t distinct = 0;
  for (const auto& [occurrences, tokens_with_it] : classes) distinct += tokens_with_it;
  std::int64_t smallest = count() == 0 ? 0 : max_size();
  for (std::int64_t i = 0; i < count(); ++i) smallest = std::min(smallest, size(i));
  Properties properties{{"sets", count()},
                        {"tokens", total()},
                        {"universe", universe()},
                        {"distinct_tokens", distinct},
                        {"min_size", smallest},
                        {"mean_size", count() == 0 ? 0.0 : static_cast<double>(total()) / static_cast<double>(count())},
                        {"max_size", max_size()},
                        {"frequent_share", frequent_share(classes, distinct, total())}};
  add_size_classes(*this, properties);
  return properties;
}

SetCollection build_sets(std::vector<std::uint64_t> offsets, std::vector<Token> tokens, int threads,
                         std::int64_t* duplicates) {
  const std::size_t sets = offsets.size() - 1;
  std::vector<std::uint64_t> unique(sets + 1, 0);
  for_chunks(sets, kSetGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto first = tokens.begin() + static_cast<std::ptrdiff_t>(offsets[i]);
      const auto last = tokens.begin() + static_cast<std::ptrdiff_t>(offsets[i + 1]);
      if (!std::is_sorted(first, last)) std::sort(first, last);
      unique[i + 1] = static_cast<std::uint64_t>(std::unique(first, last) - first);
    }
  });
  std::partial_sum(unique.begin(), unique.end(), unique.begin());
  if (duplicates != nullptr) *duplicates = static_cast<std::int64_t>(offsets.back() - unique.back());
  if (unique.back() == offsets.back()) return {std::move(offsets), std::move(tokens)};
  for (std::size_t i = 0; i < sets; ++i) {  // in place: every set moves to the front
    std::copy_n(tokens.begin() + static_cast<std::ptrdiff_t>(offsets[i]), unique[i + 1] - unique[i],
                tokens.begin() + static_cast<std::ptrdiff_t>(unique[i]));
  }
  tokens.resize(unique.back());
  return {std::move(unique), std::move(tokens)};
}

TokenFrequencies token_frequencies(const SetCollection& sets, int threads) {
  const TokenCounter counter(sets);
  std::vector<TokenFrequencies> slices(counter.slices());
  counter.run(threads, [&](std::size_t slice, std::span<const Token> tokens, std::span<const std::uint32_t> counts) {
    slices[slice] = {{tokens.begin(), tokens.end()}, {counts.begin(), counts.end()}};
  });
  TokenFrequencies all;
  for (TokenFrequencies& slice : slices) {
    all.tokens.insert(all.tokens.end(), slice.tokens.begin(), slice.tokens.end());
    all.counts.insert(all.counts.end(), slice.counts.begin(), slice.counts.end());
    slice = {};
  }
  return all;
}

}  // namespace warpbench::datasets
