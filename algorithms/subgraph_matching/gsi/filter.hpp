// GSI's filtering phase (gsi2020 §III-A): which data vertices each query vertex may be mapped to, by their signatures.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/subgraph_matching/gsi/signatures.hpp"
#include "device/buffer.hpp"
#include "device/resident.hpp"

namespace warpbench::matching::gsi {

/// C(u) of every vertex of one query: bitsets on the device, and their sizes. Valid until the filter's next query.
struct CandidateBitsets {
  View<const std::uint32_t> words;          ///< of u from u * words_per_set on
  View<const std::uint32_t> before_blocks;  ///< candidates of u that blocks before b found: at u * blocks + b
  std::int64_t words_per_set;
  std::int64_t blocks;
  std::vector<std::int64_t> sizes;

  /// Bit v of C(u).
  [[nodiscard]] View<const std::uint32_t> bits(Vertex u) const {
    return words.subview(std::int64_t{u} * words_per_set, words_per_set);
  }
  /// The vertices of C(u), ascending, into list[0 .. |C(u)|).
  void list(Vertex u, View<Vertex> list, Stream& stream) const;
};

class Filter {
 public:
  /// Encodes all data vertices in signatures of `bits` bits. `data` outlives the filter.
  Filter(const Graph& data, int bits);
  /// The signature table, resident.
  void upload(Stream& stream);

  /// Finds C(u) of every query vertex; waits for the stream. One kernel reads each data vertex's signature for all
  /// query vertices; the document does not say whether it launches one for each. At most `max_blocks` blocks.
  /// `injective`: see gsi/signatures.hpp. The caller refuses queries with labels that the data graph does not have.
  [[nodiscard]] CandidateBitsets candidates(const Graph& query, bool injective, std::int64_t max_blocks,
                                            Stream& stream);

 private:
  void upload_query(const Graph& query, bool injective, Stream& stream);

  SignatureScheme scheme_;
  std::int64_t vertices_;
  std::int64_t bit_words_;  ///< words of a bitset of all data vertices
  std::int64_t resident_blocks_ = 1;

  Resident<std::uint32_t> table_;
  Resident<std::uint64_t> label_offsets_;  ///< of the data graph, where vertices have several labels
  Resident<Label> labels_;

  // The query: signatures, a vertex after the other, then where its labels begin, then labels.
  PinnedBuffer<std::uint32_t> host_query_;
  Buffer<std::uint32_t> query_;
  Buffer<std::uint32_t> bits_;
  Buffer<std::uint32_t> before_blocks_;
  Buffer<std::uint32_t> sizes_;
  PinnedBuffer<std::uint32_t> host_sizes_;
};

}  // namespace warpbench::matching::gsi
