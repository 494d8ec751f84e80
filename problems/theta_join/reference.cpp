#include "problems/theta_join/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <stdexcept>
#include <vector>

#include "device/mix64.hpp"
#include "problems/theta_join/rows.hpp"

namespace warpbench::theta {
namespace {

using datasets::Relation;

#pragma omp declare reduction(+ : Found : omp_out += omp_in)

/// Pairs of the sample that nested loops join besides by_sorting().
constexpr std::int64_t kSampledPairs = std::int64_t{1} << 27;
constexpr std::uint64_t kSampleSeed = 2022;
/// Of as many pairs nested loops take less than starting threads.
constexpr std::int64_t kPairsOfOneThread = std::int64_t{1} << 15;

std::span<const std::int32_t> column_of(const Relation& relation, Column column) {
  return column == Column::a ? relation.a.span() : relation.x.span();
}

constexpr bool holds(Comparison comparison, std::int32_t r, std::int32_t s) {
  switch (comparison) {
    case Comparison::less:
      return r < s;
    case Comparison::less_equal:
      return r <= s;
    case Comparison::greater:
      return r > s;
    case Comparison::greater_equal:
      return r >= s;
    case Comparison::equal:
      return r == s;
    default:
      return r != s;
  }
}

/// The rows of tuple i of R.
template <Comparison kFirst>
Found loop_over_s(const Join& join, std::size_t i, bool with_digest) {
  const Predicate& theta = join.predicate;
  const auto& [r, s] = *join.relations;
  const std::int32_t r_first = column_of(r, theta.first.r)[i];
  const std::int32_t r_second = column_of(r, theta.second.r)[i];
  const std::span<const std::int32_t> s_first = column_of(s, theta.first.s);
  const std::span<const std::int32_t> s_second = column_of(s, theta.second.s);
  std::int64_t sum = 0;  // of fewer than 2^31 numbers of 32 bits
  std::uint64_t count = 0;
  std::uint64_t digest = 0;
  for (std::size_t j = 0; j < s_first.size(); ++j) {
    bool is_row = holds(kFirst, r_first, s_first[j]);
    if (theta.is_conjunction) is_row = is_row && holds(theta.second.comparison, r_second, s_second[j]);
    sum += is_row ? s.x[j] : 0;
    count += is_row ? 1 : 0;
    if (with_digest && is_row) digest += digest_of_row({r.a[i], s.a[j], s.x[j]});
  }
  return {sum, count, digest};
}

using LoopOverS = Found (*)(const Join&, std::size_t, bool);

LoopOverS loop_of(const Predicate& theta) {
  constexpr std::array<LoopOverS, 6> kLoops{loop_over_s<Comparison::less>,    loop_over_s<Comparison::less_equal>,
                                            loop_over_s<Comparison::greater>, loop_over_s<Comparison::greater_equal>,
                                            loop_over_s<Comparison::equal>,   loop_over_s<Comparison::not_equal>};
  return kLoops.at(static_cast<std::size_t>(theta.first.comparison));
}

/// [begin, end) of an array.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Where in ascending keys those lie that satisfy `r comparison key`: at most two ranges.
std::array<Range, 2> satisfying(std::span<const std::int32_t> keys, Comparison comparison, std::int32_t r) {
  const auto lower = [&] { return static_cast<std::size_t>(std::ranges::lower_bound(keys, r) - keys.begin()); };
  const auto upper = [&] { return static_cast<std::size_t>(std::ranges::upper_bound(keys, r) - keys.begin()); };
  switch (comparison) {
    case Comparison::less:
      return {Range{upper(), keys.size()}, {}};
    case Comparison::less_equal:
      return {Range{lower(), keys.size()}, {}};
    case Comparison::greater:
      return {Range{0, lower()}, {}};
    case Comparison::greater_equal:
      return {Range{0, upper()}, {}};
    case Comparison::equal:
      return {Range{lower(), upper()}, {}};
    default:
      return {Range{0, lower()}, Range{upper(), keys.size()}};
  }
}

/// A tuple of S, with the keys that the conditions compare.
struct Tuple {
  std::int32_t first;
  std::int32_t second;
  std::int32_t a;
  std::int32_t x;
};

/// S in the order of the first condition's key. Of a conjunction also in blocks of it, each in the order of the second
/// key: a range of the first key is whole blocks, of which binary search finds the rows, and two parts of blocks.
class SortedS {
 public:
  explicit SortedS(const Join& join) : join_(join) {
    const Relation& s = join.relations->s;
    const std::span<const std::int32_t> first = column_of(s, join.predicate.first.s);
    const std::span<const std::int32_t> second = column_of(s, join.predicate.second.s);
    by_first_.reserve(first.size());
    for (std::size_t j = 0; j < first.size(); ++j) by_first_.push_back({first[j], second[j], s.a[j], s.x[j]});
    std::ranges::sort(by_first_, {}, &Tuple::first);
    first_keys_ = keys_of(by_first_, &Tuple::first);
    if (join.predicate.is_conjunction) sort_blocks();
    sums_.push_back(0);
    for (const Tuple& tuple : listed()) sums_.push_back(sums_.back() + tuple.x);
  }

  /// The rows of tuple i of R.
  [[nodiscard]] Found found(std::size_t i, bool with_digest) const {
    const auto& [first, second, is_conjunction] = join_.predicate;
    const Relation& r = join_.relations->r;
    const std::int32_t r_second = column_of(r, second.r)[i];
    Found all;
    for (const Range& range : satisfying(first_keys_, first.comparison, column_of(r, first.r)[i])) {
      if (is_conjunction) {
        add_blocks(all, r.a[i], r_second, range, with_digest);
      } else {
        add_listed(all, r.a[i], range, with_digest);
      }
    }
    return all;
  }

 private:
  static std::vector<std::int32_t> keys_of(const std::vector<Tuple>& tuples, std::int32_t Tuple::*key) {
    std::vector<std::int32_t> keys;
    keys.reserve(tuples.size());
    for (const Tuple& tuple : tuples) keys.push_back(tuple.*key);
    return keys;
  }

  void sort_blocks() {
    block_ = 2 * std::bit_ceil(static_cast<std::size_t>(std::sqrt(by_first_.size())));
    in_blocks_ = by_first_;
    for (std::size_t begin = 0; begin < in_blocks_.size(); begin += block_) {
      const auto block = std::span(in_blocks_).subspan(begin, std::min(block_, in_blocks_.size() - begin));
      std::ranges::sort(block, {}, &Tuple::second);
    }
    second_keys_ = keys_of(in_blocks_, &Tuple::second);
  }

  /// In the order in which rows lie side by side.
  [[nodiscard]] const std::vector<Tuple>& listed() const {
    return join_.predicate.is_conjunction ? in_blocks_ : by_first_;
  }

  /// Tuples listed()[range] are all rows.
  void add_listed(Found& all, std::int32_t r_a, const Range& range, bool with_digest) const {
    if (range.begin >= range.end) return;
    all.sum += sums_[range.end] - sums_[range.begin];
    all.count += range.end - range.begin;
    for (std::size_t at = range.begin; with_digest && at < range.end; ++at) {
      all.digest += digest_of_row({r_a, listed()[at].a, listed()[at].x});
    }
  }

  /// Those of tuples by_first_[range] that satisfy the second condition.
  void add_blocks(Found& all, std::int32_t r_a, std::int32_t r_second, const Range& range, bool with_digest) const {
    const Comparison comparison = join_.predicate.second.comparison;
    for (std::size_t at = range.begin; at < range.end;) {
      if (at % block_ != 0 || at + block_ > range.end) {
        const std::size_t end = std::min(range.end, (at / block_ + 1) * block_);
        for (; at < end; ++at) {
          const Tuple& tuple = by_first_[at];
          if (!holds(comparison, r_second, tuple.second)) continue;
          all += {tuple.x, 1, with_digest ? digest_of_row({r_a, tuple.a, tuple.x}) : 0};
        }
        continue;
      }
      const auto keys = std::span(second_keys_).subspan(at, block_);
      for (const Range& rows : satisfying(keys, comparison, r_second)) {
        add_listed(all, r_a, {at + rows.begin, at + rows.end}, with_digest);
      }
      at += block_;
    }
  }

  Join join_;
  std::vector<Tuple> by_first_;
  std::vector<std::int32_t> first_keys_;
  std::vector<Tuple> in_blocks_;           ///< by_first_, each block in the order of the second key
  std::vector<std::int32_t> second_keys_;  ///< of in_blocks_
  std::vector<std::int64_t> sums_;         ///< of S.x before each place of listed()
  std::size_t block_ = 0;
};

void check_sample(const Join& join, const SortedS& sorted, bool with_digest) {
  const std::int64_t tuples = join.relations->r.count();
  const std::int64_t sampled = std::clamp<std::int64_t>(
      kSampledPairs / std::max<std::int64_t>(1, join.relations->s.count()), std::min<std::int64_t>(1, tuples), tuples);
  const LoopOverS loop = loop_of(join.predicate);
  std::int64_t different = tuples;
#pragma omp parallel for schedule(dynamic) reduction(min : different)
  for (std::int64_t k = 0; k < sampled; ++k) {
    const std::uint64_t i = mix64(kSampleSeed, static_cast<std::uint64_t>(k)) % static_cast<std::uint64_t>(tuples);
    if (sorted.found(i, with_digest) == loop(join, i, with_digest)) continue;
    different = std::min(different, static_cast<std::int64_t>(i));
  }
  if (different == tuples) return;
  const auto i = static_cast<std::size_t>(different);
  const Found expected = loop(join, i, with_digest);
  const Found found = sorted.found(i, with_digest);
  throw std::logic_error(
      fmt::format("theta_join's reference, tuple {} of R: by nested loops {} rows of sum {} and digest {:016x}, by "
                  "sorting {}, {} and {:016x}",
                  i, expected.count, expected.sum, expected.digest, found.count, found.sum, found.digest));
}

}  // namespace

Found by_nested_loops(const Join& join, bool with_digest) {
  const LoopOverS loop = loop_of(join.predicate);
  const std::int64_t pairs = join.relations->r.count() * join.relations->s.count();
  Found all;
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : all) if (pairs > kPairsOfOneThread)
  for (std::int64_t i = 0; i < join.relations->r.count(); ++i) {
    all += loop(join, static_cast<std::size_t>(i), with_digest);
  }
  return all;
}

Found by_sorting(const Join& join, bool with_digest) {
  const SortedS sorted(join);
  check_sample(join, sorted, with_digest);
  Found all;
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : all)
  for (std::int64_t i = 0; i < join.relations->r.count(); ++i) {
    all += sorted.found(static_cast<std::size_t>(i), with_digest);
  }
  return all;
}

}  // namespace warpbench::theta
