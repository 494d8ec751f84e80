#include "algorithms/subgraph_matching/gsi/join.hpp"

#include <algorithm>
#include <limits>

#include "algorithms/subgraph_matching/gsi/memory.hpp"
#include "device/block.cuh"
#include "device/device.hpp"
#include "device/primitives.hpp"
#include "problems/subgraph_matching/counting.hpp"

namespace warpbench::matching::gsi {
namespace {

constexpr int kDigestThreads = 256;
/// A query that left less than this to the next leaves it.
constexpr std::int64_t kSmallMemory = std::int64_t{1} << 30;
/// A block's shared memory on every device.
constexpr std::size_t kSharedBytes = 32 * 1024;

/// Algorithm 3, lines 18-24: copies each row and each element of its buffer to the next table. A warp a row, which it
/// reads into shared memory; a lane writes one new row, as yu2023 §5.3.2 says of GSI.
__global__ void __launch_bounds__(kMostThreads) combine_kernel(Table table, RowBuffers buffers, Output output) {
  const int warps = static_cast<int>(blockDim.x) / kWarpSize;
  const WarpSpace space(dynamic_shared<Vertex>(), warps, table.width);
  for (std::int64_t i = std::int64_t{blockIdx.x} * warps + warp::rank(); i < table.rows;
       i += std::int64_t{gridDim.x} * warps) {
    const Vertex* const row = space.keep_row(table.row(i));
    const View<const Vertex> buffer = buffers.of(i);
    for (std::int64_t k = warp::lane(); k < buffer.size(); k += kWarpSize) {
      output.put(i, row, table.width, static_cast<std::uint32_t>(k), buffer[k]);
    }
  }
}

/// Adds the digests of the table's matches to *digest. columns[c]: the query vertex of column c.
__global__ void __launch_bounds__(kDigestThreads)
    digest_kernel(Table table, View<const Vertex> columns, View<unsigned long long> digest) {
  unsigned long long sum = 0;
  const std::int64_t stride = std::int64_t{gridDim.x} * kDigestThreads;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kDigestThreads + threadIdx.x; i < table.rows; i += stride) {
    std::uint64_t parts = 0;
    for (int c = 0; c < table.width; ++c) parts += digest_part(columns[c], table.row(i)[c]);
    sum += digest_of_match(parts);
  }
  sum = block::reduce_sum(sum);
  if (threadIdx.x == 0) atomicAdd(&digest[0], sum);
}

}  // namespace

Join::Join(const NeighborStore& neighbors, const Filter& filter, std::int64_t longest_list, Stream& stream)
    : neighbors_(neighbors),
      filter_(filter),
      longest_list_(longest_list),
      stream_(stream),
      number_(1, stream),
      total_(1, stream),
      host_number_(1) {}

std::optional<std::uint64_t> Join::run(std::span<const JoinStep> steps, std::span<const std::int64_t> candidates,
                                       const Wanted& wanted, const Deadline& deadline) {
  work_ = {};
  release_large_memory();
  injective_ = wanted.injective;
  start(steps[0], candidates[steps[0].vertex]);
  auto found = static_cast<std::uint64_t>(rows_);
  for (std::size_t i = 1; i < steps.size() && found > 0; ++i) {
    work_.rows += static_cast<double>(rows_);
    if (!options_.fused) list_candidates(steps[i], candidates[steps[i].vertex]);
    const std::optional<std::uint64_t> joined = join(steps[i], wanted, i + 1 == steps.size(), deadline);
    if (!joined) return std::nullopt;
    found = *joined;
  }
  if (found == 0) rows_ = 0;
  if (steps.size() == 1) rows_ = std::min(rows_, wanted.most_rows);
  return found;
}

/// M = C(u).
void Join::start(const JoinStep& step, std::int64_t candidates) {
  rows_ = candidates;
  width_ = 1;
  grow(tables_[current_], rows_, stream_);
  filter_.list(step.vertex, tables_[current_].view().first(rows_), stream_);
}

/// C(u) as naive set operations want it.
void Join::list_candidates(const JoinStep& step, std::int64_t candidates) {
  candidate_count_ = candidates;
  grow(candidate_list_, candidates, stream_);
  filter_.list(step.vertex, candidate_list_.view().first(candidates), stream_);
}

std::optional<std::uint64_t> Join::join(const JoinStep& step, const Wanted& wanted, bool last,
                                        const Deadline& deadline) {
  vertex_ = step.vertex;
  only_count_ = last && !wanted.rows;
  most_rows_ = last ? wanted.most_rows : std::numeric_limits<std::int64_t>::max();
  std::vector<Operation> operations;
  for (const LinkingEdge& link : step.links) {
    const bool first = operations.empty();
    operations.push_back({first ? Operation::Kind::first_edge : Operation::Kind::further_edge, link});
    if (first && !options_.fused) operations.push_back({Operation::Kind::candidates, link});
  }
  for (Buffers& buffers : buffers_) grow(buffers.counts, rows_ + 1, stream_);
  return options_.preallocate ? join_preallocated(operations, deadline) : join_twice(operations, deadline);
}

// ---- Prealloc-Combine (Algorithm 3) ----

/// Of a last step that is only counted the buffers are not needed, unless there are edges that read them, and no table
/// is made.
std::optional<std::uint64_t> Join::join_preallocated(std::span<const Operation> operations, const Deadline& deadline) {
  Buffers& buffers = buffers_[0];
  if (!only_count_ || operations.size() > 1) preallocate(operations[0].link);
  for (const Operation& operation : operations) {
    if (deadline.passed()) return std::nullopt;
    const bool counts = only_count_ && &operation == &operations.back();
    run_operation(operation, buffers.view(),
                  {counts ? Destination::count : Destination::buffer, buffers.data.view(), buffers.offsets.view(),
                   buffers.counts.view(), 0});
  }
  if (only_count_) return sum(buffers.counts);
  Buffer<std::uint64_t>& offsets = buffers_[1].offsets;
  const std::uint64_t found = scan(buffers.counts, offsets);
  if (found == 0) return 0;
  if (deadline.passed()) return std::nullopt;
  const Output output = next_rows(found, offsets);
  const std::size_t shared_bytes = static_cast<std::size_t>(warps() * width_) * sizeof(Vertex);
  launch(combine_kernel, grid(shared_bytes), stream_, table(), buffers.view(), output);
  take_next_table();
  return found;
}

/// Algorithm 4: memory for the buffers, as large as the first edge allows.
void Join::preallocate(const LinkingEdge& first_edge) {
  grow(sizes_, rows_ + 1, stream_);
  neighbors_.at(first_edge.label, [&](const auto& neighbors) {
    launch(buffer_sizes_kernel<std::decay_t<decltype(neighbors)>>, grid(0), stream_, neighbors, table(),
           first_edge.column, sizes_.view());
  });
  const std::uint64_t capacity = scan(sizes_, buffers_[0].offsets);
  grow(buffers_[0].data, static_cast<std::int64_t>(capacity), stream_);
  work_.buffer_bytes += static_cast<double>(capacity * sizeof(Vertex));
}

// ---- The two-step output scheme ----

std::optional<std::uint64_t> Join::join_twice(std::span<const Operation> operations, const Deadline& deadline) {
  for (std::size_t k = 0; k < operations.size(); ++k) {
    if (deadline.passed()) return std::nullopt;
    const RowBuffers from = buffers_[(k + 1) % 2].view();
    Buffers& to = buffers_[k % 2];
    const bool last = k + 1 == operations.size();
    run_operation(operations[k], from, {Destination::count, {}, {}, to.counts.view(), 0});
    if (last && only_count_) return sum(to.counts);
    const std::uint64_t found = scan(to.counts, to.offsets);
    if (found == 0) return 0;
    if (deadline.passed()) return std::nullopt;
    if (last) {
      run_operation(operations[k], from, next_rows(found, to.offsets));
      take_next_table();
      return found;
    }
    grow(to.data, static_cast<std::int64_t>(found), stream_);
    work_.buffer_bytes += static_cast<double>(found * sizeof(Vertex));
    run_operation(operations[k], from, {Destination::buffer, to.data.view(), to.offsets.view(), to.counts.view(), 0});
  }
  return 0;
}

// ---- Launches ----

void Join::run_operation(const Operation& operation, const RowBuffers& from, const Output& output) {
  Link link{table(), operation.link.column, injective_, {}, from, output};
  switch (operation.kind) {
    case Operation::Kind::first_edge:
      if (options_.fused) link.candidates = filter_.bits(vertex_);
      neighbors_.at(operation.link.label, [&](const auto& neighbors) { launch_edge<FirstEdge>(neighbors, link); });
      break;
    case Operation::Kind::candidates:
      launch(naive_set_operation_kernel<FurtherEdge, SameList>, grid(0), stream_,
             SameList{candidate_list_.view().first(candidate_count_)}, link);
      break;
    case Operation::Kind::further_edge:
      neighbors_.at(operation.link.label, [&](const auto& neighbors) { launch_edge<FurtherEdge>(neighbors, link); });
      break;
  }
}

template <template <typename> typename Edge, typename Neighbors>
void Join::launch_edge(const Neighbors& neighbors, const Link& link) {
  if (!options_.fused) {
    launch(naive_set_operation_kernel<Edge, Neighbors>, grid(0), stream_, neighbors, link);
    return;
  }
  const Grid blocks = grid(WarpSpace::bytes(warps(), width_));
  const LoadBalance& balance = options_.techniques.balance;
  const bool may_be_long = balance.on && longest_list_ > std::int64_t{balance.own_kernel};
  const LongTasks tasks = may_be_long ? long_tasks() : LongTasks{};
  launch(linking_edge_kernel<Edge, Neighbors>, blocks, stream_, neighbors, link, options_.techniques, tasks);
  if (may_be_long) launch(long_tasks_kernel<Edge, Neighbors>, blocks, stream_, neighbors, link, tasks);
}

/// An empty list of rows.
LongTasks Join::long_tasks() {
  grow(long_rows_, rows_, stream_);
  number_.fill(0, stream_);
  return {long_rows_.view(), number_.view()};
}

/// offsets[i] = what the rows before i have; returns the total. The counts end with a 0.
std::uint64_t Join::scan(Buffer<std::uint32_t>& counts, Buffer<std::uint64_t>& offsets) {
  grow(offsets, rows_ + 1, stream_);
  exclusive_scan(counts.view().first(rows_ + 1), offsets.view(), stream_);
  offsets.download(host_number_.span(), stream_, rows_);
  stream_.synchronize();
  return host_number_[0];
}

/// Of the rows that memory can hold and 32-bit counts, the sum cannot exceed 64 bits.
std::uint64_t Join::sum(const Buffer<std::uint32_t>& counts) {
  reduce_sum(counts.view().first(rows_), total_.view(), stream_);
  total_.download(host_number_.span(), stream_);
  stream_.synchronize();
  return host_number_[0];
}

/// Memory for the next table, or for so much of it as is wanted.
Output Join::next_rows(std::uint64_t found, const Buffer<std::uint64_t>& offsets) {
  next_row_count_ = std::min(static_cast<std::int64_t>(found), most_rows_);
  Buffer<Vertex>& next = tables_[1 - current_];
  grow(next, next_row_count_ * (width_ + 1), stream_);
  work_.table_bytes += static_cast<double>(next_row_count_) * (width_ + 1) * sizeof(Vertex);
  return {Destination::rows, next.view(), offsets.view(), {}, next_row_count_};
}

void Join::take_next_table() {
  current_ = 1 - current_;
  rows_ = next_row_count_;
  ++width_;
}

/// As many as asked for, or fewer where a long row leaves no room in shared memory.
int Join::warps() const {
  const auto fit = static_cast<int>(kSharedBytes / WarpSpace::bytes(1, width_));
  return std::clamp(options_.threads / kWarpSize, 1, std::max(fit, 1));
}

/// A warp a row.
Grid Join::grid(std::size_t shared_bytes) const {
  const std::int64_t blocks = std::min((rows_ + warps() - 1) / warps(), options_.most_blocks);
  return {blocks, warps() * kWarpSize, shared_bytes};
}

/// What a query that needed much left behind would keep others from making their larger buffers.
void Join::release_large_memory() {
  std::int64_t held = tables_[0].bytes() + tables_[1].bytes() + buffers_[0].data.bytes() + buffers_[1].data.bytes();
  if (held < kSmallMemory || held < free_memory()) return;
  for (Buffer<Vertex>& memory : tables_) memory.reset();
  for (Buffers& buffers : buffers_) buffers = {};
  sizes_.reset();
}

// ---- Results ----

std::vector<Vertex> Join::matches() {
  std::vector<Vertex> host(static_cast<std::size_t>(rows_ * width_));
  tables_[current_].download(host, stream_);
  stream_.synchronize();
  return host;
}

std::uint64_t Join::digest(std::span<const JoinStep> steps) {
  std::vector<Vertex> columns;
  for (const JoinStep& step : steps) columns.push_back(step.vertex);
  const Buffer<Vertex> device_columns(std::span<const Vertex>(columns), stream_);
  number_.fill(0, stream_);
  Grid blocks = grid_for(rows_, kDigestThreads);
  blocks.blocks.x = std::min(blocks.blocks.x, options_.most_blocks);
  launch(digest_kernel, blocks, stream_, table(), device_columns.view(), number_.view());
  return number_.to_vector(stream_)[0];
}

}  // namespace warpbench::matching::gsi
