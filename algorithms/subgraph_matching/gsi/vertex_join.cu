#include "algorithms/subgraph_matching/gsi/vertex_join.hpp"

#include <algorithm>
#include <limits>

#include "algorithms/subgraph_matching/match_digest.cuh"
#include "device/device.hpp"
#include "device/digest.cuh"
#include "device/growing.hpp"
#include "device/primitives.hpp"

namespace warpbench::matching::gsi {
namespace {

/// Memory below it is kept, however little is left.
constexpr std::int64_t kSmallMemory = std::int64_t{1} << 30;
/// What large memory takes to be freed and allocated: up to 4 ms per 10^9 bytes on an H200, where 100 GB took 0.32 s.
/// It takes less where the pool of device memory holds enough already.
constexpr double kSecondsOfAByte = 4e-12;
/// A block's shared memory on every device.
constexpr std::size_t kSharedBytes = 32 * 1024;

/// Algorithm 3, lines 18-24: copies each row and each element of its buffer to the next table. A warp a row, which it
/// reads into shared memory; a lane writes one new row, as yu2023 §5.3.2 says of GSI.
__global__ void __launch_bounds__(VertexJoinTuning::kMaxThreads)
    combine_kernel(MatchTable table, Extent<std::int64_t> rows, RowBuffers buffers, JoinOutput output) {
  const WarpSpace space(table.width);
  for (const std::int64_t i : grid::per_warp(rows)) {
    const Vertex* const row = space.keep_row(table.row(i).data());
    const View<const Vertex> buffer = buffers.of(i);
    for (const std::int64_t k : warp::strided(buffer.size())) output.put(i, row, table.width, k, buffer[k]);
  }
}

/// The query vertices of a table's columns.
std::vector<Vertex> columns_of(std::span<const JoinStep> steps) {
  std::vector<Vertex> columns;
  for (const JoinStep& step : steps) columns.push_back(step.vertex);
  return columns;
}

/// Gives `buffer` room for `count` elements. False, with nothing done, where that may take longer than is left. What
/// the device has no room for fails at once: it throws OutOfDeviceMemory.
[[nodiscard]] bool grow_in_time(Buffer<Vertex>& buffer, std::int64_t count, const Deadline& deadline, Stream& stream) {
  const double bytes = count > buffer.size() ? static_cast<double>(count) * sizeof(Vertex) : 0;
  const bool large = bytes > static_cast<double>(kSmallMemory) && bytes <= static_cast<double>(free_memory());
  if (!deadline.leaves(large ? bytes * kSecondsOfAByte : 0)) return false;
  grow(buffer, count, stream);
  return true;
}

}  // namespace

void JoinMemory::release_large() {
  const std::int64_t held = tables[0].bytes() + tables[1].bytes() + buffers[0].data.bytes() + buffers[1].data.bytes();
  if (held < kSmallMemory || held < free_memory()) return;
  for (Buffer<Vertex>& table : tables) table.reset();
  for (Buffers& buffer : buffers) buffer = {};
  sizes.reset();
}

std::optional<std::uint64_t> VertexJoin::run(std::span<const JoinStep> steps, const MatchRequest& request,
                                             const Deadline& deadline) {
  memory_.release_large();
  start(steps[0].vertex);
  auto found = static_cast<std::uint64_t>(rows_);
  for (std::size_t i = 1; i < steps.size() && found > 0; ++i) {
    work_.rows += static_cast<double>(rows_);
    const bool last = i + 1 == steps.size();
    const std::int64_t max_rows = last ? request.max_rows : std::numeric_limits<std::int64_t>::max();
    const std::optional<std::uint64_t> joined =
        join({steps[i], request.injective, last && !request.rows, max_rows}, deadline);
    if (!joined) return std::nullopt;
    found = *joined;
  }
  if (found == 0) rows_ = 0;
  if (steps.size() == 1) rows_ = std::min(rows_, request.max_rows);
  return found;
}

/// M = C(u).
void VertexJoin::start(Vertex u) {
  rows_ = candidate_count(u);
  width_ = 1;
  grow(memory_.tables[current_], rows_, stream_);
  candidates_.list(u, memory_.tables[current_].view().first(rows_), stream_);
}

std::optional<std::uint64_t> VertexJoin::join(const StepRequest& request, const Deadline& deadline) {
  std::vector<Operation> operations;
  for (const LinkingEdge& link : request.step.links) {
    const bool first = operations.empty();
    operations.push_back({first ? Operation::Kind::first_edge : Operation::Kind::further_edge, link});
    if (first && !options_.fused) operations.push_back({Operation::Kind::candidates, link});
  }
  if (!options_.fused) {
    const Vertex u = request.step.vertex;
    grow(memory_.candidate_list, candidate_count(u), stream_);
    candidates_.list(u, memory_.candidate_list.view().first(candidate_count(u)), stream_);
  }
  for (JoinMemory::Buffers& buffers : memory_.buffers) grow(buffers.counts, rows_ + 1, stream_);
  return options_.preallocate ? join_preallocated(request, operations, deadline)
                              : join_twice(request, operations, deadline);
}

// ---- Prealloc-Combine (Algorithm 3) ----

/// A last step that is only counted makes no table, and needs no buffers unless further edges read them.
std::optional<std::uint64_t> VertexJoin::join_preallocated(const StepRequest& request,
                                                           std::span<const Operation> operations,
                                                           const Deadline& deadline) {
  JoinMemory::Buffers& buffers = memory_.buffers[0];
  const bool buffered = !request.only_count || operations.size() > 1;
  if (buffered && !preallocate(operations[0].link, deadline)) return std::nullopt;
  for (const Operation& operation : operations) {
    const bool counts = request.only_count && &operation == &operations.back();
    const JoinOutput output{counts ? Destination::count : Destination::buffer, buffers.data.view(),
                            buffers.offsets.view(), buffers.counts.view(), 0};
    if (!run_operation(request, operation, buffers.view(), output, deadline)) return std::nullopt;
  }
  if (request.only_count) return sum(buffers.counts);
  Buffer<std::uint64_t>& offsets = memory_.buffers[1].offsets;
  const std::uint64_t found = scan(buffers.counts, offsets);
  if (found == 0) return 0;
  const std::optional<JoinOutput> output = next_rows(found, request.max_rows, offsets, deadline);
  if (!output) return std::nullopt;
  const std::size_t shared_bytes = static_cast<std::size_t>(warps() * width_) * sizeof(Vertex);
  const bool combined = in_slices_of_rows(deadline, [&](Extent<std::int64_t> rows) {
    launch(combine_kernel, grid(rows.size(), shared_bytes), stream_, table(), rows, buffers.view(), *output);
  });
  if (!combined) return std::nullopt;
  take_next_table(output->max_rows);
  return found;
}

/// Algorithm 4: memory for the buffers, as large as the first edge allows.
bool VertexJoin::preallocate(const LinkingEdge& first_edge, const Deadline& deadline) {
  grow(memory_.sizes, rows_ + 1, stream_);
  const bool sized = in_slices_of_rows(deadline, [&](Extent<std::int64_t> rows) {
    neighbors_.at(first_edge.label, [&](const auto& neighbors) {
      launch(buffer_sizes_kernel<std::decay_t<decltype(neighbors)>>, grid(rows.size(), 0), stream_, neighbors, table(),
             rows, first_edge.column, memory_.sizes.view());
    });
  });
  if (!sized) return false;
  const std::uint64_t capacity = scan(memory_.sizes, memory_.buffers[0].offsets);
  if (!grow_in_time(memory_.buffers[0].data, static_cast<std::int64_t>(capacity), deadline, stream_)) return false;
  work_.buffer_bytes += static_cast<double>(capacity * sizeof(Vertex));
  return true;
}

// ---- The two-step output scheme ----

std::optional<std::uint64_t> VertexJoin::join_twice(const StepRequest& request, std::span<const Operation> operations,
                                                    const Deadline& deadline) {
  for (std::size_t k = 0; k < operations.size(); ++k) {
    const RowBuffers from = memory_.buffers[(k + 1) % 2].view();
    JoinMemory::Buffers& to = memory_.buffers[k % 2];
    const bool last = k + 1 == operations.size();
    const JoinOutput sizes{Destination::count, {}, {}, to.counts.view(), 0};
    if (!run_operation(request, operations[k], from, sizes, deadline)) return std::nullopt;
    if (last && request.only_count) return sum(to.counts);
    const std::uint64_t found = scan(to.counts, to.offsets);
    if (found == 0) return 0;
    if (last) {
      const std::optional<JoinOutput> output = next_rows(found, request.max_rows, to.offsets, deadline);
      if (!output || !run_operation(request, operations[k], from, *output, deadline)) return std::nullopt;
      take_next_table(output->max_rows);
      return found;
    }
    if (!grow_in_time(to.data, static_cast<std::int64_t>(found), deadline, stream_)) return std::nullopt;
    work_.buffer_bytes += static_cast<double>(found * sizeof(Vertex));
    const JoinOutput output{Destination::buffer, to.data.view(), to.offsets.view(), to.counts.view(), 0};
    if (!run_operation(request, operations[k], from, output, deadline)) return std::nullopt;
  }
  return 0;
}

// ---- Launches ----

bool VertexJoin::run_operation(const StepRequest& request, const Operation& operation, const RowBuffers& from,
                               const JoinOutput& output, const Deadline& deadline) {
  if (deadline.passed()) return false;
  const Vertex u = request.step.vertex;
  Link link{table(), {0, rows_}, operation.link.column, request.injective, {}, from, output};
  if (operation.kind == Operation::Kind::candidates) {
    const SameList list{memory_.candidate_list.view().first(candidate_count(u))};
    return launch_naive<FurtherEdge>(list, link, deadline);
  }
  const bool first = operation.kind == Operation::Kind::first_edge;
  if (first && options_.fused) link.candidates = candidates_.bits(u);
  bool launched = true;
  neighbors_.at(operation.link.label, [&](const auto& neighbors) {
    if (options_.fused) {
      launched = in_slices_of_rows(deadline, [&](Extent<std::int64_t> rows) {
        link.rows = rows;
        first ? launch_fused<FirstEdge>(neighbors, link) : launch_fused<FurtherEdge>(neighbors, link);
      });
    } else {
      launched = first ? launch_naive<FirstEdge>(neighbors, link, deadline)
                       : launch_naive<FurtherEdge>(neighbors, link, deadline);
    }
  });
  return launched;
}

/// A kernel a row.
template <template <typename> typename Edge, typename Neighbors>
bool VertexJoin::launch_naive(const Neighbors& neighbors, const Link& link, const Deadline& deadline) {
  constexpr std::int64_t kLaunchesBetweenLooks = 1024;
  for (std::int64_t i = 0; i < rows_; ++i) {
    if (i % kLaunchesBetweenLooks == 0 && deadline.passed()) return false;
    launch(naive_set_operation_kernel<Edge, Neighbors>, Grid{1, kWarpSize}, stream_, neighbors, link, i);
    ++work_.set_operation_kernels;
  }
  return true;
}

template <template <typename> typename Edge, typename Neighbors>
void VertexJoin::launch_fused(const Neighbors& neighbors, const Link& link) {
  const Grid blocks = grid(link.rows.size(), WarpSpace::bytes(warps(), width_));
  const LoadBalance& balance = options_.techniques.balance;
  const bool may_be_long = balance.on && neighbors_.longest_row() > std::int64_t{balance.own_kernel};
  const LongTasks tasks = may_be_long ? long_tasks() : LongTasks{};
  launch(linking_edge_kernel<Edge, Neighbors>, blocks, stream_, neighbors, link, options_.techniques, tasks);
  if (may_be_long) launch(long_tasks_kernel<Edge, Neighbors>, blocks, stream_, neighbors, link, tasks);
  work_.set_operation_kernels += may_be_long ? 2 : 1;
}

/// An empty list of rows.
LongTasks VertexJoin::long_tasks() {
  grow(memory_.long_rows, rows_, stream_);
  memory_.number.fill(0, stream_);
  return {memory_.long_rows.view(), memory_.number.view()};
}

/// offsets[i] = the sum of the counts of the rows before i; returns the total. The counts end with a 0.
std::uint64_t VertexJoin::scan(Buffer<std::uint32_t>& counts, Buffer<std::uint64_t>& offsets) {
  grow(offsets, rows_ + 1, stream_);
  exclusive_scan(counts.view().first(rows_ + 1), offsets.view(), stream_);
  offsets.download(memory_.host_number.span(), stream_, rows_);
  stream_.synchronize();
  return memory_.host_number[0];
}

/// Cannot exceed 64 bits: counts have 32, and memory holds fewer than 2^32 times 2^32 rows.
std::uint64_t VertexJoin::sum(const Buffer<std::uint32_t>& counts) {
  reduce_sum(counts.view().first(rows_), memory_.total.view(), stream_);
  memory_.total.download(memory_.host_number.span(), stream_);
  stream_.synchronize();
  return memory_.host_number[0];
}

/// Memory for the next table, or for its first `max_rows` rows. The output's max_rows is how many it has.
std::optional<JoinOutput> VertexJoin::next_rows(std::uint64_t found, std::int64_t max_rows,
                                                const Buffer<std::uint64_t>& offsets, const Deadline& deadline) {
  const std::int64_t rows = std::min(static_cast<std::int64_t>(found), max_rows);
  Buffer<Vertex>& next = memory_.tables[1 - current_];
  if (!grow_in_time(next, rows * (width_ + 1), deadline, stream_)) return std::nullopt;
  work_.table_bytes += static_cast<double>(rows) * (width_ + 1) * sizeof(Vertex);
  return JoinOutput{Destination::rows, next.view(), offsets.view(), {}, rows};
}

void VertexJoin::take_next_table(std::int64_t rows) {
  current_ = 1 - current_;
  rows_ = rows;
  ++width_;
}

/// The warps of a block that were asked for, or fewer where a long row leaves no room in shared memory.
int VertexJoin::warps() const {
  const auto fit = static_cast<int>(kSharedBytes / WarpSpace::bytes(1, width_));
  return std::clamp(options_.threads / kWarpSize, 1, std::max(fit, 1));
}

/// A warp a row.
Grid VertexJoin::grid(std::int64_t rows, std::size_t shared_bytes) const {
  Grid grid = warp_grid_for(rows, warps() * kWarpSize, options_.max_blocks);
  grid.shared_bytes = shared_bytes;
  return grid;
}

// ---- Results ----

bool VertexJoin::append_matches(std::span<const JoinStep> steps, std::vector<Vertex>& matches,
                                const Deadline& deadline) const {
  return matching::append_matches(table(), columns_of(steps), matches, deadline, stream_);
}

std::optional<std::uint64_t> VertexJoin::digest(std::span<const JoinStep> steps, const Deadline& deadline) {
  const std::vector<Vertex> columns = columns_of(steps);
  const Buffer<Vertex> device_columns(std::span<const Vertex>(columns), stream_);
  memory_.number.fill(0, stream_);
  if (!add_digests_of(table(), device_columns.view(), memory_.number.view(), deadline, stream_)) return std::nullopt;
  return memory_.number.to_vector(stream_)[0];
}

}  // namespace warpbench::matching::gsi
