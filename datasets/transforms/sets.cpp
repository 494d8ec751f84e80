#include "datasets/transforms/sets.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "datasets/input_error.hpp"
#include "datasets/io/digest.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

constexpr std::size_t kSetGrain = 1 << 8;
constexpr std::size_t kTokenGrain = 1 << 16;

void check_count(const char* transform, const SetCollection& sets, std::int64_t count) {
  if (count <= sets.count()) return;
  throw InputError(std::string("transform ") + transform, 0, "at least " + std::to_string(count) + " sets",
                   std::to_string(sets.count()));
}

std::vector<std::uint32_t> all_numbers(const SetCollection& sets) {
  std::vector<std::uint32_t> numbers(static_cast<std::size_t>(sets.count()));
  std::iota(numbers.begin(), numbers.end(), std::uint32_t{0});
  return numbers;
}

/// The array's first `count` values. The view owns a copy of the array, which keeps the memory alive.
template <typename T>
Array<T> front_of(const Array<T>& values, std::size_t count) {
  return {std::make_shared<const Array<T>>(values), values.span().first(count)};
}

/// The tokens that occur, by the number of sets that they are in; equally frequent ones by number.
class TokenOrder {
 public:
  TokenOrder(const SetCollection& sets, Order order, int threads) : known_(token_frequencies(sets, threads)) {
    const auto& counts = known_.counts;
    std::vector<std::uint32_t> by_count(counts.size());
    std::iota(by_count.begin(), by_count.end(), std::uint32_t{0});
    std::stable_sort(by_count.begin(), by_count.end(), [&counts, order](std::uint32_t a, std::uint32_t b) {
      return order == Order::ascending ? counts[a] < counts[b] : counts[a] > counts[b];
    });
    rank_of_.resize(counts.size());
    for (std::size_t rank = 0; rank < by_count.size(); ++rank) rank_of_[by_count[rank]] = static_cast<Token>(rank);
  }

  /// The tokens in this order.
  [[nodiscard]] std::vector<Token> tokens() const {
    std::vector<Token> ordered(rank_of_.size());
    for (std::size_t i = 0; i < ordered.size(); ++i) ordered[rank_of_[i]] = known_.tokens[i];
    return ordered;
  }

  /// The place of each of the sets' tokens in this order, where the token stands in `sets`.
  [[nodiscard]] std::vector<Token> ranks(const SetCollection& sets, int threads) const {
    std::vector<Token> ranks(sets.tokens.size());
    for_chunks(static_cast<std::size_t>(sets.count()), kSetGrain, threads,
               [&](std::size_t begin, std::size_t end, std::size_t) {
                 for (std::size_t i = begin; i < end; ++i) {
                   const auto set = sets.set(static_cast<std::int64_t>(i));
                   auto known = known_.tokens.begin();
                   std::transform(set.begin(), set.end(), ranks.begin() + static_cast<std::ptrdiff_t>(sets.offsets[i]),
                                  [&](Token token) {
                                    known = std::lower_bound(known, known_.tokens.end(), token);
                                    return rank_of_[static_cast<std::size_t>(known - known_.tokens.begin())];
                                  });
                 }
               });
    return ranks;
  }

 private:
  TokenFrequencies known_;
  std::vector<Token> rank_of_;  // of known_.tokens[i]
};

/// Sorts each set of `tokens`, which stand as the sets' offsets say.
void sort_each(const SetCollection& sets, std::vector<Token>& tokens, int threads) {
  for_chunks(static_cast<std::size_t>(sets.count()), kSetGrain, threads,
             [&](std::size_t begin, std::size_t end, std::size_t) {
               for (std::size_t i = begin; i < end; ++i) {
                 std::sort(tokens.begin() + static_cast<std::ptrdiff_t>(sets.offsets[i]),
                           tokens.begin() + static_cast<std::ptrdiff_t>(sets.offsets[i + 1]));
               }
             });
}

}  // namespace

SetCollection take_sets(const SetCollection& sets, std::span<const std::uint32_t> old_of_new, int threads) {
  std::vector<std::uint64_t> offsets(old_of_new.size() + 1, 0);
  for (std::size_t i = 0; i < old_of_new.size(); ++i) {
    offsets[i + 1] = offsets[i] + static_cast<std::uint64_t>(sets.size(old_of_new[i]));
  }
  std::vector<Token> tokens(offsets.back());
  for_chunks(old_of_new.size(), kSetGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto set = sets.set(old_of_new[i]);
      std::copy(set.begin(), set.end(), tokens.begin() + static_cast<std::ptrdiff_t>(offsets[i]));
    }
  });
  return {std::move(offsets), std::move(tokens)};
}

SetCollection first_sets(const SetCollection& sets, std::int64_t count) {
  check_count("first", sets, count);
  if (count == 0) return sets;
  const auto n = static_cast<std::size_t>(count);
  return {front_of(sets.offsets, n + 1), front_of(sets.tokens, sets.offsets[n])};
}

std::vector<std::uint32_t> largest_sets(const SetCollection& sets, std::int64_t count) {
  check_count("largest", sets, count);
  std::vector<std::uint32_t> numbers = all_numbers(sets);
  const auto cut = numbers.begin() + static_cast<std::ptrdiff_t>(count);
  std::nth_element(numbers.begin(), cut, numbers.end(), [&sets](std::uint32_t a, std::uint32_t b) {
    return sets.size(a) != sets.size(b) ? sets.size(a) > sets.size(b) : a < b;
  });
  numbers.erase(cut, numbers.end());
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::vector<std::uint32_t> sets_by_size(const SetCollection& sets, Order order) {
  std::vector<std::uint32_t> numbers = all_numbers(sets);
  std::stable_sort(numbers.begin(), numbers.end(), [&sets, order](std::uint32_t a, std::uint32_t b) {
    if (sets.size(a) != sets.size(b)) return (sets.size(a) < sets.size(b)) == (order == Order::ascending);
    const auto left = sets.set(a);
    const auto right = sets.set(b);
    return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
  });
  return numbers;
}

SetCollection tokens_by_frequency(const SetCollection& sets, Order order, int threads) {
  const TokenOrder tokens(sets, order, threads);
  std::vector<Token> renumbered = tokens.ranks(sets, threads);
  sort_each(sets, renumbered, threads);
  return {sets.offsets, std::move(renumbered)};
}

std::vector<std::uint32_t> distinct_sets(const SetCollection& sets, int threads) {
  struct Hashed {
    std::uint64_t hash;
    std::uint32_t number;
  };
  std::vector<Hashed> all(static_cast<std::size_t>(sets.count()));
  for_chunks(all.size(), kSetGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      all[i] = {checksum(std::as_bytes(sets.set(static_cast<std::int64_t>(i)))), static_cast<std::uint32_t>(i)};
    }
  });
  std::sort(all.begin(), all.end(),
            [](const Hashed& a, const Hashed& b) { return a.hash != b.hash ? a.hash < b.hash : a.number < b.number; });
  std::vector<std::uint32_t> kept;
  std::uint64_t hash = 0;
  std::size_t same_hash = 0;  // where the kept sets of this hash begin
  for (const Hashed& one : all) {
    if (one.hash != hash) same_hash = kept.size();
    hash = one.hash;
    const bool known =
        std::any_of(kept.begin() + static_cast<std::ptrdiff_t>(same_hash), kept.end(),
                    [&](std::uint32_t other) { return std::ranges::equal(sets.set(other), sets.set(one.number)); });
    if (!known) kept.push_back(one.number);
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

SetCollection enlarged_sets(const SetCollection& sets, std::int64_t times, int threads) {
  constexpr std::int64_t kAllTokens = std::int64_t{1} << 32U;
  const std::int64_t universe = sets.universe();
  if (times > kMaxSets / std::max<std::int64_t>(1, sets.count()) || universe + times - 1 > kAllTokens) {
    throw InputError(
        "transform enlarge", 0,
        "at most " + std::to_string(kMaxSets) + " sets of at most " + std::to_string(kAllTokens) + " different tokens",
        std::to_string(times) + " times " + std::to_string(sets.count()) + " sets of " + std::to_string(universe),
        "enlarge fewer times, or apply tokens_by_frequency before, which numbers tokens from 0");
  }
  const TokenOrder order(sets, Order::ascending, threads);
  const std::vector<Token> ranks = order.ranks(sets, threads);
  std::vector<Token> token_at = order.tokens();
  for (std::int64_t more = 0; more + 1 < times; ++more) token_at.push_back(static_cast<Token>(universe + more));

  const auto copies = static_cast<std::size_t>(times);
  const auto count = static_cast<std::size_t>(sets.count());
  std::vector<std::uint64_t> offsets(copies * count + 1, 0);
  std::vector<Token> tokens(copies * ranks.size());
  for (std::size_t copy = 0; copy < copies; ++copy) {
    const std::uint64_t base = copy * ranks.size();
    for (std::size_t i = 0; i <= count; ++i) offsets[copy * count + i] = base + sets.offsets[i];
    for_chunks(ranks.size(), kTokenGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
      for (std::size_t k = begin; k < end; ++k) tokens[base + k] = token_at[ranks[k] + copy];
    });
  }
  SetCollection all{std::move(offsets), {}};
  sort_each(all, tokens, threads);
  all.tokens = std::move(tokens);
  return all;
}

}  // namespace warpbench::datasets
