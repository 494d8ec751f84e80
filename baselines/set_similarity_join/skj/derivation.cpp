#include "baselines/set_similarity_join/skj/derivation.hpp"

#include <algorithm>
#include <bit>
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

bool Derivation::pays(std::size_t place) {
  const std::uint32_t y = of_x_[place].set;
  const std::uint64_t others = of_x_.size() - place - 1;
  const std::uint64_t compared = std::uint64_t{size(x_)} + size(y);
  const std::uint64_t differences = compared - 2 * std::uint64_t{of_x_[place].overlap};
  const std::uint64_t scratch = index_->scratch_postings[y] + others * 2 * size(y);
  std::uint64_t derived = others * (1 + differences * std::bit_width(size(y)));
  if (differences > 0) derived += compared;
  if (derived >= scratch) return false;
  find_differences(place);
  for (const Gained& gained : std::span(gained_).first(looked_up(y, size(y)))) {
    derived += index_->frequency(gained.token);
  }
  return derived < scratch;
}

void Derivation::find_differences(std::size_t place) {
  gained_.clear();
  lost_.clear();
  const std::span<const Token> of_x = sets_->sets.set(x_);
  const std::span<const Token> of_y = sets_->sets.set(of_x_[place].set);
  const std::size_t differences = of_x.size() + of_y.size() - 2 * std::size_t{of_x_[place].overlap};
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

std::span<const Similar> Derivation::answer(std::size_t place) {
  answer_.clear();
  find_differences(place);
  take_known(place);
  const std::uint32_t y = of_x_[place].set;
  for (std::size_t nth = 0; nth < gained_.size(); ++nth) search(y, nth);
  return answer_;
}

/// Sets of x's answer: the known overlap decides, or the tokens in which x and y differ do.
void Derivation::take_known(std::size_t place) {
  const std::uint32_t y = of_x_[place].set;
  const auto gained = static_cast<std::uint32_t>(gained_.size());
  const auto lost = static_cast<std::uint32_t>(lost_.size());
  for (const auto& [z, overlap] : of_x_.subspan(place + 1)) {
    found_by_[z] = y;
    const std::uint32_t required = bounds_.min_overlap(size(y), size(z));
    if (overlap + gained < required) continue;
    std::uint32_t with_y = overlap - std::min(overlap, lost);
    if (with_y < required || whole_overlaps_) {
      const std::span<const Token> set = sets_->sets.set(z);
      with_y = overlap + count_in(set, gained_, &Gained::token) - count_in(set, lost_, std::identity());
    }
    if (with_y >= required) answer_.push_back({z, with_y});
  }
}

/// The first tokens of y \ x of which a set of this size has one if it is similar to y and not to x.
std::size_t Derivation::looked_up(std::uint32_t y, std::uint32_t size_of_z) const {
  const std::uint64_t tokens = gained_.size() + bounds_.min_overlap(size(x_), size_of_z);
  const std::uint32_t required = bounds_.min_overlap(size(y), size_of_z);
  return tokens > required ? tokens - required : 0;
}

void Derivation::search(std::uint32_t y, std::size_t nth) {
  const std::span<const SizeBlock> list = index_->list(gained_[nth].token);
  const auto first = std::ranges::lower_bound(list, size(y), {}, &SizeBlock::size);
  for (const SizeBlock& block : list.subspan(static_cast<std::size_t>(first - list.begin()))) {
    if (block.size > bounds_.max_size(size(y))) return;
    if (nth < looked_up(y, block.size)) search(y, gained_[nth].position, block);
  }
}

/// A common token at `position` of y and another position of z leaves enough tokens before and behind it for the
/// overlap only if the positions are close to each other: a range of the block.
void Derivation::search(std::uint32_t y, std::uint32_t position, const SizeBlock& block) {
  const std::uint32_t required = bounds_.min_overlap(size(y), block.size);
  const std::uint32_t spare = size(y) - required;
  const std::uint32_t first = position - std::min(position, spare);
  const std::uint32_t last = position + block.size - required;
  const std::span<const Posting> postings = index_->postings_of(block);
  const auto begin = std::ranges::lower_bound(postings, first, {}, &Posting::position);
  for (const Posting& posting : postings.subspan(static_cast<std::size_t>(begin - postings.begin()))) {
    ++probed_postings_;
    if (posting.position > last) return;
    if (posting.set <= y || found_by_[posting.set] == y) continue;
    found_by_[posting.set] = y;
    const std::uint32_t overlap = verified_overlap(sets_->sets.set(y), sets_->sets.set(posting.set),
                                                   {posting.set, 0, 0, 0}, required, whole_overlaps_);
    if (overlap != 0) answer_.push_back({posting.set, overlap});
  }
}

}  // namespace warpbench::similarity::skj
