// ListCounter: intersection counts by an inverted index (bellas2022 §5.1.1, Figure 5.1). The lists of the tokens of the
// probing sets, one after the other, are a logical vector. It is cut evenly over all threads of a grid, and each
// element adds 1 to the count of a pair by an atomic operation.
#pragma once

#include <cstdint>

#include "algorithms/set_similarity_join/dense/count_matrix.cuh"
#include "algorithms/set_similarity_join/engine/device_sets.hpp"
#include "algorithms/set_similarity_join/engine/inverted_lists.hpp"
#include "algorithms/set_similarity_join/engine/launch_shape.hpp"
#include "algorithms/set_similarity_join/engine/prefix_starts.hpp"
#include "device/buffer.hpp"

namespace warpbench::similarity {

class ListCounter {
 public:
  /// For probing sets with up to `most_tokens` tokens in their prefixes. Throws OutOfDeviceMemory.
  void prepare(std::int64_t most_tokens, Stream& stream);
  /// Enqueues: adds to the counts of sets `probing` with later sets how many of the lists of their tokens these are in.
  /// `counts` has rows for all of `probing`, and columns for all sets of the lists.
  void count(const SetsView& sets, SetRange probing, const PrefixStarts& starts, const ListsView& lists,
             const CountMatrix& counts, const LaunchShape& shape, Stream& stream);

 private:
  Buffer<std::int64_t> list_begins_;
  Buffer<std::uint64_t> list_lengths_;
  Buffer<std::uint64_t> vector_starts_;
};

}  // namespace warpbench::similarity
