// InvertedLists: for each token the sets of a block that have it in their prefix, made on the device.
#pragma once

#include <cstdint>
#include <span>

#include "algorithms/set_similarity_join/engine/device_sets.hpp"
#include "algorithms/set_similarity_join/engine/prefix_starts.hpp"
#include "device/buffer.hpp"
#include "solvers/set_similarity_join/blocks.hpp"
#include "solvers/set_similarity_join/prefix_index.hpp"

namespace warpbench::similarity {

struct ListsView {
  View<const std::int64_t> offsets;  ///< of each token's list; distinct tokens + 1
  View<const Posting> postings;      ///< of a token by ascending set

  /// The first place in a token's list of set `set` or a later one. O(log list).
  [[nodiscard]] WARPBENCH_HOST_DEVICE std::int64_t first_from(std::int64_t token, std::int64_t set) const {
    std::int64_t begin = offsets[token];
    std::int64_t end = offsets[token + 1];
    while (begin < end) {
      const std::int64_t middle = begin + (end - begin) / 2;
      if (postings[middle].set < set) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
  }
};

class InvertedLists {
 public:
  /// For blocks with up to `most_tokens` tokens in their prefixes. Throws OutOfDeviceMemory.
  void prepare(std::int64_t most_tokens, std::int64_t distinct_tokens, Stream& stream);
  /// Enqueues the lists of the prefixes of `indexed` by a radix sort. O(tokens of prefixes × log distinct tokens).
  void build(const SetsView& sets, SetRange indexed, const PrefixStarts& starts, Stream& stream);

  /// Of the last build().
  [[nodiscard]] ListsView view() const { return {offsets_.view(), postings_.view().first(size_)}; }
  /// Enqueues their copies: as many postings as were built, distinct tokens + 1 offsets.
  void download(std::span<Posting> postings, std::span<std::int64_t> offsets, Stream& stream) const {
    postings_.download(postings, stream);
    offsets_.download(offsets, stream);
  }
  [[nodiscard]] std::int64_t bytes() const { return offsets_.bytes() + postings_.bytes(); }

 private:
  std::int64_t size_ = 0;
  int token_bits_ = 32;
  Buffer<datasets::Token> tokens_;  ///< as the sets have them
  Buffer<datasets::Token> sorted_tokens_;
  Buffer<Posting> unsorted_;
  Buffer<Posting> postings_;
  Buffer<datasets::Token> every_token_;
  Buffer<std::int64_t> offsets_;
};

}  // namespace warpbench::similarity
