// gSSJoin (bellas2022 §5.1.1, Figure 5.1): an inverted index of all tokens of all sets; then for each set three steps,
// each a kernel at least: its overlaps with the others, the similarity of each pair, and the selection of those that
// reach the threshold. No filter: its time hardly depends on the threshold, and the launches are what it costs.
//
// Differs from the document: a set is compared with those after it, since a join of a collection with itself meets the
// others in their own turn.
#include "algorithms/set_similarity_join/dense/list_counter.cuh"
#include "algorithms/set_similarity_join/engine/block_join.hpp"
#include "algorithms/set_similarity_join/engine/device_pair_sink.cuh"
#include "algorithms/set_similarity_join/engine/launch_shape.hpp"
#include "algorithms/set_similarity_join/engine/techniques.hpp"

namespace warpbench::similarity {
namespace {

/// Set `i` and those after it: their similarity, or 0 where it is below the threshold.
__global__ void __launch_bounds__(LaunchShape::kMaxThreads)
    compute_similarities(std::int64_t i, View<const std::uint32_t> overlaps, SetsView sets, Bounds bounds,
                         View<float> similarities) {
  const std::uint32_t size = sets.size(i);
  for (const std::int64_t j : grid::strided(i + 1, sets.count())) {
    const std::uint32_t overlap = overlaps[j];
    const bool similar = sets.joins(i, j) && bounds.similar(overlap, size, sets.size(j));
    similarities[j] = similar ? value_of(bounds.measure, overlap, size, sets.size(j)) : 0.0F;
  }
}

__global__ void __launch_bounds__(LaunchShape::kMaxThreads)
    select_similar(std::int64_t i, View<const float> similarities, View<const std::uint32_t> overlaps, SetsView sets,
                   PairSinkView sink) {
  PairTally tally;
  for (const std::int64_t j : grid::strided(i + 1, sets.count())) {
    if (similarities[j] > 0) tally.take(sink, sets, i, j, overlaps[j]);
  }
  tally.finish(sink);
}

class Gssjoin final : public BlockJoin {
 public:
  explicit Gssjoin(const Parameters& parameters) : shape_(parameters) {}

  void configure(const Parameters& parameters) override { shape_ = LaunchShape(parameters); }

  void prepare(const OrderedSets& sets, const Bounds& bounds, std::int64_t block_size, Stream& stream) override {
    if (block_size < sets.count()) throw std::logic_error("gssjoin knows no blocks");
    bounds_ = bounds;
    tokens_.prepare(sets, bounds, stream);
    lists_.prepare(tokens_.tokens({0, sets.count()}), sets.distinct_tokens, stream);
    counter_.prepare(sets.sets.max_size(), stream);
    overlaps_ = Buffer<std::uint32_t>(CountMatrix::pitch(sets.count()), stream);
    similarities_ = Buffer<float>(sets.count(), stream);
  }

  void join(const BlockPair& pair, const SetsView& sets, const PairSinkView& sink, Stream& stream,
            Phases& phases) override {
    {
      const auto scope = phases.gpu("index", stream);
      lists_.build(sets, pair.larger, tokens_, stream);
    }
    const auto scope = phases.gpu("join", stream);
    for (std::int64_t i = pair.smaller.begin; i + 1 < pair.smaller.end; ++i) probe(i, sets, sink, stream);
  }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    return {{"index_bytes", static_cast<double>(lists_.bytes())}};
  }

 private:
  void probe(std::int64_t i, const SetsView& sets, const PairSinkView& sink, Stream& stream) {
    const CountMatrix counts{overlaps_.view(), {i, i + 1}, {0, sets.count()}};
    const View<const std::uint32_t> overlaps = overlaps_.view();
    overlaps_.fill_bytes(0, stream);
    counter_.count(sets, {i, i + 1}, tokens_, lists_.view(), counts, shape_, stream);
    const std::int64_t others = sets.count() - i - 1;
    launch(compute_similarities, shape_.grid(compute_similarities, others), stream, i, overlaps, sets, bounds_,
           similarities_.view());
    launch(select_similar, shape_.grid(select_similar, others), stream, i, View<const float>(similarities_.view()),
           overlaps, sets, sink);
  }

  LaunchShape shape_;
  Bounds bounds_;
  PrefixStarts tokens_{Prefix::whole};
  InvertedLists lists_;
  ListCounter counter_;
  Buffer<std::uint32_t> overlaps_;
  Buffer<float> similarities_;
};

[[maybe_unused]] const bool gssjoin_registered =
    register_technique<Gssjoin>({.id = "gssjoin",
                                 .title = "a set at a time: overlaps with all others, their similarities, a selection",
                                 .source = "bellas2022 §5.1.1",
                                 .role = Role::gpu_baseline,
                                 .device = Target::gpu,
                                 .parameters = LaunchShape::parameters(),
                                 .smoke = {{"blocks", 2}, {"threads_per_block", 32}},
                                 .exact = true});

}  // namespace
}  // namespace warpbench::similarity
