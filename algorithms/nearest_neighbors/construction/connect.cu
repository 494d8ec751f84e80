#include "algorithms/nearest_neighbors/construction/connect.hpp"

#include <utility>

#include "device/mix64.hpp"
#include "device/ranges.cuh"

namespace warpbench::nearest_neighbors {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kMaxBlocks = 1 << 14;

/// One step of a breadth-first search: a warp a vertex of the frontier.
__global__ void __launch_bounds__(kThreads)
    reach_kernel(View<const Vertex> rows, int degree, View<const Vertex> frontier, View<std::uint32_t> reached,
                 View<Vertex> next, View<std::uint32_t> next_count) {
  for (const std::int64_t at : grid::per_warp(frontier.size())) {
    const View<const Vertex> row = rows.subview(std::int64_t{frontier[at]} * degree, degree);
    for (const int i : warp::strided(degree)) {
      if (row[i] == kNone<Vertex> || atomicExch(&reached[row[i]], 1U) != 0) continue;
      next[atomicAdd(&next_count[0], 1U)] = row[i];
    }
  }
}

/// Each vertex out of reach asks one that is reached for a place; the lowest id of those that ask gets it.
__global__ void __launch_bounds__(kThreads)
    ask_kernel(View<const Vertex> lists, int length, bool anywhere, std::uint64_t seed,
               View<const std::uint32_t> reached, View<Vertex> asked) {
  for (const std::int64_t v : grid::strided(reached.size())) {
    if (reached[v] != 0) continue;
    Vertex host = kNone<Vertex>;
    if (anywhere) {
      const auto count = static_cast<std::uint64_t>(reached.size());
      host = static_cast<Vertex>(mix64(seed + static_cast<std::uint64_t>(v)) % count);
      if (reached[host] == 0) host = kNone<Vertex>;
    }
    for (int i = 0; i < length && host == kNone<Vertex>; ++i) {
      const Vertex neighbor = lists[v * length + i];
      if (neighbor != kNone<Vertex> && reached[neighbor] != 0) host = neighbor;
    }
    if (host != kNone<Vertex>) atomicMin(&asked[host], static_cast<Vertex>(v));
  }
}

__global__ void __launch_bounds__(kThreads)
    link_kernel(View<const Vertex> asked, int degree, View<Vertex> rows, View<std::uint32_t> linked) {
  for (const std::int64_t v : grid::strided(asked.size())) {
    if (asked[v] == kNone<Vertex>) continue;
    rows[v * degree + degree - 1] = asked[v];
    atomicAdd(&linked[0], 1U);
  }
}

class Connector {
 public:
  Connector(Buffer<Vertex>& rows, int degree, Stream& stream)
      : rows_(&rows),
        degree_(degree),
        count_(rows.size() / degree),
        stream_(&stream),
        reached_(count_, stream),
        asked_(count_, stream),
        frontier_(count_, stream),
        next_(count_, stream),
        counter_(1, stream) {}

  /// How many vertices no path from vertex 0 reaches.
  std::int64_t out_of_reach() {
    reached_.fill(0, *stream_);
    const Vertex start[] = {0};
    const std::uint32_t yes[] = {1};
    frontier_.upload(start, *stream_);
    reached_.upload(yes, *stream_);
    std::int64_t found = 1;
    for (std::int64_t size = 1; size > 0; found += size) {
      counter_.fill(0, *stream_);
      launch(reach_kernel, warp_grid_for(size, kThreads, kMaxBlocks), *stream_, rows_->view(), degree_,
             std::as_const(frontier_).view().first(size), reached_.view(), next_.view(), counter_.view());
      size = read_counter();
      std::swap(frontier_, next_);
    }
    return count_ - found;
  }

  /// Gives places to vertices out of reach; how many.
  std::int64_t link(View<const Vertex> lists, int length, bool anywhere, std::uint64_t seed) {
    asked_.fill_bytes(0xff, *stream_);
    counter_.fill(0, *stream_);
    launch(ask_kernel, grid_for(count_, kThreads, kMaxBlocks), *stream_, lists, length, anywhere, seed,
           std::as_const(reached_).view(), asked_.view());
    launch(link_kernel, grid_for(count_, kThreads, kMaxBlocks), *stream_, std::as_const(asked_).view(), degree_,
           rows_->view(), counter_.view());
    return read_counter();
  }

 private:
  [[nodiscard]] std::int64_t read_counter() { return counter_.to_vector(*stream_).front(); }

  Buffer<Vertex>* rows_;
  int degree_;
  std::int64_t count_;
  Stream* stream_;
  Buffer<std::uint32_t> reached_;
  Buffer<Vertex> asked_;  ///< for each vertex the one that gets its last place
  Buffer<Vertex> frontier_;
  Buffer<Vertex> next_;
  Buffer<std::uint32_t> counter_;
};

}  // namespace

std::int64_t connect(Buffer<Vertex>& rows, int degree, View<const Vertex> lists, int length, Stream& stream) {
  Connector connector(rows, degree, stream);
  std::int64_t missing = connector.out_of_reach();
  bool anywhere = false;
  for (int round = 0; round < kMaxConnectRounds && missing > 0; ++round) {
    anywhere = connector.link(lists, length, anywhere, static_cast<std::uint64_t>(round)) == 0;
    missing = connector.out_of_reach();
  }
  return missing;
}

}  // namespace warpbench::nearest_neighbors
