// The kernels of a join step (gsi2020 §V): sizes of the rows' buffers before, a linking edge with GPU-friendly set
// operations, and the next table out of the buffers after.
#pragma once

#include <cstdint>

#include "algorithms/subgraph_matching/gsi/load_balance.cuh"

namespace warpbench::matching::gsi {

inline constexpr int kMostThreads = kMostWarps * kWarpSize;

/// Which techniques a linking edge's kernel uses.
struct Techniques {
  bool write_cache;
  bool duplicate_removal;
  LoadBalance balance;
};

/// Algorithm 4, lines 3-5: |N(v, l0)| of each row, and 0 behind the last. A warp a row.
template <typename Neighbors>
__global__ void __launch_bounds__(kMostThreads)
    buffer_sizes_kernel(Neighbors neighbors, Table table, int column, View<std::uint32_t> sizes) {
  const std::int64_t warps = std::int64_t{blockDim.x} / kWarpSize;
  for (std::int64_t i = blockIdx.x * warps + warp::rank(); i < table.rows; i += gridDim.x * warps) {
    const std::uint32_t size = neighbors.locate(table.row(i)[column]).count_by_warp();
    if (warp::lane() == 0) sizes[i] = size;
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) sizes[table.rows] = 0;
}

/// Layer 4: what stays with its warp. `own`: this warp has such a task; with duplicate removal the others come along.
template <typename Operation>
__device__ void warp_task(const Operation& operation, bool own, const Link& link, std::int64_t i, const Vertex* row,
                          const Techniques& techniques, const WarpSpace& space) {
  RowOutput found(link.output, i, row, link.table.width, techniques.write_cache ? space.cache(warp::rank()) : nullptr);
  if (techniques.duplicate_removal) {
    auto consumer = consumer_of(operation, found);
    for_each_shared_batch(operation.list, own ? row[link.column] : kNoVertex, space, consumer);
  } else if (own) {
    auto consumer = consumer_of(operation, found);
    for_each_own_batch(operation.list, space, consumer);
  }
  const std::uint32_t count = found.finish();
  if (own && warp::lane() == 0) link.output.put_count(i, count);
}

/// Algorithm 3, lines 4-13, for one linking edge: a warp a row, which it keeps in shared memory.
template <template <typename> typename Edge, typename Neighbors>
__global__ void __launch_bounds__(kMostThreads)
    linking_edge_kernel(Neighbors neighbors, Link link, Techniques techniques, LongTasks long_tasks) {
  using Operation = Edge<typename Neighbors::List>;
  __shared__ TaskPool<Operation> pool;
  const int warps = static_cast<int>(blockDim.x) / kWarpSize;
  const int own = warp::rank();
  const WarpSpace space(dynamic_shared<Vertex>(), warps, link.table.width);
  if (blockIdx.x == 0 && threadIdx.x == 0) link.output.put_count(link.table.rows, 0);
  for (std::int64_t base = std::int64_t{blockIdx.x} * warps; base < link.table.rows;
       base += std::int64_t{gridDim.x} * warps) {
    const std::int64_t i = base + own;
    Operation operation{};
    const Vertex* row = space.row(own);
    Layer layer = Layer::none;
    if (i < link.table.rows) {
      row = space.keep_row(link.table.row(i));
      operation = Operation(link, neighbors, i, row);
      layer = layer_of(techniques.balance, task_length(operation));
    }
    // Most blocks have no long list; one barrier tells.
    if (techniques.balance.on && __syncthreads_or(layer == Layer::warp || layer == Layer::none ? 0 : 1) != 0) {
      if (warp::lane() == 0) pool.put(own, operation, row, i, layer);
      balance_tasks(pool, link, long_tasks);
    }
    if (layer != Layer::warp) operation = Operation{};
    warp_task(operation, layer == Layer::warp, link, i, row, techniques, space);
    if (techniques.duplicate_removal) __syncthreads();  // who reads what is to be told anew
  }
}

/// Layer 1: a block a row of those collected.
template <template <typename> typename Edge, typename Neighbors>
__global__ void __launch_bounds__(kMostThreads)
    long_tasks_kernel(Neighbors neighbors, Link link, LongTasks long_tasks) {
  using Operation = Edge<typename Neighbors::List>;
  __shared__ TaskPool<Operation> pool;
  const WarpSpace space(dynamic_shared<Vertex>(), static_cast<int>(blockDim.x) / kWarpSize, link.table.width);
  const auto tasks = static_cast<std::int64_t>(long_tasks.count[0]);
  for (std::int64_t task = blockIdx.x; task < tasks; task += gridDim.x) {
    const auto i = static_cast<std::int64_t>(long_tasks.rows[task]);
    if (warp::rank() == 0) {
      const Vertex* const row = space.keep_row(link.table.row(i));
      const Operation operation(link, neighbors, i, row);
      if (warp::lane() == 0) pool.put(0, operation, row, i, Layer::own_kernel);
    }
    share_tasks(pool, 1U, link.output, link.table.width);
    if (threadIdx.x == 0) link.output.put_count(i, pool.found[0]);
    __syncthreads();  // the pool is to be filled again
  }
}

}  // namespace warpbench::matching::gsi
