// BlockJoinSolver: the join of a whole collection on the device, block by block, around a technique (bellas2022
// §5.1.1).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/set_similarity_join/engine/block_join.hpp"
#include "algorithms/set_similarity_join/engine/device_pair_sink.hpp"
#include "algorithms/set_similarity_join/engine/device_sets.hpp"
#include "device/stream.hpp"
#include "solvers/set_similarity_join/blocks.hpp"
#include "solvers/solver.hpp"

namespace warpbench::similarity {

/// prepare() orders the sets, which the document leaves out of its times, and takes the memory. solve() makes the
/// indexes, too.
class BlockJoinSolver final : public Solver<SetSimilarityJoin> {
 public:
  BlockJoinSolver(std::unique_ptr<BlockJoin> technique, std::int64_t block_size)
      : technique_(std::move(technique)), block_size_(block_size) {}

  void configure(const Parameters& parameters) override { technique_->configure(parameters); }
  void prepare(const Input& input, Phases& phases) override;
  void upload(Phases& phases) override;
  void solve(Phases& phases) override;
  void download(Answer& answer, Phases& phases) override;
  /// `block_pairs`; `skipped_block_pairs`, by the length filter; `upload_bytes`; those of the technique.
  [[nodiscard]] std::map<std::string, double> counters() const override;

 private:
  std::unique_ptr<BlockJoin> technique_;
  std::int64_t block_size_;
  OrderedSets sets_;
  std::vector<BlockPair> pairs_;
  std::int64_t skipped_pairs_ = 0;
  DeviceSets device_sets_;
  DevicePairSink sink_;
  Stream stream_;  ///< last, so that it waits for its copies before host memory is freed
};

}  // namespace warpbench::similarity
