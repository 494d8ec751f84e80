#include "algorithms/common_neighbors/counter/gpu_counter.hpp"

#include <algorithm>

#include "algorithms/common_neighbors/counter/degree_order.cuh"
#include "algorithms/common_neighbors/counter/gpu_counter.cuh"
#include "algorithms/common_neighbors/counter/reverse_slots.hpp"
#include "device/device.hpp"
#include "device/search.cuh"
#include "solvers/solver.hpp"

namespace warpbench::common_neighbors {
namespace {

/// One warp a vertex v: each lane takes slots e(v,u) whose count was made at u and fetches it from there.
__global__ void mirror_kernel(View<const std::uint64_t> offsets, View<const std::uint32_t> neighbors,
                              View<std::uint32_t> counts) {
  const std::int64_t vertices = offsets.size() - 1;
  const std::int64_t v = std::int64_t{blockIdx.x} * blockDim.y + threadIdx.y;
  if (v >= vertices) return;
  const auto begin = static_cast<std::int64_t>(offsets[v]);
  const auto end = static_cast<std::int64_t>(offsets[v + 1]);
  for (std::int64_t slot = begin + threadIdx.x; slot < end; slot += kWarpSize) {
    const std::uint32_t u = neighbors[slot];
    const auto row_begin = static_cast<std::int64_t>(offsets[u]);
    const auto degree = static_cast<std::int64_t>(offsets[std::int64_t{u} + 1]) - row_begin;
    if (!comes_before(static_cast<std::uint64_t>(degree), u, static_cast<std::uint64_t>(end - begin),
                      static_cast<std::uint32_t>(v)))
      continue;
    const std::int64_t at = lower_bound(neighbors.subview(row_begin, degree), static_cast<std::uint32_t>(v));
    counts[slot] = counts[row_begin + at];
  }
}

}  // namespace

std::vector<ParameterSpec> gpu_parameters() {
  return {
      parameter("warps_per_block", 4).range(1, 32).in("warps").means("thread block size (che2019 Fig 9)"),
      parameter("passes", 0)
          .range(0, 1024)
          .alias("auto", 0)
          .in("passes")
          .means("ranges of v handled one after another; auto: as many as device memory asks for (Table 6)"),
      parameter("mirror", "cpu")
          .one_of({"cpu", "gpu"})
          .document({"cpu"})
          .means("who fills the second slot of each edge"),
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
  warps_per_block_ = static_cast<int>(parameters.integer("warps_per_block"));
  co_processing_ = parameters.flag("co_processing");
  mirror_on_gpu_ = parameters.text("mirror") == "gpu";
  passes_ = parameters.integer("passes");
  split_ = static_cast<std::uint64_t>(parameters.integer("split"));
  if (graph_ != nullptr) find_heavy_vertices();
}

void GpuCounter::find_heavy_vertices() {
  heavy_vertices_.clear();
  heavy_pieces_ = 0;
  const auto split = static_cast<std::int64_t>(split_);
  for (std::int64_t v = 0; split != 0 && v < graph().vertices(); ++v) {
    const std::int64_t degree = graph().degree(static_cast<datasets::Vertex>(v));
    if (degree <= split) continue;
    heavy_vertices_.push_back(static_cast<std::uint32_t>(v));
    heavy_pieces_ = std::max(heavy_pieces_, (degree + split - 1) / split);
  }
}

void GpuCounter::prepare(const Input& input, Phases& phases) {
  graph_ = input.graph;
  if (graph().slots() > std::int64_t{0xffffffff}) {
    throw Unsupported("this graph has more than 2^32 - 1 slots; slot numbers here have 32 bits, as in the document");
  }
  find_heavy_vertices();
  const auto scope = phases.cpu("pin");
  host_offsets_ = PinnedBuffer<std::uint64_t>(graph().vertices() + 1);
  host_neighbors_ = PinnedBuffer<std::uint32_t>(graph().slots());
  counts_ = PinnedBuffer<std::uint32_t>(graph().slots());
  std::ranges::copy(graph().offsets, host_offsets_.span().begin());
  std::ranges::copy(graph().neighbors, host_neighbors_.span().begin());
}

void GpuCounter::upload(Phases& phases) {
  offsets_.reset();
  neighbors_.reset();
  device_counts_.reset();
  heavy_.reset();
  stream_.synchronize();

  const std::int64_t free_bytes = free_memory();
  const std::int64_t workspace = workspace_bytes(free_bytes);
  plan_ = plan_passes(graph(), passes_, workspace, free_bytes);
  const auto scope = phases.gpu("upload", stream_);
  if (!heavy_vertices_.empty()) heavy_ = Buffer<std::uint32_t>(heavy_vertices_, stream_);
  offsets_ = Buffer<std::uint64_t>(host_offsets_.size(), stream_);
  offsets_.upload(host_offsets_.span(), stream_);
  allocate_workspace(workspace);
  if (!plan_.resident) return;
  neighbors_ = Buffer<std::uint32_t>(host_neighbors_.size(), stream_);
  neighbors_.upload(host_neighbors_.span(), stream_);
  device_counts_ = Buffer<std::uint32_t>(graph().slots(), stream_);
}

BlockLaunches GpuCounter::block_launches() const {
  return {heavy_.view(), split_, graph().vertices(), heavy_.size(), heavy_pieces_};
}

void GpuCounter::run_pass(std::int64_t pass) {
  const std::uint64_t first = plan_.boundaries[static_cast<std::size_t>(pass)];
  const std::uint64_t last = plan_.boundaries[static_cast<std::size_t>(pass) + 1];
  if (first == last) return;
  if (plan_.resident) {
    count({offsets_.view(), neighbors_.view(), neighbors_.view(), 0, first, last}, device_counts_.view());
    return;
  }
  const std::uint64_t first_slot = graph().offsets[first];
  const std::uint64_t slots = graph().offsets[last] - first_slot;
  neighbors_.reset();  // stream-ordered: the last pass's kernels come first
  neighbors_ = Buffer<std::uint32_t>(static_cast<std::int64_t>(slots), stream_);
  neighbors_.upload(host_neighbors_.span().subspan(first_slot, slots), stream_);
  count({offsets_.view(), host_neighbors_.view(), neighbors_.view(), first_slot, first, last}, counts_.view());
}

void GpuCounter::solve(Phases& phases) {
  complete_ = false;
  if (graph().slots() == 0) {
    complete_ = true;
    return;
  }
  if (plan_.resident && count_all(phases)) {
    stream_.synchronize();
    return;
  }
  if (mirror_on_gpu_ && plan_.resident) {
    {
      const auto scope = phases.gpu("kernel", stream_);
      for (std::int64_t pass = 0; pass < plan_.passes(); ++pass) run_pass(pass);
    }
    mirror_on_gpu(phases);
  } else {
    mirror_on_cpu(phases);
  }
}

void GpuCounter::mirror_on_gpu(Phases& phases) {
  constexpr int kWarps = 8;
  {
    const auto scope = phases.gpu("mirror", stream_);
    launch(mirror_kernel, Grid{(graph().vertices() + kWarps - 1) / kWarps, {kWarpSize, kWarps}}, stream_,
           offsets_.view(), neighbors_.view(), device_counts_.view());
  }
  stream_.synchronize();
}

void GpuCounter::mirror_on_cpu(Phases& phases) {
  mirror_.resize(static_cast<std::size_t>(graph().slots()));
  {
    const auto scope = phases.gpu("kernel", stream_);
    for (std::int64_t pass = 0; pass < plan_.passes(); ++pass) run_pass(pass);
  }
  if (co_processing_) {
    const auto scope = phases.cpu("co_process");
    find_mirror_slots(graph(), mirror_);
  }
  if (plan_.resident) {
    const auto scope = phases.gpu("download", stream_);
    device_counts_.download(counts_.span(), stream_);
  }
  stream_.synchronize();
  // What the document calls post-processing: all that the CPU does once the kernels have ended (Table 5).
  const auto scope = phases.cpu("postprocess");
  if (!co_processing_) find_mirror_slots(graph(), mirror_);
  assign_mirrored(graph(), mirror_, counts_.span());
  complete_ = true;
}

void GpuCounter::download(Answer& answer, Phases& phases) {
  if (!complete_) {
    {
      const auto scope = phases.gpu("download", stream_);
      device_counts_.download(counts_.span(), stream_);
    }
    stream_.synchronize();
  }
  answer.counts = counts_.span();
}

std::map<std::string, double> GpuCounter::counters() const {
  return {{"passes", static_cast<double>(plan_.passes())},
          {"estimated_passes", static_cast<double>(plan_.estimated)},
          {"resident", plan_.resident ? 1.0 : 0.0},
          {"csr_bytes", static_cast<double>(host_offsets_.span().size_bytes() + host_neighbors_.span().size_bytes())},
          {"counts_bytes", static_cast<double>(counts_.span().size_bytes())}};
}

}  // namespace warpbench::common_neighbors
