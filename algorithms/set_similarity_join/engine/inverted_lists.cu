#include "algorithms/set_similarity_join/engine/inverted_lists.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "device/primitives.hpp"
#include "device/segments.cuh"

namespace warpbench::similarity {
namespace {

constexpr int kPostingThreads = 256;

/// A warp a set: the tokens of its prefix, and the postings that go with them.
__global__ void __launch_bounds__(kPostingThreads)
    write_postings(SetsView sets, Extent<std::int64_t> indexed, View<const std::uint64_t> starts,
                   View<datasets::Token> tokens, View<Posting> postings) {
  const auto first = static_cast<std::int64_t>(starts[indexed.begin]);
  for (const std::int64_t i : grid::per_warp<kPostingThreads>(indexed)) {
    const Extent<std::int64_t> prefix = segment(starts, i);
    const View<const datasets::Token> set = sets.set(i);
    for (const auto position : warp::strided(static_cast<std::uint32_t>(prefix.size()))) {
      const std::int64_t place = prefix.begin - first + position;
      tokens[place] = set[position];
      postings[place] = {static_cast<std::uint32_t>(i), position};
    }
  }
}

}  // namespace

void InvertedLists::prepare(std::int64_t most_tokens, std::int64_t distinct_tokens, Stream& stream) {
  tokens_ = Buffer<datasets::Token>(most_tokens, stream);
  sorted_tokens_ = Buffer<datasets::Token>(most_tokens, stream);
  unsorted_ = Buffer<Posting>(most_tokens, stream);
  postings_ = Buffer<Posting>(most_tokens, stream);
  every_token_ = Buffer<datasets::Token>(distinct_tokens + 1, stream);
  offsets_ = Buffer<std::int64_t>(distinct_tokens + 1, stream);
  iota(every_token_.view(), stream);
  token_bits_ = std::max(1, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(distinct_tokens - 1))));
}

void InvertedLists::build(const SetsView& sets, SetRange indexed, const PrefixStarts& starts, Stream& stream) {
  size_ = starts.tokens(indexed);
  launch(write_postings, warp_grid_for(indexed.count(), kPostingThreads), stream, sets,
         Extent<std::int64_t>{indexed.begin, indexed.end}, starts.view(sets), tokens_.view(), unsorted_.view());
  const View<datasets::Token> sorted = sorted_tokens_.view().first(size_);
  // Stable, so that sets still ascend within a list.
  sort_pairs(std::as_const(tokens_).view().first(size_), sorted, std::as_const(unsorted_).view().first(size_),
             postings_.view().first(size_), stream, 0, token_bits_);
  lower_bound(View<const datasets::Token>(sorted), std::as_const(every_token_).view(), offsets_.view(), stream);
}

}  // namespace warpbench::similarity
