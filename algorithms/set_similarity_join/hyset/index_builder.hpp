// IndexBuilder: makes the index of a block or a partition on the device, by a sort and a search, and brings it to the
// host, where the CPU's side probes it (bellas2022 §5.4.4).
#pragma once

#include <cstdint>

#include "algorithms/set_similarity_join/engine/device_sets.hpp"
#include "algorithms/set_similarity_join/engine/inverted_lists.hpp"
#include "algorithms/set_similarity_join/engine/prefix_starts.hpp"
#include "device/buffer.hpp"
#include "device/stream.hpp"
#include "solvers/set_similarity_join/prefix_index.hpp"

namespace warpbench::similarity {

class IndexBuilder {
 public:
  /// Throws OutOfDeviceMemory.
  void prepare(const OrderedSets& sets, const Bounds& bounds, Stream& stream);
  /// For ranges of sets whose prefixes have at most `most_tokens` tokens together. Throws OutOfDeviceMemory, and
  /// Unsupported where an index would have 2^32 postings or more.
  void take_memory(std::int64_t most_tokens, Stream& stream);
  void drop_memory();
  /// Takes the memory of an index of these sets on the host.
  void reserve(PrefixIndex& index, SetRange indexed) const;
  [[nodiscard]] const PrefixStarts& prefixes() const { return starts_; }

  /// Before the first build() of a solve.
  void begin(const SetsView& sets, Stream& stream) { starts_.compute(sets, stream); }
  /// Waits for the index.
  void build(PrefixIndex& index, SetRange indexed, const SetsView& sets, Stream& stream);

 private:
  std::int64_t distinct_tokens_ = 0;
  PrefixStarts starts_{Prefix::towards_larger};
  InvertedLists lists_;
  PinnedBuffer<Posting> postings_;
  PinnedBuffer<std::int64_t> offsets_;
};

}  // namespace warpbench::similarity
