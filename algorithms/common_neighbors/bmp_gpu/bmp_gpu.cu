// bmp-gpu: BMP on a GPU (che2019, "BMP CUDA Kernel"): a block a vertex, a bitmap of N(u) from a pool, a warp an edge, a
// range filter in shared memory. Differs from the document as mps-gpu does (gpu_counter.hpp). `method: oriented` is
// this project's own (oriented.hpp): the bitmap becomes a hash table in shared memory and each triangle is found once.
#include <algorithm>
#include <array>
#include <map>

#include "algorithms/common_neighbors/bmp_gpu/bmp_kernels.cuh"
#include "algorithms/common_neighbors/bmp_gpu/lookups.hpp"
#include "algorithms/common_neighbors/counter/gpu_counter.hpp"
#include "algorithms/common_neighbors/counter/pass_graph.cuh"
#include "algorithms/common_neighbors/oriented/hosted.hpp"
#include "algorithms/common_neighbors/oriented/oriented.hpp"
#include "device/device.hpp"
#include "solvers/solver.hpp"

namespace warpbench::common_neighbors {
namespace {

/// Share of the memory the bitmap pool may take; with fewer bitmaps than resident blocks some blocks wait.
constexpr std::int64_t kPoolShare = 4;

class BmpGpu final : public GpuCounter {
 public:
  explicit BmpGpu(const Parameters& parameters) : GpuCounter(parameters) { BmpGpu::configure(parameters); }

  void configure(const Parameters& parameters) override {
    GpuCounter::configure(parameters);
    range_filter_ = parameters.flag("range_filter");
    range_size_ = parameters.integer("range_size");
    oriented_ = parameters.text("method") == "oriented";
    if (prepared_) count_lookups();
  }

  void prepare(const Input& input, Phases& phases) override {
    GpuCounter::prepare(input, phases);
    {
      const auto scope = phases.cpu("choose_hubs");
      find_longest_rows();
      hubs_ = choose_hubs(graph());
    }
    const auto scope = phases.cpu("count_lookups");
    bitmap_lookups_ = bitmap_lookups(graph());
    oriented_lookups_ = oriented_lookups(graph(), hubs_);
    bitmap_reads_.clear();
    prepared_ = true;
    count_lookups();
  }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    std::map<std::string, double> counters = GpuCounter::counters();
    counters["bitmaps"] = static_cast<double>(pool_taken_.size());
    counters["bitmap_bytes"] = static_cast<double>(pool_words_.bytes());
    counters["range_size"] = static_cast<double>(std::int64_t{1} << range_shift());
    counters["blocks_per_sm"] = static_cast<double>(resident_) / current_device().multiprocessors;
    counters["minimum_degree_sum"] = static_cast<double>(bitmap_lookups_);
    counters["lookups"] = static_cast<double>(oriented_ ? oriented_lookups_ : bitmap_lookups_);
    // Hash tables and the filter, which is asked first, lie in shared memory; bitmaps do not.
    if (oriented_ || range_filter_) counters["gather_shared_bytes"] = counters["lookups"] * sizeof(std::uint32_t);
    if (oriented_) {
      counters["hubs"] = static_cast<double>(hubs_.count);
    } else {
      counters["bitmap_reads"] = static_cast<double>(range_filter_ ? bitmap_reads_.at(range_shift()) : bitmap_lookups_);
      counters[gather_counter(pool_words_.bytes(), current_device().l2_bytes)] =
          counters["bitmap_reads"] * sizeof(std::uint32_t);
    }
    return counters;
  }

 protected:
  std::int64_t workspace_bytes(std::int64_t free_bytes) override {
    resident_ =
        max_resident_blocks(range_filter_ ? bitmap_kernel<true> : bitmap_kernel<false>, threads(), filter_bytes());
    const std::int64_t max_bitmaps = free_bytes / kPoolShare / std::max<std::int64_t>(1, words_each() * 4);
    bitmaps_ =
        std::clamp<std::int64_t>(max_bitmaps, 1, std::max<std::int64_t>(1, std::min(resident_, graph().vertices())));
    return bitmaps_ * (words_each() * 4 + 4);
  }

  void release_workspace() override {
    pool_words_.reset();
    pool_taken_.reset();
  }
  void allocate_workspace() override {
    if (oriented_) return;
    pool_words_ = Buffer<std::uint32_t>(bitmaps_ * words_each(), stream());
    pool_taken_ = Buffer<std::uint32_t>(bitmaps_, stream());
    pool_words_.fill(0, stream());
    pool_taken_.fill(0, stream());
  }

  void count(const PassGraph& graph, View<std::uint32_t> counts) override {
    const BitmapPool pool{pool_words_.view(), pool_taken_.view(), words_each()};
    row_launches().for_each([&](const RowCut& cut, const Dim3& blocks) {
      launch(range_filter_ ? bitmap_kernel<true> : bitmap_kernel<false>, Grid{blocks, threads(), filter_bytes()},
             stream(), graph, cut, counts, pool, filter_bytes() / sizeof(std::uint32_t), range_shift());
    });
  }

  PassPlan make_plan(std::int64_t free_bytes) override {
    if (!oriented_) return GpuCounter::make_plan(free_bytes);
    const std::int64_t vertices = graph().vertices();
    const std::int64_t slots = graph().slots();
    return plan_edge_ranges(graph(), wanted_passes(), oriented_workspace_bytes(vertices, slots, oriented_facts()),
                            hosted_bytes(vertices, slots, longest_rows_[0], oriented_facts()), free_bytes);
  }
  [[nodiscard]] bool counts_all() const override { return oriented_; }
  void count_all(View<std::uint32_t> counts, Phases& phases) override {
    const OrientedOptions options{range_filter_, warps_per_block()};
    if (plan().resident) {
      count_oriented({offsets(), neighbors(), oriented_facts()}, options, counts, stream(), phases);
    } else {
      count_oriented_hosted({offsets(), graph().offsets.span(), host_neighbors(), longest_rows_[0], oriented_facts()},
                            options, plan().boundaries, counts, stream(), phases);
    }
  }

 private:
  [[nodiscard]] std::int64_t words_each() const { return words_for(graph().vertices()); }
  [[nodiscard]] int threads() const { return kWarpSize * warps_per_block(); }

  [[nodiscard]] std::size_t filter_bytes() const {
    if (!range_filter_) return 0;
    const std::int64_t bits = ((graph().vertices() - 1) >> range_shift()) + 1;
    return static_cast<std::size_t>(words_for(bits)) * sizeof(std::uint32_t);
  }

  void find_longest_rows() {
    longest_rows_ = {};
    for (std::int64_t v = 0; v < graph().vertices(); ++v) {
      const std::int64_t degree = graph().degree(static_cast<datasets::Vertex>(v));
      longest_rows_[1] = std::clamp(degree, longest_rows_[1], longest_rows_[0]);
      longest_rows_[0] = std::max(longest_rows_[0], degree);
    }
  }
  /// At most one of two neighbours has the longest row, and neither is a common neighbour of both.
  [[nodiscard]] bool has_short_counts() const { return longest_rows_[1] <= 1 << 16; }
  [[nodiscard]] OrientedFacts oriented_facts() const { return {has_short_counts(), hubs_}; }

  /// What the filter lets through, which depends on solve-parameters: counted once for each range size, untimed.
  void count_lookups() {
    if (oriented_ || !range_filter_ || bitmap_reads_.contains(range_shift())) return;
    bitmap_reads_[range_shift()] = filtered_lookups(graph(), range_shift());
  }

  /// The binary logarithm of the range size: of the given one, or of the smallest whose filter fits kFilterBytes.
  [[nodiscard]] int range_shift() const {
    int shift = 0;
    while (range_size_ != 0 ? (std::int64_t{1} << shift) < range_size_
                            : ((graph().vertices() - 1) >> shift) >= BitmapTuning::kFilterBytes * 8) {
      ++shift;
    }
    return shift;
  }

  bool range_filter_ = true;
  bool oriented_ = false;
  std::int64_t range_size_ = 0;
  std::int64_t bitmaps_ = 1;
  std::int64_t resident_ = 0;  ///< blocks of the document's kernel that run at once
  std::int64_t bitmap_lookups_ = 0;
  std::int64_t oriented_lookups_ = 0;
  HubChoice hubs_;
  std::array<std::int64_t, 2> longest_rows_{};  ///< slots; the longest first
  bool prepared_ = false;
  std::map<int, std::int64_t> bitmap_reads_;  ///< by range_shift()
  Buffer<std::uint32_t> pool_words_;
  Buffer<std::uint32_t> pool_taken_;
};

std::vector<ParameterSpec> bmp_parameters() {
  std::vector<ParameterSpec> parameters = gpu_parameters();
  parameters.push_back(
      parameter("range_filter", true).means("ask a small filter in shared memory before the bitmap (Table 7)"));
  parameters.push_back(
      parameter("range_size", 0)
          .range(0, 1 << 20)
          .alias("auto", 0)
          .in("vertices")
          .means("vertices a filter bit stands for, rounded up to a power of two; auto: a filter of 4 KiB"));
  parameters.push_back(
      parameter("method", "document")
          .one_of({"document", "oriented"})
          .document({"document"})
          .means("document: a bitmap a vertex; oriented: each triangle once, hash tables in shared memory (ours)"));
  return parameters;
}

void validate(const Parameters& parameters) {
  if (parameters.text("method") != "oriented") return;
  if (parameters.text("mirror") == "cpu") {
    throw ParameterError("mirror", "method: oriented fills both slots of an edge itself; say mirror: gpu");
  }
}

}  // namespace

WARPBENCH_SOLVER(CommonNeighbors, BmpGpu,
                 {.id = "bmp-gpu",
                  .title = "BMP on a GPU: a bitmap a vertex from a pool, a warp an edge",
                  .source = "che2019, BMP CUDA Kernel",
                  .role = Role::proposed,
                  .device = Target::hybrid,
                  .parameters = bmp_parameters(),
                  .best = {{"method", "oriented"}, {"mirror", "gpu"}, {"split", 8192}, {"warps_per_block", 8}},
                  .validate = validate})

}  // namespace warpbench::common_neighbors
