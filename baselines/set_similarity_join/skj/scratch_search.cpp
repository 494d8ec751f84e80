#include "baselines/set_similarity_join/skj/scratch_search.hpp"

#include <algorithm>

#include "device/integers.hpp"

namespace warpbench::similarity::skj {

using datasets::Token;

namespace {

/// Tokens of so many candidates are on their way from memory.
constexpr std::size_t kAhead = 8;

}  // namespace

ScratchSearch::ScratchSearch(const OrderedSets& sets, const Bounds& bounds, const SizeBlockIndex& index)
    : sets_(&sets),
      bounds_(bounds),
      index_(&index),
      largest_size_(sets.count() == 0 ? 0 : static_cast<std::uint32_t>(sets.sets.size(sets.count() - 1))),
      live_(index.blocks.size() - 1),
      dead_(index.lists.size() - 1),
      found_by_(static_cast<std::size_t>(sets.count())) {}

void ScratchSearch::begin(bool index_skipping, bool whole_overlaps) {
  index_skipping_ = index_skipping;
  whole_overlaps_ = whole_overlaps;
  for (std::size_t b = 0; b < live_.size(); ++b) {
    const SizeBlock& block = index_->blocks[b];
    live_[b] = {block.size, block.prefix, block.prefix};
  }
  std::ranges::fill(dead_, 0U);
  std::ranges::fill(found_by_, kNone<std::uint32_t>);
  probing_size_ = 0;
  counters_ = {};
}

std::span<Similar> ScratchSearch::answer(std::uint32_t set) {
  const std::span<const Token> tokens = sets_->sets.set(set);
  const auto size = static_cast<std::uint32_t>(tokens.size());
  demand_overlaps(size);
  candidates_.clear();
  for (std::uint32_t position = 0; position < bounds_.index_prefix(size); ++position) probe(set, position);
  answer_.clear();
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    if (k + kAhead < candidates_.size()) prefetch(candidates_[k + kAhead]);
    const Candidate& candidate = candidates_[k];
    const std::span<const Token> other = sets_->sets.set(candidate.set);
    const std::uint32_t required = required_[other.size() - size];
    const std::uint32_t overlap = verified_overlap(tokens, other, candidate, required, whole_overlaps_);
    if (overlap != 0) answer_.push_back({candidate.set, overlap});
  }
  return answer_;
}

void ScratchSearch::prefetch(const Candidate& candidate) const {
  __builtin_prefetch(sets_->sets.tokens.data() + sets_->sets.offsets[candidate.set] + candidate.position);
}

void ScratchSearch::demand_overlaps(std::uint32_t size) {
  if (size == probing_size_) return;
  probing_size_ = size;
  required_.clear();
  for (std::uint32_t other = size; other <= std::min(bounds_.max_size(size), largest_size_); ++other) {
    required_.push_back(bounds_.min_overlap(size, other));
  }
}

/// Reaches the blocks of sets to which the token at `position` is in this set's prefix.
void ScratchSearch::probe(std::uint32_t set, std::uint32_t position) {
  const std::uint32_t left = probing_size_ - position;
  const Token token = sets_->sets.set(set)[position];
  const std::uint64_t end = index_->lists[token + 1];
  std::uint64_t block = index_->lists[token] + dead_[token];
  while (block < end && live_[block].size < probing_size_) ++block;
  dead_[token] = static_cast<std::uint32_t>(block - index_->lists[token]);
  for (; block < end; ++block) {
    const std::uint32_t larger_by = live_[block].size - probing_size_;
    if (larger_by >= required_.size() || required_[larger_by] > left) return;
    scan(block, set, position, required_[larger_by]);
  }
}

void ScratchSearch::scan(std::uint64_t block, std::uint32_t set, std::uint32_t position, std::uint32_t required) {
  LiveBlock& reached = live_[block];
  const std::uint32_t last_position = reached.size - required;
  std::uint32_t probed = 0;
  for (const Posting& posting : index_->postings_of(index_->blocks[block]).first(reached.live)) {
    ++probed;
    if (posting.position > last_position) {
      if (!index_skipping_) continue;
      reached.live = probed - 1;
      break;
    }
    if (posting.set <= set || found_by_[posting.set] == set || !sets_->joins(set, posting.set)) continue;
    found_by_[posting.set] = set;
    candidates_.push_back({posting.set, 1, position + 1, posting.position + 1});
  }
  counters_.probed_postings += probed;
  counters_.skipped_postings += reached.prefix - probed;
  if (probed < reached.prefix) ++counters_.skipped_blocks;
}

}  // namespace warpbench::similarity::skj
