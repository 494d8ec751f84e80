// The kernels of a join step (gsi2020 §V): sizes of the rows' buffers before, a linking edge with GPU-friendly set
// operations, and the next table out of the buffers after.
#pragma once

#include <cstdint>

#include "algorithms/subgraph_matching/gsi/load_balance.cuh"

namespace warpbench::matching::gsi {

/// The techniques that a linking edge's kernel uses.
struct Techniques {
  bool write_cache;
  bool duplicate_removal;
  LoadBalance balance;
};

/// Algorithm 4, lines 3-5: |N(v, l0)| of each row, and 0 behind the last. A warp a row.
template <typename Neighbors>
__global__ void __launch_bounds__(VertexJoinTuning::kMaxThreads)
    buffer_sizes_kernel(Neighbors neighbors, MatchTable table, Extent<std::int64_t> rows, int column,
                        View<std::uint32_t> sizes) {
  for (const std::int64_t i : grid::per_warp(rows)) {
    const std::uint32_t size = neighbors.locate(table.row(i)[column]).count_by_warp();
    if (warp::lane() == 0) sizes[i] = size;
  }
  if (grid::index() == 0) sizes[table.rows] = 0;
}

/// Layer 4: a task that stays with its warp. `own`: this warp has such a task; with duplicate removal the others come
/// along.
template <typename Operation>
__device__ void warp_task(const Operation& operation, bool own, const Link& link, std::int64_t i, const Vertex* row,
                          const Techniques& techniques, const WarpSpace& space) {
  RowOutput found(link.output, i, row, link.table.width, techniques.write_cache ? space.cache(warp::rank()) : nullptr);
  if (techniques.duplicate_removal) {
    auto consumer = consumer_of(operation, found);
    for_each_shared_batch(operation.list, own ? row[link.column] : kNone<Vertex>, space, consumer);
  } else if (own) {
    auto consumer = consumer_of(operation, found);
    for_each_own_batch(operation.list, space, consumer);
  }
  const std::uint32_t count = found.finish();
  if (own && warp::lane() == 0) link.output.put_count(i, count);
}

/// Algorithm 3, lines 4-13, for one linking edge: a warp a row, which it keeps in shared memory.
template <template <typename> typename Edge, typename Neighbors>
__global__ void __launch_bounds__(VertexJoinTuning::kMaxThreads)
    linking_edge_kernel(Neighbors neighbors, Link link, Techniques techniques, LongTasks long_tasks) {
  using Operation = Edge<typename Neighbors::List>;
  __shared__ TaskPool<Operation> pool;
  const int own = warp::rank();
  const WarpSpace space(link.table.width);
  link.output.end_counts(link.table.rows);
  // A round gives each warp of the block a row; the barriers below want all of them, those without a row too.
  const int warps = block::warps();
  for (const std::int64_t round : grid::per_block(ceil_div(link.rows.size(), warps))) {
    const std::int64_t i = link.rows.begin + round * warps + own;
    Operation operation{};
    const Vertex* row = space.row(own);
    Layer layer = Layer::none;
    if (i < link.rows.end) {
      row = space.keep_row(link.table.row(i).data());
      operation = Operation(link, neighbors, i, row);
      layer = layer_of(techniques.balance, task_length(operation));
    }
    // Few blocks have a long list; one barrier tells.
    const bool is_long = layer != Layer::warp && layer != Layer::none;
    if (techniques.balance.on && __syncthreads_or(is_long ? 1 : 0) != 0) {
      if (warp::lane() == 0) pool.put(own, operation, row, i, layer);
      balance_tasks(pool, link, long_tasks);
    }
    if (layer != Layer::warp) operation = Operation{};
    warp_task(operation, layer == Layer::warp, link, i, row, techniques, space);
    if (techniques.duplicate_removal) __syncthreads();  // before the next round tells again who reads
  }
}

/// Layer 1: a block a row of those collected.
template <template <typename> typename Edge, typename Neighbors>
__global__ void __launch_bounds__(VertexJoinTuning::kMaxThreads)
    long_tasks_kernel(Neighbors neighbors, Link link, LongTasks long_tasks) {
  using Operation = Edge<typename Neighbors::List>;
  __shared__ TaskPool<Operation> pool;
  const WarpSpace space(link.table.width);
  for (const std::int64_t task : grid::per_block(static_cast<std::int64_t>(long_tasks.count[0]))) {
    const auto i = static_cast<std::int64_t>(long_tasks.rows[task]);
    if (warp::rank() == 0) {
      const Vertex* const row = space.keep_row(link.table.row(i).data());
      const Operation operation(link, neighbors, i, row);
      if (warp::lane() == 0) pool.put(0, operation, row, i, Layer::own_kernel);
    }
    share_tasks(pool, 1U, link.output, link.table.width);
    if (block::rank() == 0) link.output.put_count(i, pool.found[0]);
    __syncthreads();  // before the pool is filled again
  }
}

}  // namespace warpbench::matching::gsi
