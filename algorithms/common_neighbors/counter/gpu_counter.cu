#include "algorithms/common_neighbors/counter/gpu_counter.hpp"

#include <algorithm>

#include "algorithms/common_neighbors/counter/pass_graph.cuh"
#include "algorithms/common_neighbors/counter/reverse_slots.hpp"
#include "algorithms/common_neighbors/counter/rows_of_tile.cuh"
#include "device/device.hpp"
#include "device/integers.hpp"
#include "device/search.cuh"
#include "device/segments.cuh"
#include "solvers/solver.hpp"

namespace warpbench::common_neighbors {
namespace {

/// One warp a tile: a lane with a slot e(v,u) whose count was made at u fetches it from there.
__global__ void __launch_bounds__(SlotTuning::kThreads)
    mirror_kernel(View<const std::uint64_t> offsets, View<const std::uint32_t> neighbors, View<std::uint32_t> counts) {
  for_each_slot_with_row(offsets, neighbors.size(), [&](std::uint32_t v, std::int64_t slot, bool inside) {
    if (!inside) return;
    const std::uint32_t u = neighbors[slot];
    const Extent<std::int64_t> slots_of_u = segment(offsets, u);
    if (comes_before(slots_of_u.size(), u, segment(offsets, v).size(), v)) {
      counts[slot] = counts[slots_of_u.begin + lower_bound(segment(offsets, neighbors, u), v)];
    }
  });
}

}  // namespace

std::vector<ParameterSpec> gpu_parameters() {
  return {
      parameter("warps_per_block", 4).range(1, 32).in("warps").means("thread block size (che2019 Fig 9)"),
      parameter("passes", 0)
          .range(0, static_cast<double>(kMostPasses))
          .alias("auto", 0)
          .in("passes")
          .means("ranges of v, of method: oriented of edges, handled one after another; auto: as many as device memory "
                 "asks for (Table 6)"),
      parameter("mirror", "cpu")
          .one_of({"cpu", "gpu"})
          .document({"cpu"})
          .means("who fills the second slot of each edge; gpu: only where all fits into device memory, or by "
                 "method: oriented"),
      parameter("co_processing", true)
          .means("the CPU finds the mirrored slots while the kernels run, not afterwards (Table 5; mirror: cpu)"),
      parameter("split", 0)
          .range(0, 1 << 30)
          .alias("never", 0)
          .document({0})
          .in("slots")
          .means("longest row a block walks alone; longer ones are cut"),
  };
}

GpuCounter::GpuCounter(const Parameters& parameters) {
  GpuCounter::configure(parameters);
}

void GpuCounter::configure(const Parameters& parameters) {
  options_.warps_per_block = static_cast<int>(parameters.integer("warps_per_block"));
  options_.co_processing = parameters.flag("co_processing");
  options_.mirror_on_gpu = parameters.text("mirror") == "gpu";
  options_.passes = parameters.integer("passes");
  options_.split = parameters.integer("split");
  planned_ = false;
  if (graph_ != nullptr) long_rows_ = long_rows(graph(), options_.split);
}

GpuCounter::LongRows GpuCounter::long_rows(const datasets::Csr& graph, std::int64_t split) {
  LongRows rows;
  for (std::int64_t v = 0; split != 0 && v < graph.vertices(); ++v) {
    const std::int64_t degree = graph.degree(static_cast<datasets::Vertex>(v));
    if (degree <= split) continue;
    rows.vertices.push_back(static_cast<std::uint32_t>(v));
    rows.max_pieces = std::max(rows.max_pieces, ceil_div(degree, split));
  }
  return rows;
}

void GpuCounter::prepare(const Input& input, Phases& phases) {
  graph_ = input.graph;
  if (graph().slots() > std::int64_t{0xffffffff}) {
    throw Unsupported("this graph has more than 2^32 - 1 slots; slot numbers here have 32 bits, as in the document");
  }
  long_rows_ = long_rows(graph(), options_.split);
  const auto scope = phases.cpu("pin");
  offsets_.pin(graph().offsets.span());
  neighbors_.pin(graph().neighbors.span());
  counts_ = PinnedBuffer<std::uint32_t>(graph().slots());
}

PassPlan GpuCounter::make_plan(std::int64_t free_bytes) {
  return plan_passes(graph(), options_.passes, workspace_bytes(free_bytes), free_bytes);
}

void GpuCounter::upload(Phases& phases) {
  planned_ = false;
  offsets_.release();
  neighbors_.release();
  device_counts_.reset();
  device_long_rows_.reset();
  release_workspace();
  stream_.synchronize();

  const std::int64_t free_bytes = free_memory();
  plan_ = make_plan(free_bytes);
  if (options_.mirror_on_gpu && !counts_all() && !plan_.resident) {
    throw OutOfDeviceMemory(plan_.resident_bytes, free_bytes);
  }
  const auto scope = phases.gpu("upload", stream_);
  device_long_rows_ = Buffer<std::uint32_t>(long_rows_.vertices, stream_);
  offsets_.upload(stream_);
  allocate_workspace();
  if (plan_.resident) {
    neighbors_.upload(stream_);
    device_counts_ = Buffer<std::uint32_t>(graph().slots(), stream_);
    // All slots are downloaded, also those that no kernel writes.
    if (!answers_on_device()) device_counts_.fill(0, stream_);
  }
  planned_ = true;
}

RowLaunches GpuCounter::row_launches() const {
  return {device_long_rows_.view(), options_.split, graph().vertices(), long_rows_.max_pieces};
}

void GpuCounter::run_passes(Phases& phases) {
  const auto scope = phases.gpu("kernel", stream_);
  for (std::size_t pass = 0; pass + 1 < plan_.boundaries.size(); ++pass) {
    run_pass(
        {static_cast<std::int64_t>(plan_.boundaries[pass]), static_cast<std::int64_t>(plan_.boundaries[pass + 1])});
  }
}

void GpuCounter::run_pass(Extent<std::int64_t> targets) {
  if (targets.empty()) return;
  if (plan_.resident) {
    count({offsets_.view(), neighbors_.view(), neighbors_.view(), 0, targets}, device_counts_.view());
    return;
  }
  const std::uint64_t first_slot = graph().offsets[static_cast<std::size_t>(targets.begin)];
  const std::uint64_t end_slot = graph().offsets[static_cast<std::size_t>(targets.end)];
  const std::span<const std::uint32_t> rows = neighbors_.host();
  const Buffer<std::uint32_t> lists(rows.subspan(first_slot, end_slot - first_slot), stream_);
  count(
      {offsets_.view(), {rows.data(), neighbors_.size()}, lists.view(), static_cast<std::int64_t>(first_slot), targets},
      counts_.view());
}

void GpuCounter::solve(Phases& phases) {
  if (graph().slots() == 0) return;
  if (!planned_) upload(phases);  // other parameters need other memory
  if (counts_all()) {
    const std::span<std::uint32_t> host = counts_.span();
    count_all(plan_.resident ? device_counts_.view() : View<std::uint32_t>(host.data(), std::ssize(host)), phases);
  } else if (answers_on_device()) {
    run_passes(phases);
    mirror_on_gpu(phases);
  } else {
    mirror_on_cpu(phases);
  }
  stream_.synchronize();
}

void GpuCounter::mirror_on_gpu(Phases& phases) {
  const auto scope = phases.gpu("mirror", stream_);
  const std::int64_t tiles = ceil_div(graph().slots(), std::int64_t{SlotTuning::kTileSlots});
  launch(mirror_kernel, warp_grid_for(tiles, SlotTuning::kThreads), stream_, offsets_.view(), neighbors_.view(),
         device_counts_.view());
}

void GpuCounter::mirror_on_cpu(Phases& phases) {
  mirror_.resize(static_cast<std::size_t>(graph().slots()));
  run_passes(phases);
  if (options_.co_processing) {
    const auto scope = phases.cpu("co_process");
    find_mirror_slots(graph(), mirror_);
  }
  if (plan_.resident) {
    const auto scope = phases.gpu("download", stream_);
    device_counts_.download(counts_.span(), stream_);
  }
  stream_.synchronize();
  // Post-processing, in the document's words: all that the CPU does once the kernels have ended (Table 5).
  const auto scope = phases.cpu("postprocess");
  if (!options_.co_processing) find_mirror_slots(graph(), mirror_);
  assign_mirrored(graph(), mirror_, counts_.span());
}

void GpuCounter::download(Answer& answer, Phases& phases) {
  if (answers_on_device()) {
    const auto scope = phases.gpu("download", stream_);
    device_counts_.download(counts_.span(), stream_);
  }
  stream_.synchronize();
  answer.counts = counts_.span();
}

std::map<std::string, double> GpuCounter::counters() const {
  return {{"passes", static_cast<double>(plan_.passes())},
          {"estimated_passes", static_cast<double>(plan_.estimated)},
          {"resident", plan_.resident ? 1.0 : 0.0},
          {"csr_bytes", static_cast<double>(offsets_.bytes() + neighbors_.bytes())},
          {"counts_bytes", static_cast<double>(counts_.span().size_bytes())}};
}

}  // namespace warpbench::common_neighbors
