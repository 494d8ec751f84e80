#include "baselines/set_similarity_join/skj/derivation.hpp"

#include <algorithm>
#include <functional>

#include "device/integers.hpp"
#include "solvers/gallop.hpp"

namespace warpbench::similarity::skj {
namespace {

using datasets::Token;

/// How many of some ascending tokens a set has, which is usually larger.
template <typename Tokens, typename TokenOf>
std::uint32_t count_in(std::span<const Token> set, const Tokens& tokens, const TokenOf& token_of) {
  std::uint32_t count = 0;
  std::size_t at = 0;
  for (const auto& each : tokens) {
    const Token token = std::invoke(token_of, each);
    at = gallop(set, at, token);
    if (at == set.size()) break;
    if (set[at] == token) ++count;
  }
  return count;
}

}  // namespace

Derivation::Derivation(const OrderedSets& sets, const Bounds& bounds, const SizeBlockIndex& index)
    : sets_(&sets), bounds_(bounds), index_(&index), found_by_(static_cast<std::size_t>(sets.count())) {}

void Derivation::begin(bool whole_overlaps) {
  whole_overlaps_ = whole_overlaps;
  std::ranges::fill(found_by_, kNone<std::uint32_t>);
  probed_postings_ = 0;
}

void Derivation::from(std::uint32_t x, std::span<const Similar> answer) {
  x_ = x;
  of_x_ = answer;
}

bool Derivation::plan(std::size_t place, std::uint64_t most) {
  place_ = place;
  y_ = of_x_[place].set;
  std::uint64_t cost = of_x_.size() - place;
  if (cost >= most) return false;
  find_differences();
  ranges_.clear();
  for (std::size_t nth = 0; nth < gained_.size(); ++nth) {
    const std::span<const SizeBlock> list = index_->list(gained_[nth].token);
    const auto first = std::ranges::lower_bound(list, size(y_), {}, &SizeBlock::size);
    for (const SizeBlock& block : list.subspan(static_cast<std::size_t>(first - list.begin()))) {
      if (block.size > bounds_.max_size(size(y_))) break;
      if (nth >= looked_up(block.size)) continue;
      ranges_.push_back(range_of(block, gained_[nth].position));
      cost += ranges_.back().postings.size();
      if (cost >= most) return false;
    }
  }
  return true;
}

void Derivation::find_differences() {
  gained_.clear();
  lost_.clear();
  const std::span<const Token> of_x = sets_->sets.set(x_);
  const std::span<const Token> of_y = sets_->sets.set(y_);
  const std::size_t differences = of_x.size() + of_y.size() - 2 * std::size_t{of_x_[place_].overlap};
  std::size_t i = 0;
  std::size_t j = 0;
  while (gained_.size() + lost_.size() < differences) {
    if (j == of_y.size() || (i < of_x.size() && of_x[i] < of_y[j])) {
      lost_.push_back(of_x[i++]);
    } else if (i == of_x.size() || of_y[j] < of_x[i]) {
      gained_.push_back({of_y[j], static_cast<std::uint32_t>(j)});
      ++j;
    } else {
      ++i;
      ++j;
    }
  }
}

/// The first tokens of y \ x of which a set of this size has one if it is similar to y and not to x.
std::size_t Derivation::looked_up(std::uint32_t size_of_z) const {
  const std::uint64_t tokens = gained_.size() + bounds_.min_overlap(size(x_), size_of_z);
  const std::uint32_t required = bounds_.min_overlap(size(y_), size_of_z);
  return tokens > required ? tokens - required : 0;
}

/// A common token at `position` of y and another position of z leaves enough tokens before and behind it for the
/// overlap only if the positions are close to each other.
Derivation::Range Derivation::range_of(const SizeBlock& block, std::uint32_t position) const {
  const std::uint32_t required = bounds_.min_overlap(size(y_), block.size);
  const std::uint32_t first = position - std::min(position, size(y_) - required);
  const std::uint32_t last = position + block.size - required;
  const std::span<const Posting> postings = index_->postings_of(block);
  const auto begin = std::ranges::lower_bound(postings, first, {}, &Posting::position);
  const auto end = std::ranges::upper_bound(begin, postings.end(), last, {}, &Posting::position);
  return {{begin, end}, required};
}

std::span<const Similar> Derivation::answer() {
  answer_.clear();
  take_known();
  for (const Range& range : ranges_) search(range);
  return answer_;
}

/// Sets of x's answer: the known overlap decides, or the tokens in which x and y differ do.
void Derivation::take_known() {
  const auto gained = static_cast<std::uint32_t>(gained_.size());
  const auto lost = static_cast<std::uint32_t>(lost_.size());
  for (const auto& [z, overlap] : of_x_.subspan(place_ + 1)) {
    found_by_[z] = y_;
    const std::uint32_t required = bounds_.min_overlap(size(y_), size(z));
    if (overlap + gained < required) continue;
    std::uint32_t with_y = overlap - std::min(overlap, lost);
    if (with_y < required || whole_overlaps_) {
      const std::span<const Token> set = sets_->sets.set(z);
      with_y = overlap + count_in(set, gained_, &Gained::token) - count_in(set, lost_, std::identity());
    }
    if (with_y >= required) answer_.push_back({z, with_y});
  }
}

void Derivation::search(const Range& range) {
  probed_postings_ += range.postings.size();
  for (const Posting& posting : range.postings) {
    if (posting.set <= y_ || found_by_[posting.set] == y_) continue;
    found_by_[posting.set] = y_;
    const std::uint32_t overlap = verified_overlap(sets_->sets.set(y_), sets_->sets.set(posting.set),
                                                   {posting.set, 0, 0, 0}, range.required, whole_overlaps_);
    if (overlap != 0) answer_.push_back({posting.set, overlap});
  }
}

}  // namespace warpbench::similarity::skj
