#include "problems/set_similarity_join/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "problems/first_failure.hpp"

namespace warpbench::similarity {
namespace {

using datasets::Token;
using Input = SetSimilarityJoin::Input;
using Reference = SetSimilarityJoin::Reference;

#pragma omp declare reduction(+ : Reference : omp_out += omp_in)

/// Sets in the sample: about so many tokens are compared, by at least so many sets and at most so many.
constexpr double kSampledTokens = 2e8;
constexpr std::int64_t kMinSampledSets = 8;
constexpr std::int64_t kMaxSampledSets = 1000;
constexpr std::uint64_t kSampleSeed = 2022;

std::uint32_t size32(std::int64_t size) {
  return static_cast<std::uint32_t>(size);
}

/// The pair of two sets of the collection, where they are similar.
std::optional<Pair> pair_of(const Input& input, std::int64_t a, std::int64_t b) {
  const std::uint32_t overlap = overlap_of(input.sets->set(a), input.sets->set(b));
  const std::int64_t size_a = input.sets->size(a);
  const std::int64_t size_b = input.sets->size(b);
  if (!input.similar(overlap, size_a, size_b)) return std::nullopt;
  return Pair{static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b),
              value_of(input.measure, overlap, size32(size_a), size32(size_b))};
}

/// The smallest number in [low, high] that satisfies `holds`, as all above it do; high + 1 where none does.
template <typename Holds>
std::uint32_t smallest(std::uint32_t low, std::uint32_t high, const Holds& holds) {
  std::uint32_t end = high + 1;
  while (low < end) {
    const std::uint32_t middle = low + (end - low) / 2;
    if (holds(middle)) {
      end = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// What sets of one size need to be similar to others.
struct Needs {
  std::uint32_t smallest_partner = 0;  ///< the size of the smallest set that can be similar
  std::uint32_t prefix = 0;            ///< tokens of which a similar set that is no larger has one
  std::uint32_t indexed_prefix = 0;    ///< tokens of which a similar set that is no smaller has one
};

/// The overlap from which on sets of these sizes are similar, b <= a.
std::uint32_t needed_overlap(const Input& input, std::uint32_t a, std::uint32_t b) {
  return smallest(1, b, [&](std::uint32_t overlap) { return input.similar(overlap, a, b); });
}

Needs needs_of(const Input& input, std::uint32_t size) {
  Needs needs;
  needs.smallest_partner =
      smallest(1, size, [&](std::uint32_t partner) { return input.similar(partner, partner, size); });
  // The smaller the other set, the fewer common tokens suffice. All but one fewer may lie behind the prefix.
  needs.prefix = size - needed_overlap(input, size, needs.smallest_partner) + 1;
  needs.indexed_prefix = size - needed_overlap(input, size, size) + 1;
  return needs;
}

/// The sets that are not empty, by size; their tokens by frequency, the rarest first.
struct RankedSets {
  std::vector<std::uint32_t> numbers;  ///< in the collection
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> ranks;
  std::size_t distinct = 0;

  explicit RankedSets(const datasets::SetCollection& sets) {
    const datasets::TokenFrequencies frequencies = datasets::token_frequencies(sets);
    distinct = frequencies.tokens.size();
    std::vector<std::uint32_t> by_frequency(distinct);
    std::iota(by_frequency.begin(), by_frequency.end(), 0U);
    std::ranges::stable_sort(by_frequency, {}, [&](std::uint32_t place) { return frequencies.counts[place]; });
    std::vector<std::uint32_t> rank_of(distinct);
    for (std::size_t rank = 0; rank < distinct; ++rank) rank_of[by_frequency[rank]] = static_cast<std::uint32_t>(rank);

    for (std::int64_t i = 0; i < sets.count(); ++i) {
      if (sets.size(i) > 0) numbers.push_back(static_cast<std::uint32_t>(i));
    }
    std::ranges::stable_sort(numbers, {}, [&](std::uint32_t number) { return sets.size(number); });
    offsets.push_back(0);
    for (const std::uint32_t number : numbers) {
      offsets.push_back(offsets.back() + static_cast<std::uint64_t>(sets.size(number)));
    }
    ranks.resize(offsets.back());
#pragma omp parallel for schedule(dynamic, 256)
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::span<std::uint32_t> made = std::span(ranks).subspan(offsets[i], size(i));
      std::ranges::transform(sets.set(numbers[i]), made.begin(), [&](Token token) {
        return rank_of[static_cast<std::size_t>(std::ranges::lower_bound(frequencies.tokens, token) -
                                                frequencies.tokens.begin())];
      });
      std::ranges::sort(made);
    }
  }

  [[nodiscard]] std::size_t count() const {
    return numbers.size();
  }
  [[nodiscard]] std::uint32_t size(std::size_t i) const {
    return static_cast<std::uint32_t>(offsets[i + 1] - offsets[i]);
  }
  [[nodiscard]] std::span<const std::uint32_t> set(std::size_t i) const {
    return std::span(ranks).subspan(offsets[i], size(i));
  }
};

/// A set and the place of a token in it.
struct Occurrence {
  std::uint32_t set;
  std::uint32_t place;
};

/// For each token the sets that have it in their indexed prefix, ascending.
class PrefixLists {
 public:
  PrefixLists(const Input& input, const RankedSets& sets) : offsets_(sets.distinct + 1) {
    for (std::size_t i = 0; i < sets.count(); ++i) {
      const std::uint32_t size = sets.size(i);
      if (needs_.size() <= size) needs_.resize(size + 1);
      if (needs_[size].smallest_partner == 0) needs_[size] = needs_of(input, size);
      for (const std::uint32_t rank : sets.set(i).first(needs_[size].indexed_prefix)) ++offsets_[rank + 1];
    }
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    occurrences_.resize(offsets_.back());
    std::vector<std::uint64_t> next(offsets_.begin(), offsets_.end() - 1);
    for (std::size_t i = 0; i < sets.count(); ++i) {
      const std::span<const std::uint32_t> set = sets.set(i);
      for (std::uint32_t place = 0; place < needs_[set.size()].indexed_prefix; ++place) {
        occurrences_[next[set[place]]++] = {static_cast<std::uint32_t>(i), place};
      }
    }
  }

  [[nodiscard]] const Needs& needs(std::uint32_t size) const { return needs_[size]; }
  [[nodiscard]] std::span<const Occurrence> list(std::uint32_t rank) const {
    return std::span(occurrences_).subspan(offsets_[rank], offsets_[rank + 1] - offsets_[rank]);
  }

 private:
  std::vector<Needs> needs_;  ///< by size, of the sizes that there are
  std::vector<std::uint64_t> offsets_;
  std::vector<Occurrence> occurrences_;
};

/// Finds the sets that are similar to one and lie before it. Each thread has its own.
class PartnerSearch {
 public:
  /// All outlive it.
  PartnerSearch(const Input& input, const RankedSets& sets, const PrefixLists& lists)
      : input_(input), sets_(sets), lists_(lists), partial_of_(sets.count(), kNoPartial) {}

  /// found(number of the other set in the collection, overlap) for each set similar to the i-th.
  template <typename Found>
  void visit(std::size_t i, const Found& found) {
    const std::uint32_t size = sets_.size(i);
    if (needed_.size() != size + 1) find_needed(size);
    meet(i);
    for (const Partial& partial : partials_) {
      partial_of_[partial.set] = kNoPartial;
      const std::uint32_t overlap = whole_overlap(i, partial);
      if (overlap > 0) found(sets_.numbers[partial.set], overlap);
    }
    partials_.clear();
  }

 private:
  /// What is known of another set from common tokens of the prefixes.
  struct Partial {
    std::uint32_t set;
    std::uint32_t common;     ///< the number of them
    std::uint32_t own_place;  ///< of the last one
    std::uint32_t place;
  };
  static constexpr std::uint32_t kNoPartial = ~0U;

  /// The overlaps that sets of this size need with smaller ones, by their size.
  void find_needed(std::uint32_t size) {
    needed_.assign(size + 1, 0);
    const std::uint32_t from = lists_.needs(size).smallest_partner;
    std::uint32_t overlap = needed_overlap(input_, size, from);
    for (std::uint32_t other = from; other <= size; ++other) {
      while (!input_.similar(overlap, size, other)) ++overlap;
      needed_[other] = overlap;
    }
  }

  [[nodiscard]] bool joins(std::size_t i, std::uint32_t other) const {
    const auto [a, b] = std::minmax(sets_.numbers[i], sets_.numbers[other]);
    return input_.joins(a, b);
  }

  /// Collects the sets before the i-th that share a token of the prefixes and can still be similar.
  void meet(std::size_t i) {
    const std::span<const std::uint32_t> set = sets_.set(i);
    const auto size = static_cast<std::uint32_t>(set.size());
    const Needs& needs = lists_.needs(size);
    for (std::uint32_t own = 0; own < needs.prefix; ++own) {
      const std::span<const Occurrence> list = lists_.list(set[own]);
      const auto size_of = [this](const Occurrence& occurrence) { return sets_.size(occurrence.set); };
      for (auto one = std::ranges::lower_bound(list, needs.smallest_partner, {}, size_of);
           one != list.end() && one->set < i; ++one) {
        if (!joins(i, one->set)) continue;
        const std::uint32_t other_size = sets_.size(one->set);
        std::uint32_t& place = partial_of_[one->set];
        const std::uint32_t common = place == kNoPartial ? 1 : partials_[place].common + 1;
        if (common + std::min(size - own, other_size - one->place) - 1 < needed_[other_size]) continue;
        const Partial partial{one->set, common, own, one->place};
        if (place == kNoPartial) {
          place = static_cast<std::uint32_t>(partials_.size());
          partials_.push_back(partial);
        } else {
          partials_[place] = partial;
        }
      }
    }
  }

  /// Merges what lies behind the common tokens known. 0 where the sets are not similar.
  [[nodiscard]] std::uint32_t whole_overlap(std::size_t i, const Partial& partial) const {
    const std::span<const std::uint32_t> a = sets_.set(i).subspan(partial.own_place + 1);
    const std::span<const std::uint32_t> b = sets_.set(partial.set).subspan(partial.place + 1);
    std::uint32_t common = partial.common;
    // The tokens that each may have alone.
    const std::int64_t missing = std::int64_t{needed_[sets_.size(partial.set)]} - common;
    auto spare_a = static_cast<std::int64_t>(a.size()) - missing;
    auto spare_b = static_cast<std::int64_t>(b.size()) - missing;
    auto in_a = a.begin();
    auto in_b = b.begin();
    while (spare_a >= 0 && spare_b >= 0 && in_a != a.end() && in_b != b.end()) {
      if (*in_a == *in_b) {
        ++common;
        ++in_a;
        ++in_b;
      } else if (*in_a < *in_b) {
        ++in_a;
        --spare_a;
      } else {
        ++in_b;
        --spare_b;
      }
    }
    return spare_a >= 0 && spare_b >= 0 ? common : 0;
  }

  const Input& input_;
  const RankedSets& sets_;
  const PrefixLists& lists_;
  std::vector<std::uint32_t> partial_of_;  ///< its place in partials_, by set
  std::vector<Partial> partials_;
  std::vector<std::uint32_t> needed_;
};

/// A set's share of a digest of its pairs.
std::uint64_t mix_of(const Pair& pair) {
  Reference one;
  one.add(pair);
  return one.similarity_digest;
}

/// Some sets: random ones, and as many random ones among those with pairs, which have a mix other than 0.
std::vector<std::int64_t> sample_of(const Input& input, std::span<const std::uint64_t> mixes) {
  const double tokens_of_one = 2.0 * static_cast<double>(input.sets->total());
  const auto affordable = static_cast<std::int64_t>(kSampledTokens / std::max(1.0, tokens_of_one));
  const std::int64_t each = std::clamp(std::min(affordable, input.sets->count()), kMinSampledSets, kMaxSampledSets) / 2;
  std::vector<std::int64_t> with_pairs;
  for (std::size_t i = 0; i < mixes.size(); ++i) {
    if (mixes[i] != 0) with_pairs.push_back(static_cast<std::int64_t>(i));
  }
  std::vector<std::int64_t> sample;
  for (std::int64_t k = 0; k < each; ++k) {
    const std::uint64_t random = mix64(kSampleSeed, static_cast<std::uint64_t>(k));
    if (!mixes.empty()) sample.push_back(static_cast<std::int64_t>(random % mixes.size()));
    if (!with_pairs.empty()) sample.push_back(with_pairs[random % with_pairs.size()]);
  }
  return sample;
}

/// `mixes`: of each set, mix_of() of its pairs, summed.
void check_sample(const Input& input, std::span<const std::uint64_t> mixes) {
  const std::vector<std::int64_t> sample = sample_of(input, mixes);
  std::int64_t different = input.sets->count();
#pragma omp parallel for schedule(dynamic) reduction(min : different)
  for (std::size_t k = 0; k < sample.size(); ++k) {
    const std::int64_t i = sample[k];
    std::uint64_t mix = 0;
    for (std::int64_t j = 0; j < input.sets->count(); ++j) {
      const auto [a, b] = std::minmax(i, j);
      if (a == b || !input.joins(a, b)) continue;
      if (const std::optional<Pair> pair = pair_of(input, a, b)) mix += mix_of(*pair);
    }
    if (mix != mixes[static_cast<std::size_t>(i)]) different = std::min(different, i);
  }
  if (different == input.sets->count()) return;
  throw std::logic_error(fmt::format(
      "set_similarity_join's reference, set {}: its index of prefixes finds other pairs than brute force", different));
}

}  // namespace

std::uint32_t overlap_of(std::span<const Token> a, std::span<const Token> b) {
  constexpr std::size_t kFarLarger = 32;
  if (a.size() > b.size()) std::swap(a, b);
  std::uint32_t common = 0;
  if (a.size() < b.size() / kFarLarger) {
    for (const Token token : a) common += std::ranges::binary_search(b, token) ? 1 : 0;
    return common;
  }
  for (auto in_a = a.begin(), in_b = b.begin(); in_a != a.end() && in_b != b.end();) {
    const Token token_a = *in_a;
    const Token token_b = *in_b;
    common += token_a == token_b ? 1 : 0;
    in_a += token_a <= token_b ? 1 : 0;
    in_b += token_b <= token_a ? 1 : 0;
  }
  return common;
}

double compared_tokens(const Input& input) {
  const datasets::SetCollection& sets = *input.sets;
  const auto all = static_cast<double>(sets.count());
  const auto tokens = static_cast<double>(sets.total());
  if (input.left == 0) return (all - 1) * tokens;
  const auto left = static_cast<double>(input.left);
  const auto left_tokens = static_cast<double>(sets.offsets[static_cast<std::size_t>(input.left)]);
  return (all - left) * left_tokens + left * (tokens - left_tokens);
}

Reference by_brute_force(const Input& input) {
  const std::int64_t count = input.sets->count();
  const std::int64_t rows = input.left == 0 ? count : input.left;
  const bool is_large = compared_tokens(input) > 1e6;  // others take less time than threads take to start
  Reference all;
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : all) if (is_large)
  for (std::int64_t a = 0; a < rows; ++a) {
    for (std::int64_t b = std::max(a + 1, input.left); b < count; ++b) {
      if (const std::optional<Pair> pair = pair_of(input, a, b)) all.add(*pair);
    }
  }
  return all;
}

Reference by_prefixes(const Input& input) {
  const RankedSets sets(*input.sets);
  const PrefixLists lists(input, sets);
  std::vector<std::uint64_t> mixes(static_cast<std::size_t>(input.sets->count()));
  Reference all;
  FirstFailure failure;
#pragma omp parallel reduction(+ : all)
  {
    std::optional<PartnerSearch> search;
    failure.guard([&] { search.emplace(input, sets, lists); });
#pragma omp for schedule(dynamic, 16)
    for (std::size_t k = 0; k < sets.count(); ++k) {
      const std::size_t i = sets.count() - 1 - k;  // the largest first: they take longest
      failure.guard([&] {
        search->visit(i, [&](std::uint32_t other, std::uint32_t overlap) {
          const auto [a, b] = std::minmax(sets.numbers[i], other);
          const auto size = [&](std::uint32_t number) { return size32(input.sets->size(number)); };
          const Pair pair{a, b, value_of(input.measure, overlap, size(a), size(b))};
          all.add(pair);
          const std::uint64_t mix = mix_of(pair);
          for (const std::uint32_t number : {a, b}) {
            std::uint64_t& sum = mixes[number];
#pragma omp atomic
            sum += mix;
          }
        });
      });
    }
  }
  failure.rethrow();
  check_sample(input, mixes);
  return all;
}

}  // namespace warpbench::similarity
