#include "algorithms/set_similarity_join/hyset/index_builder.hpp"

#include <algorithm>
#include <string>

#include "device/integers.hpp"
#include "solvers/registry.hpp"

namespace warpbench::similarity {

void IndexBuilder::prepare(const OrderedSets& sets, const Bounds& bounds, Stream& stream) {
  distinct_tokens_ = sets.distinct_tokens;
  starts_.prepare(sets, bounds, stream);
}

void IndexBuilder::take_memory(std::int64_t most_tokens, Stream& stream) {
  if (most_tokens > kNone<std::uint32_t>) {
    throw Unsupported("an index would have " + std::to_string(most_tokens) +
                      " postings, but can have 4294967295; a higher threshold or smaller blocks need fewer");
  }
  drop_memory();
  lists_.prepare(most_tokens, distinct_tokens_, stream);
  postings_ = PinnedBuffer<Posting>(most_tokens);
  offsets_ = PinnedBuffer<std::int64_t>(distinct_tokens_ + 1);
}

void IndexBuilder::drop_memory() {
  lists_ = {};
  postings_ = {};
  offsets_ = {};
}

void IndexBuilder::reserve(PrefixIndex& index, SetRange indexed) const {
  index.offsets.assign(static_cast<std::size_t>(distinct_tokens_ + 1), 0);
  index.postings.assign(static_cast<std::size_t>(starts_.tokens(indexed)), {});
}

void IndexBuilder::build(PrefixIndex& index, SetRange indexed, const SetsView& sets, Stream& stream) {
  lists_.build(sets, indexed, starts_, stream);
  const auto postings = postings_.span().first(static_cast<std::size_t>(starts_.tokens(indexed)));
  lists_.download(postings, offsets_.span(), stream);
  stream.synchronize();
  index.sets = indexed;
  index.build = next_build();
  index.postings.assign(postings.begin(), postings.end());
  index.offsets.resize(offsets_.span().size());
  std::ranges::transform(offsets_.span(), index.offsets.begin(),
                         [](std::int64_t offset) { return static_cast<std::uint32_t>(offset); });
}

}  // namespace warpbench::similarity
