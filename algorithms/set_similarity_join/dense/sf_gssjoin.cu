// sf-gSSJoin (bellas2022 §5.1.1, Figure 5.4): overlaps of all pairs of two blocks by an inverted index of all tokens,
// then the similarity of each pair with an overlap. Of filters it has that of lengths alone, for blocks and for pairs.
#include "algorithms/set_similarity_join/dense/dense_join.cuh"
#include "algorithms/set_similarity_join/engine/device_pair_sink.cuh"
#include "algorithms/set_similarity_join/engine/techniques.hpp"

namespace warpbench::similarity {
namespace {

__global__ void __launch_bounds__(LaunchShape::kMaxThreads)
    select_by_overlap(CountMatrix counts, SetsView sets, Bounds bounds, PairSinkView sink, View<Total> candidates) {
  PairTally tally;
  Total counted = 0;
  const auto select = [&](std::int64_t i, std::int64_t j, std::uint32_t overlap) {
    if (overlap == 0) return;
    ++counted;
    if (sets.joins(i, j) && bounds.similar(overlap, sets.size(i), sets.size(j))) tally.take(sink, sets, i, j, overlap);
  };
  for_each_counted(counts, [&](std::int64_t i, std::int64_t j, const uint4& overlaps) {
    select(i, j, overlaps.x);
    select(i, j + 1, overlaps.y);
    select(i, j + 2, overlaps.z);
    select(i, j + 3, overlaps.w);
    __syncwarp();
  });
  tally.finish(sink);
  if (!sink.is_second_try) block::accumulate(candidates[0], counted);
}

class SfGssjoin final : public DenseJoin {
 public:
  explicit SfGssjoin(const Parameters& parameters) : DenseJoin(Tokens::all, parameters) {}

 private:
  void select(const CountMatrix& counts, const SetsView& sets, const PairSinkView& sink, View<Total> candidates,
              Stream& stream) override {
    launch(select_by_overlap, shape().row_grid(select_by_overlap, counts.rows.size()), stream, counts, sets, bounds(),
           sink, candidates);
  }
};

std::vector<ParameterSpec> sf_gssjoin_parameters() {
  std::vector<ParameterSpec> parameters = LaunchShape::parameters();
  parameters.push_back(block_size_parameter());
  return parameters;
}

[[maybe_unused]] const bool sf_gssjoin_registered =
    register_technique<SfGssjoin>({.id = "sf-gssjoin",
                                   .title = "blocks of sets: overlaps of all pairs by an inverted index",
                                   .source = "bellas2022 §5.1.1",
                                   .role = Role::gpu_baseline,
                                   .device = Target::gpu,
                                   .parameters = sf_gssjoin_parameters(),
                                   .smoke = {{"block_size", 25}, {"blocks", 2}, {"threads_per_block", 32}},
                                   .best = {{"blocks", "all"}},
                                   .exact = true});

}  // namespace
}  // namespace warpbench::similarity
