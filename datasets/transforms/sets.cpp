#include "datasets/transforms/sets.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "datasets/input_error.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

constexpr std::size_t kSetGrain = 1 << 8;

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
  const TokenFrequencies frequencies = token_frequencies(sets, threads);
  const auto& counts = frequencies.counts;
  std::vector<std::uint32_t> by_count(counts.size());
  std::iota(by_count.begin(), by_count.end(), std::uint32_t{0});
  std::stable_sort(by_count.begin(), by_count.end(), [&counts, order](std::uint32_t a, std::uint32_t b) {
    return order == Order::ascending ? counts[a] < counts[b] : counts[a] > counts[b];
  });
  std::vector<Token> new_of_distinct(counts.size());
  for (std::size_t i = 0; i < by_count.size(); ++i) new_of_distinct[by_count[i]] = static_cast<Token>(i);

  std::vector<Token> tokens(sets.tokens.size());
  for_chunks(static_cast<std::size_t>(sets.count()), kSetGrain, threads,
             [&](std::size_t begin, std::size_t end, std::size_t) {
               for (std::size_t i = begin; i < end; ++i) {
                 const auto set = sets.set(static_cast<std::int64_t>(i));
                 const auto out = tokens.begin() + static_cast<std::ptrdiff_t>(sets.offsets[i]);
                 auto known = frequencies.tokens.begin();
                 std::transform(set.begin(), set.end(), out, [&](Token token) {
                   known = std::lower_bound(known, frequencies.tokens.end(), token);
                   return new_of_distinct[static_cast<std::size_t>(known - frequencies.tokens.begin())];
                 });
                 std::sort(out, out + static_cast<std::ptrdiff_t>(set.size()));
               }
             });
  return {sets.offsets, std::move(tokens)};
}

}  // namespace warpbench::datasets
