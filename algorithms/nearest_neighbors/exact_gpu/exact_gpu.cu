// exact-gpu: brute force on a GPU (yu2023 §4.4 takes its ground truth from it). Tiles of distances are computed in FP32
// as differences; the rounding of norms and products would decide between near ties. A few more than the k nearest are
// kept beside the tiles and measured again in double precision.
#include <algorithm>
#include <vector>

#include "algorithms/nearest_neighbors/exact_gpu/exact_kernels.cuh"
#include "algorithms/nearest_neighbors/padded_rows.hpp"
#include "device/buffer.hpp"
#include "device/device.hpp"
#include "device/error.hpp"
#include "device/integers.hpp"
#include "problems/nearest_neighbors/problem.hpp"
#include "solvers/solver.hpp"

namespace warpbench::nearest_neighbors {
namespace {

constexpr int kSpare = 8;  ///< kept beyond k, for neighbours that FP32 ranks a little too low
constexpr std::int64_t kListBytes = std::int64_t{1} << 30;  ///< at most, for the lists of all parts

class ExactGpu final : public Solver<NearestNeighbors> {
 public:
  explicit ExactGpu(const Parameters& /*parameters*/) {}
  void configure(const Parameters& /*parameters*/) override {}

  void prepare(const Input& input, Phases& phases) override {
    const auto scope = phases.cpu("load_points");
    input_ = input;
    if (input.points() >= std::int64_t{kMaxVertices})
      throw Unsupported("more than 2^31 - 2 points: a key holds 31 bits");
    stride_ = padded_to(input.dimension(), 16 / sizeof(float));
    const bool normalised = input.metric == datasets::Metric::cosine;
    const std::int64_t dimension = input.dimension();
    {
      const PinnedBuffer<float> rows = padded_rows(input.vectors->points.span(), dimension, stride_, normalised);
      points_ = Buffer<float>(rows.span(), stream_);
      stream_.synchronize();
    }
    host_queries_ = padded_rows(input.vectors->queries.span(), dimension, stride_, false);
    queries_ = Buffer<float>(host_queries_.size(), stream_);
    host_answers_ = PinnedBuffer<Vertex>(input.queries() * input.k);
    answers_ = Buffer<Vertex>(input.queries() * input.k, stream_);
    kept_ = static_cast<int>(std::min(input.k + kSpare, input.points()));
    choose_parts();
    lists_ = Buffer<Key>(input.queries() * parts_ * kept_, stream_);
    stream_.synchronize();
  }

  void upload(Phases& phases) override {
    const auto scope = phases.gpu("upload", stream_);
    queries_.upload(host_queries_.span(), stream_);
  }

  void solve(Phases& phases) override {
    const Matrix points{points_.view(), input_.points(), stride_};
    const Matrix queries{queries_.view(), input_.queries(), stride_};
    const bool by_product = input_.metric != datasets::Metric::euclidean;
    {
      const auto scope = phases.gpu("distances", stream_);
      lists_.fill_bytes(0xff, stream_);
      const Grid grid{{query_tiles(), parts_}, TileTuning::kThreads, TileTuning::kBytes};
      launch(by_product ? exact_kernel<true> : exact_kernel<false>, grid, stream_, points, queries, part_,
             lists_.view(), kept_);
    }
    {
      const auto scope = phases.gpu("select", stream_);
      launch(select_kernel,
             Grid{input_.queries(), kWarpSize, static_cast<std::size_t>(kept_) * (sizeof(Key) + sizeof(double))},
             stream_, points, queries, by_product, parts_, lists_.view(), kept_, input_.k, answers_.view());
    }
    stream_.synchronize();
  }

  void download(Answer& answer, Phases& phases) override {
    {
      const auto scope = phases.gpu("download", stream_);
      answers_.download(host_answers_.span(), stream_);
    }
    stream_.synchronize();
    answer.neighbors = host_answers_.span();
  }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    const double coordinates = static_cast<double>(input_.queries()) * static_cast<double>(input_.points()) * stride_;
    return {{"parts", static_cast<double>(parts_)},
            {"floating_point_operations", (input_.metric == datasets::Metric::euclidean ? 3 : 2) * coordinates}};
  }

 private:
  [[nodiscard]] std::int64_t query_tiles() const { return ceil_div(input_.queries(), TileTuning::kTile); }

  /// Parts of the points, so that there is a block or more for each place; a part is whole tiles.
  void choose_parts() {
    const std::int64_t tiles = ceil_div(input_.points(), TileTuning::kTile);
    const std::int64_t blocks = std::int64_t{4} * current_device().multiprocessors;
    const std::int64_t wanted = ceil_div(blocks, std::max<std::int64_t>(query_tiles(), 1));
    const std::int64_t list_bytes =
        std::max<std::int64_t>(1, input_.queries() * kept_ * static_cast<std::int64_t>(sizeof(Key)));
    const std::int64_t max_parts = std::max<std::int64_t>(1, std::min(tiles, kListBytes / list_bytes));
    part_ = ceil_div(tiles, std::clamp<std::int64_t>(wanted, 1, max_parts)) * TileTuning::kTile;
    parts_ = ceil_div(input_.points(), part_);
  }

  Stream stream_;
  Input input_;
  int stride_ = 0;
  int kept_ = 0;
  std::int64_t part_ = 0;
  std::int64_t parts_ = 0;
  Buffer<float> points_;
  PinnedBuffer<float> host_queries_;
  PinnedBuffer<Vertex> host_answers_;
  Buffer<float> queries_;
  Buffer<Vertex> answers_;
  Buffer<Key> lists_;
};

}  // namespace

WARPBENCH_SOLVER(NearestNeighbors, ExactGpu,
                 {.id = "exact-gpu",
                  .title = "brute force in tiles on a GPU",
                  .source = "yu2023 §4.1.1",
                  .role = Role::gpu_baseline,
                  .device = Target::gpu,
                  .exact = true})

}  // namespace warpbench::nearest_neighbors
