#include "algorithms/set_similarity_join/engine/prefix_starts.hpp"

#include <algorithm>
#include <utility>

#include "device/primitives.hpp"
#include "device/ranges.cuh"

namespace warpbench::similarity {
namespace {

constexpr int kLengthThreads = 256;

WARPBENCH_HOST_DEVICE std::uint32_t prefix_length(Prefix prefix, const Bounds& bounds, std::uint32_t size) {
  return prefix == Prefix::towards_larger ? bounds.index_prefix(size) : bounds.probe_prefix(size);
}

/// lengths[sets] = 0, so that their scan ends with the sum.
__global__ void __launch_bounds__(kLengthThreads)
    prefix_lengths(SetsView sets, Prefix prefix, Bounds bounds, View<std::uint64_t> lengths) {
  for (const std::int64_t i : grid::strided<kLengthThreads>(lengths.size())) {
    lengths[i] = i < sets.count() ? prefix_length(prefix, bounds, sets.size(i)) : 0;
  }
}

}  // namespace

void PrefixStarts::prepare(const OrderedSets& sets, const Bounds& bounds, Stream& stream) {
  bounds_ = bounds;
  host_starts_ = sets.sets.offsets.span();
  if (prefix_ == Prefix::whole) return;
  const std::int64_t count = sets.count();
  computed_starts_.assign(static_cast<std::size_t>(count + 1), 0);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const auto size = static_cast<std::uint32_t>(sets.sets.size(i));
    computed_starts_[at + 1] = computed_starts_[at] + prefix_length(prefix_, bounds, size);
  }
  host_starts_ = computed_starts_;
  lengths_ = Buffer<std::uint64_t>(count + 1, stream);
  starts_ = Buffer<std::uint64_t>(count + 1, stream);
}

void PrefixStarts::compute(const SetsView& sets, Stream& stream) {
  if (prefix_ == Prefix::whole) return;
  launch(prefix_lengths, grid_for(lengths_.size(), kLengthThreads), stream, sets, prefix_, bounds_, lengths_.view());
  exclusive_scan(std::as_const(lengths_).view(), starts_.view(), stream);
}

std::int64_t PrefixStarts::tokens(SetRange sets) const {
  return static_cast<std::int64_t>(host_starts_[static_cast<std::size_t>(sets.end)] -
                                   host_starts_[static_cast<std::size_t>(sets.begin)]);
}

std::int64_t PrefixStarts::most_tokens(std::int64_t block_size) const {
  const auto count = static_cast<std::int64_t>(host_starts_.size()) - 1;
  std::int64_t most = 0;
  for (std::int64_t begin = 0; begin < count; ++begin) {
    most = std::max(most, tokens({begin, std::min(begin + block_size, count)}));
  }
  return most;
}

}  // namespace warpbench::similarity
