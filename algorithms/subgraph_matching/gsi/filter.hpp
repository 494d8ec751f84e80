// GSI's filtering phase (gsi2020 §III-A): which data vertices each query vertex may be mapped to, by their signatures.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/subgraph_matching/gsi/signatures.hpp"
#include "device/buffer.hpp"

namespace warpbench::matching::gsi {

class Filter {
 public:
  /// Encodes all data vertices in signatures of `bits` bits. `data` outlives the filter.
  Filter(const Graph& data, int bits);
  /// The signature table, resident.
  void upload(Stream& stream);

  /// Finds C(u) of every query vertex as a bitset; returns their sizes, after synchronizing. One kernel reads each data
  /// vertex's signature for all query vertices; the document does not say whether its has one for each. `most_blocks`
  /// limits the blocks; `injective`: see gsi_signatures.hpp. A query that asks for what the data graph does not have
  /// (kNoLabel, two labels of vertices of one) is the caller's to refuse.
  [[nodiscard]] std::vector<std::int64_t> candidates(const Graph& query, bool injective, std::int64_t most_blocks,
                                                     Stream& stream);

  /// Bit v of C(u), of the last query.
  [[nodiscard]] View<const std::uint32_t> bits(Vertex u) const;
  /// The vertices of C(u), ascending, into list[0 .. |C(u)|).
  void list(Vertex u, View<Vertex> list, Stream& stream) const;

 private:
  void upload_query(const Graph& query, bool injective, Stream& stream);
  /// Words of a bitset that a block of either kernel looks after.
  [[nodiscard]] std::int64_t words_of_block() const { return (bit_words_ + blocks_ - 1) / blocks_; }

  const Graph* data_;
  SignatureScheme scheme_;
  std::vector<std::uint32_t> table_;
  std::int64_t bit_words_;  ///< words of a bitset of all data vertices
  std::int64_t resident_blocks_ = 1;
  std::int64_t blocks_ = 1;

  Buffer<std::uint32_t> device_table_;
  Buffer<std::uint64_t> label_offsets_;  ///< of the data graph, where vertices have several labels
  Buffer<Label> labels_;

  // The query: signatures, a vertex after the other, then where its labels begin, then labels.
  PinnedBuffer<std::uint32_t> host_query_;
  Buffer<std::uint32_t> query_;
  Buffer<std::uint32_t> bits_;
  Buffer<std::uint32_t> block_counts_;  ///< candidates of u found by block b: u * blocks + b
  PinnedBuffer<std::uint32_t> host_block_counts_;
};

}  // namespace warpbench::matching::gsi
