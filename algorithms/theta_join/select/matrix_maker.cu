#include "algorithms/theta_join/select/matrix_maker.hpp"

#include <algorithm>

#include "algorithms/theta_join/select/windows.cuh"
#include "device/block.cuh"

namespace warpbench::theta {
namespace {

struct CountTuning {
  static constexpr int kThreads = 256;
  static constexpr int kChunk = 256;
};

template <typename Theta>
__global__ void __launch_bounds__(CountTuning::kThreads)
    count_kernel(JoinView join, JoinPart part, Theta theta, View<DigestWord> count) {
  const OwnTuple own(join, part);
  DigestWord matches = 0;
  for_each_window(join, part, CountTuning::kChunk, [&](const StagedTuple* window, int size) {
    int found = 0;
    for (int j = 0; j < size; ++j) found += theta(own.keys, window[j].keys) ? 1 : 0;
    matches += static_cast<DigestWord>(own.exists ? found : 0);
  });
  block::accumulate(count[0], matches);
}

}  // namespace

void count_matches(const JoinView& join, const Predicate& predicate, const JoinPart& part, View<DigestWord> count,
                   Stream& stream) {
  with_functor(predicate, [&](const auto& theta) {
    const Grid grid = window_grid(part, CountTuning::kThreads, CountTuning::kChunk);
    launch(count_kernel<std::remove_cvref_t<decltype(theta)>>, grid, stream, join, part, theta, count);
  });
}

void MatrixMaker::prepare(const ThetaJoin::Input& input) {
  predicate_ = input.predicate;
  r_count_ = input.relations->r.count();
  s_count_ = input.relations->s.count();
  r_.pin(input.relations->r, layout_);
  s_.pin(input.relations->s, layout_);
}

void MatrixMaker::upload(Stream& stream) {
  r_.upload(stream);
  s_.upload(stream);
}

std::int64_t MatrixMaker::count_rows(Stream& stream) {
  Buffer<DigestWord> count(1, stream);
  count.fill(0, stream);
  count_matches(join(), predicate_, {0, r_count_, 0, s_count_}, count.view(), stream);
  return static_cast<std::int64_t>(count.to_vector(stream).at(0));
}

RowPlan MatrixMaker::begin(std::int64_t budget, Stream& /*stream*/, Phases& /*phases*/) {
  const auto row_bytes = static_cast<std::int64_t>(kRowBytes);
  const std::int64_t bytes = std::max<std::int64_t>(budget - extra().tuple_bytes * r_count_, 0);
  partition_ = partition(r_count_, s_count_, row_bytes + extra().pair_bytes, bytes);
  // While one of several parts is made, the rows of another one go down.
  if (partition_.parts.size() > 1) {
    partition_ = partition(r_count_, s_count_, 2 * row_bytes + extra().pair_bytes, bytes);
  }
  return {static_cast<std::int64_t>(partition_.parts.size()), partition_.least_parts, partition_.max_pairs()};
}

void MatrixMaker::enqueue(std::int64_t part, View<Row> rows, View<DigestWord> count, Stream& stream, Phases& phases) {
  make_rows(partition_.parts.at(static_cast<std::size_t>(part)), rows, count, stream, phases);
}

}  // namespace warpbench::theta
