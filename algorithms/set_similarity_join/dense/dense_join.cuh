// DenseJoin: what fgSSJoin and sf-gSSJoin share (bellas2022 §5.1.1). The larger block is indexed; the smaller one
// probes it; the number of common tokens of each pair goes to a matrix, which is cleared before.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "algorithms/set_similarity_join/dense/list_counter.cuh"
#include "algorithms/set_similarity_join/engine/block_join.hpp"
#include "algorithms/set_similarity_join/engine/device_counters.hpp"
#include "algorithms/set_similarity_join/engine/launch_shape.hpp"

namespace warpbench::similarity {

class DenseJoin : public BlockJoin {
 public:
  enum class Tokens {
    prefixes,  ///< a count says that both may be similar
    all        ///< a count is the overlap
  };
  DenseJoin(Tokens tokens, const Parameters& parameters)
      : shape_(parameters),
        probing_(tokens == Tokens::all ? Prefix::whole : Prefix::towards_larger),
        indexed_(tokens == Tokens::all ? Prefix::whole : Prefix::towards_smaller) {}

  void configure(const Parameters& parameters) override { shape_ = LaunchShape(parameters); }
  void prepare(const OrderedSets& sets, const Bounds& bounds, std::int64_t block_size, Stream& stream) override;
  void begin(const SetsView& sets, Stream& stream, Phases& phases) override;
  void join(const BlockPair& pair, const SetsView& sets, const PairSinkView& sink, Stream& stream,
            Phases& phases) final;
  /// `candidates`, the pairs with a count; `bytes_cleared`; `matrix_bytes`; `index_bytes`.
  [[nodiscard]] std::map<std::string, double> counters() const override;

 protected:
  [[nodiscard]] const Bounds& bounds() const { return bounds_; }
  [[nodiscard]] const LaunchShape& shape() const { return shape_; }
  /// Enqueues: adds the similar pairs among those with a count to `sink`, and the number of the latter to `candidates`.
  virtual void select(const CountMatrix& counts, const SetsView& sets, const PairSinkView& sink, View<Total> candidates,
                      Stream& stream) = 0;

 private:
  LaunchShape shape_;
  Bounds bounds_;
  PrefixStarts probing_;
  PrefixStarts indexed_;
  InvertedLists lists_;
  ListCounter counter_;
  std::optional<SetRange> in_lists_;  ///< the block that is indexed
  Buffer<std::uint32_t> cells_;
  DeviceCounters counters_{{"candidates"}};
  std::int64_t bytes_cleared_ = 0;
};

}  // namespace warpbench::similarity
