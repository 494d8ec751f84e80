// exact-gpu: brute force on a GPU (yu2023 §4.4 takes its ground truth from it): tiles of distances in FP32 as
// differences, not as norms and products, whose rounding would decide between near ties; the k nearest are kept beside
// the tiles, a few more than k, and measured again in double precision.
#include <algorithm>
#include <vector>

#include "algorithms/nearest_neighbors/exact_gpu/exact_kernels.cuh"
#include "algorithms/nearest_neighbors/rows.hpp"
#include "device/buffer.hpp"
#include "device/device.hpp"
#include "device/error.hpp"
#include "problems/nearest_neighbors/ground_truth.hpp"
#include "problems/nearest_neighbors/problem.hpp"
#include "solvers/solver.hpp"

namespace warpbench::nearest_neighbors {
namespace {

constexpr int kSpare = 8;                                   ///< kept beyond k, for what FP32 ranks a little too low
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
    points_ = Buffer<float>(padded_rows(input.vectors->points.span(), dimension, stride_, normalised), stream_);
    const std::vector<float> queries = padded_rows(input.vectors->queries.span(), dimension, stride_, false);
    host_queries_ = PinnedBuffer<float>(static_cast<std::int64_t>(queries.size()));
    std::ranges::copy(queries, host_queries_.span().begin());
    host_answers_ = PinnedBuffer<std::uint32_t>(input.queries() * input.k);
    queries_ = Buffer<float>(host_queries_.size(), stream_);
    answers_ = Buffer<std::uint32_t>(input.queries() * input.k, stream_);
    kept_ = static_cast<int>(std::min(input.k + kSpare, input.points()));
    // Parts of the points, so that there is a block or more for each place; a part is whole tiles.
    const std::int64_t tiles = (input.points() + kTile - 1) / kTile;
    const std::int64_t blocks = std::int64_t{4} * current_device().multiprocessors;
    const std::int64_t wanted = (blocks + query_tiles() - 1) / std::max<std::int64_t>(query_tiles(), 1);
    const std::int64_t bytes = std::max<std::int64_t>(1, input.queries() * kept_ * 8);
    const std::int64_t parts =
        std::clamp<std::int64_t>(wanted, 1, std::max<std::int64_t>(1, std::min(tiles, kListBytes / bytes)));
    part_ = (tiles + parts - 1) / parts * kTile;
    parts_ = (input.points() + part_ - 1) / part_;
    lists_ = Buffer<std::uint64_t>(input.queries() * parts_ * kept_, stream_);
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
      const Grid grid{{query_tiles(), parts_}, {kTile / kPerThread, kTile / kPerThread}, kTileBytes};
      launch(by_product ? exact_kernel<true> : exact_kernel<false>, grid, stream_, points, queries, part_,
             lists_.view(), kept_);
    }
    {
      const auto scope = phases.gpu("select", stream_);
      launch(select_kernel, Grid{input_.queries(), kWarpSize, static_cast<std::size_t>(kept_) * 16}, stream_, points,
             queries, by_product, parts_, lists_.view(), kept_, input_.k, answers_.view());
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
  [[nodiscard]] std::int64_t query_tiles() const { return (input_.queries() + kTile - 1) / kTile; }

  Stream stream_;
  Input input_;
  int stride_ = 0;
  int kept_ = 0;
  std::int64_t part_ = 0;
  std::int64_t parts_ = 0;
  Buffer<float> points_;
  PinnedBuffer<float> host_queries_;
  PinnedBuffer<std::uint32_t> host_answers_;
  Buffer<float> queries_;
  Buffer<std::uint32_t> answers_;
  Buffer<std::uint64_t> lists_;
};

#if defined(WARPBENCH_CUDA)
/// The k nearest of each query for the reference, which proves them (ground_truth.hpp). On simt brute force on the CPU
/// is faster. What this takes of the device's memory is not the memory of a solver.
std::vector<std::uint32_t> candidates_for_reference(const NearestNeighbors::Input& input) {
  if (devices().empty()) return {};
  const std::int64_t peak = peak_memory_in_use();
  std::vector<std::uint32_t> ids;
  try {
    ExactGpu search{Parameters{}};
    Phases untimed;
    NearestNeighbors::Answer answer;
    search.prepare(input, untimed);
    search.solve_with_transfers(answer, untimed);
    ids.assign(answer.neighbors.begin(), answer.neighbors.end());
  } catch (const OutOfDeviceMemory&) {
    ids.clear();
  }
  restore_peak_memory(peak);
  return ids;
}
[[maybe_unused]] const bool offered = offer_candidate_search(candidates_for_reference);
#endif

}  // namespace

WARPBENCH_SOLVER(NearestNeighbors, ExactGpu,
                 {.id = "exact-gpu",
                  .title = "brute force in tiles on a GPU",
                  .source = "yu2023 §4.1.1",
                  .role = Role::gpu_baseline,
                  .device = Target::gpu})

}  // namespace warpbench::nearest_neighbors
