// BlockJoin: a technique that joins two blocks of sets on the device (bellas2022 §5.1.1). BlockJoinSolver makes a join
// of the whole collection of it, HySet the device's side of its own.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "algorithms/set_similarity_join/engine/device_pair_sink.hpp"
#include "algorithms/set_similarity_join/engine/device_sets.hpp"
#include "device/stream.hpp"
#include "problems/parameters.hpp"
#include "solvers/phases.hpp"
#include "solvers/set_similarity_join/blocks.hpp"
#include "solvers/set_similarity_join/bounds.hpp"
#include "solvers/set_similarity_join/ordered_sets.hpp"

namespace warpbench::similarity {

class BlockJoin {
 public:
  BlockJoin() = default;
  BlockJoin(const BlockJoin&) = delete;
  BlockJoin& operator=(const BlockJoin&) = delete;
  virtual ~BlockJoin() = default;

  /// New values of solve-parameters.
  virtual void configure(const Parameters& /*parameters*/) {}
  /// Takes the memory that blocks of up to `block_size` sets need, wherever they begin. The sets outlive it. Throws
  /// OutOfDeviceMemory.
  virtual void prepare(const OrderedSets& sets, const Bounds& bounds, std::int64_t block_size, Stream& stream) = 0;
  /// Before the first join of a solve: enqueues what all of them share, such as signatures.
  virtual void begin(const SetsView& /*sets*/, Stream& /*stream*/, Phases& /*phases*/) {}
  /// Enqueues the join of two blocks. What it adds to `sink` is complete when the stream is. Joins with the same larger
  /// block follow each other, so that its index serves all of them. A join may be asked for twice, the second time with
  /// more room for its pairs.
  virtual void join(const BlockPair& pair, const SetsView& sets, const PairSinkView& sink, Stream& stream,
                    Phases& phases) = 0;
  /// Counters of the last solve.
  [[nodiscard]] virtual std::map<std::string, double> counters() const { return {}; }
};

}  // namespace warpbench::similarity
