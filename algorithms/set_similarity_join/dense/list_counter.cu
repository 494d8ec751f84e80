#include "algorithms/set_similarity_join/dense/list_counter.cuh"

#include <algorithm>
#include <utility>

#include "device/primitives.hpp"
#include "device/segments.cuh"

namespace warpbench::similarity {
namespace {

constexpr int kListThreads = 256;

/// The probing sets and their tokens, numbered from 0 on.
struct ProbingSets {
  Extent<std::int64_t> sets;
  View<const std::uint64_t> starts;  ///< of the sets' tokens, from sets.begin on; one more than sets

  [[nodiscard]] __device__ Extent<std::int64_t> tokens(std::int64_t set) const {
    const Extent<std::int64_t> own = segment(starts, set);
    const auto first = static_cast<std::int64_t>(starts[0]);
    return {own.begin - first, own.end - first};
  }
};

/// A warp a probing set: where the sets after it begin in the list of each of its tokens, and their number.
__global__ void __launch_bounds__(kListThreads)
    find_lists(SetsView sets, ProbingSets probing, ListsView lists, View<std::int64_t> list_begins,
               View<std::uint64_t> list_lengths) {
  for (const std::int64_t row : grid::per_warp<kListThreads>(probing.sets.size())) {
    const std::int64_t i = probing.sets.begin + row;
    const Extent<std::int64_t> tokens = probing.tokens(row);
    const View<const datasets::Token> set = sets.set(i);
    for (const std::int64_t k : warp::strided(tokens.size())) {
      const std::int64_t begin = lists.first_from(set[k], i + 1);
      list_begins[tokens.begin + k] = begin;
      list_lengths[tokens.begin + k] = static_cast<std::uint64_t>(lists.offsets[std::int64_t{set[k]} + 1] - begin);
    }
  }
}

/// `vector_starts`: the elements of the logical vector before each token's, and last of all.
__global__ void __launch_bounds__(LaunchShape::kMaxThreads)
    count_elements(ProbingSets probing, View<const std::int64_t> list_begins, View<const std::uint64_t> vector_starts,
                   View<const Posting> postings, CountMatrix counts) {
  const auto length = static_cast<std::int64_t>(vector_starts[vector_starts.size() - 1]);
  const std::int64_t share = ceil_div(length, grid::size());
  std::int64_t at = grid::index() * share;
  const std::int64_t stop = at + share < length ? at + share : length;
  if (at >= stop) return;
  std::int64_t token = find_segment(vector_starts, static_cast<std::uint64_t>(at));
  std::int64_t row = find_segment(probing.starts, probing.starts[0] + static_cast<std::uint64_t>(token));
  while (at < stop) {
    while (segment(vector_starts, token).end <= at) ++token;
    while (probing.tokens(row).end <= token) ++row;
    const Extent<std::int64_t> elements = segment(vector_starts, token);
    const std::int64_t end = elements.end < stop ? elements.end : stop;
    const std::int64_t first = list_begins[token] - elements.begin;
    for (; at < end; ++at) atomicAdd(&counts.cell(probing.sets.begin + row, postings[first + at].set), 1U);
  }
}

}  // namespace

void ListCounter::prepare(std::int64_t most_tokens, Stream& stream) {
  list_begins_ = Buffer<std::int64_t>(most_tokens, stream);
  list_lengths_ = Buffer<std::uint64_t>(most_tokens + 1, stream);
  vector_starts_ = Buffer<std::uint64_t>(most_tokens + 1, stream);
  list_lengths_.fill(0, stream);
}

void ListCounter::count(const SetsView& sets, SetRange probing, const PrefixStarts& starts, const ListsView& lists,
                        const CountMatrix& counts, const LaunchShape& shape, Stream& stream) {
  const std::int64_t tokens = starts.tokens(probing);
  const ProbingSets rows{{probing.begin, probing.end}, starts.view(sets).subview(probing.begin, probing.count() + 1)};
  launch(find_lists, warp_grid_for(probing.count(), kListThreads), stream, sets, rows, lists, list_begins_.view(),
         list_lengths_.view());
  // The scan's last element is the sum of those before, whatever the last length is.
  exclusive_scan(std::as_const(list_lengths_).view().first(tokens + 1), vector_starts_.view().first(tokens + 1),
                 stream);
  launch(count_elements, shape.grid(count_elements, tokens * counts.columns.size()), stream, rows,
         std::as_const(list_begins_).view(), std::as_const(vector_starts_).view().first(tokens + 1), lists.postings,
         counts);
}

}  // namespace warpbench::similarity
