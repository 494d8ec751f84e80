// FgssjoinMatrix: fgSSJoin as its document describes it (bellas2022 §5.1.1, Figure 5.3): partial overlaps, of prefixes,
// for all pairs of two blocks by an inverted index; then a full verification of each pair with a partial overlap.
#pragma once

#include "algorithms/set_similarity_join/dense/dense_join.cuh"

namespace warpbench::similarity {

class FgssjoinMatrix final : public DenseJoin {
 public:
  explicit FgssjoinMatrix(const Parameters& parameters) : DenseJoin(Tokens::prefixes, parameters) {}

 private:
  void select(const CountMatrix& counts, const SetsView& sets, const PairSinkView& sink, View<Total> candidates,
              Stream& stream) override;
};

}  // namespace warpbench::similarity
