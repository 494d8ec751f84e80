// The contained pairs of a collection, by intersecting the lists of sets that hold each token.
#include <omp.h>

#include <algorithm>
#include <numeric>

#include "problems/first_failure.hpp"
#include "problems/set_containment/problem.hpp"

namespace warpbench {
namespace {

using datasets::SetCollection;
using datasets::Token;
using List = std::span<const std::uint32_t>;

/// The sets that hold each distinct token, ascending.
class TokenLists {
 public:
  explicit TokenLists(const SetCollection& sets) : sets_(sets), numbers_(sets.tokens.begin(), sets.tokens.end()) {
    std::vector<Token> known(sets.tokens.begin(), sets.tokens.end());
    std::ranges::sort(known);
    known.erase(std::ranges::unique(known).begin(), known.end());
    const auto total = static_cast<std::int64_t>(numbers_.size());
#pragma omp parallel for
    for (std::int64_t i = 0; i < total; ++i) {
      std::uint32_t& number = numbers_[static_cast<std::size_t>(i)];
      number = static_cast<std::uint32_t>(std::ranges::lower_bound(known, number) - known.begin());
    }
    offsets_.assign(known.size() + 1, 0);
    for (const std::uint32_t number : numbers_) ++offsets_[number + 1];
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    lists_.resize(numbers_.size());
    std::vector<std::uint64_t> next(offsets_.begin(), offsets_.end() - 1);
    for (std::int64_t i = 0; i < sets.count(); ++i) {
      for (const std::uint32_t number : numbers_of(i)) lists_[next[number]++] = static_cast<std::uint32_t>(i);
    }
  }

  /// Of the tokens of a set, the shortest first.
  void of(std::int64_t set, std::vector<List>& lists) const {
    lists.clear();
    for (const std::uint32_t number : numbers_of(set)) {
      lists.push_back(List(lists_).subspan(offsets_[number], offsets_[number + 1] - offsets_[number]));
    }
    std::ranges::sort(lists, {}, &List::size);
  }

 private:
  [[nodiscard]] List numbers_of(std::int64_t set) const {
    return List(numbers_).subspan(sets_.offsets[static_cast<std::size_t>(set)],
                                  static_cast<std::size_t>(sets_.size(set)));
  }

  const SetCollection& sets_;
  std::vector<std::uint32_t> numbers_;  ///< of the distinct tokens, in place of the tokens
  std::vector<std::uint64_t> offsets_;
  std::vector<std::uint32_t> lists_;
};

/// Whether a pair of `set` with one that holds it is found there, not from the other side: of equal sets the first.
bool is_found_from(const SetCollection& sets, std::int64_t set, std::int64_t holder) {
  return holder != set && (sets.size(holder) > sets.size(set) || holder > set);
}

}  // namespace

std::vector<std::uint64_t> contained_pairs(const SetCollection& sets) {
  const TokenLists token_lists(sets);
  const std::int64_t count = sets.count();
  std::vector<std::vector<std::uint64_t>> of_threads(static_cast<std::size_t>(omp_get_max_threads()));
  FirstFailure failure;
#pragma omp parallel
  {
    std::vector<List> lists;
    std::vector<std::uint64_t>& places = of_threads[static_cast<std::size_t>(omp_get_thread_num())];
#pragma omp for schedule(dynamic, 256)
    for (std::int64_t set = 0; set < count; ++set) {
      failure.guard([&] {
        token_lists.of(set, lists);
        const auto add = [&](std::int64_t holder) {
          if (is_found_from(sets, set, holder)) places.push_back(pairs::place_of(count, set, holder));
        };
        if (lists.empty()) {
          for (std::int64_t holder = 0; holder < count; ++holder) add(holder);
          return;
        }
        for (const std::uint32_t candidate : lists[0]) {
          const auto holds = [candidate](List list) { return std::ranges::binary_search(list, candidate); };
          if (sets.size(candidate) < sets.size(set)) continue;
          if (std::all_of(lists.begin() + 1, lists.end(), holds)) add(candidate);
        }
      });
    }
  }
  failure.rethrow();
  std::vector<std::uint64_t> all;
  for (const std::vector<std::uint64_t>& places : of_threads) all.insert(all.end(), places.begin(), places.end());
  std::ranges::sort(all);
  return all;
}

}  // namespace warpbench
