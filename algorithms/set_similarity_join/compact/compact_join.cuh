// CompactJoin: fgSSJoin without the matrix of counts (ours). Nothing is counted at all:
//
//   matches       the two lists of a token are joined tile by tile. A warp has 32 columns in registers and the rows in
//                 shared memory, and compares signatures, a few instructions a match
//   candidates    matches that pass the filters of lengths, positions, signatures and, for long sets, wider signatures;
//                 their warp verifies them at once
//   no duplicate  of the matches of a pair only its first common token's counts, which the verification finds out
//
// A block may be as large as memory allows: that is linear in the tokens of prefixes.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "algorithms/set_similarity_join/compact/bands.cuh"
#include "algorithms/set_similarity_join/compact/signature.cuh"
#include "algorithms/set_similarity_join/engine/block_join.hpp"
#include "algorithms/set_similarity_join/engine/device_counters.hpp"
#include "algorithms/set_similarity_join/engine/launch_shape.hpp"

namespace warpbench::similarity {

class CompactJoin final : public BlockJoin {
 public:
  explicit CompactJoin(const Parameters& parameters) : shape_(parameters) {}

  void configure(const Parameters& parameters) override { shape_ = LaunchShape(parameters); }
  void prepare(const OrderedSets& sets, const Bounds& bounds, std::int64_t block_size, Stream& stream) override;
  void begin(const SetsView& sets, Stream& stream, Phases& phases) override;
  void join(const BlockPair& pair, const SetsView& sets, const PairSinkView& sink, Stream& stream,
            Phases& phases) override;
  /// `matches`, pairs of sets in the lists of a token; `candidates`, those that passed the filters; `index_bytes`;
  /// `signature_bytes`.
  [[nodiscard]] std::map<std::string, double> counters() const override;

 private:
  LaunchShape shape_;
  Bounds bounds_;
  PrefixStarts row_starts_{Prefix::towards_larger};
  PrefixStarts column_starts_{Prefix::towards_smaller};
  InvertedLists rows_;
  InvertedLists columns_;
  std::optional<SetRange> in_columns_;  ///< the block that is in columns_
  Bands bands_;
  Buffer<Signature> signatures_;
  Buffer<WideSignature> wide_signatures_;
  DeviceCounters counters_{{"matches", "candidates"}};
};

}  // namespace warpbench::similarity
