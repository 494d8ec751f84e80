#include "algorithms/nearest_neighbors/construction/connect.hpp"

#include <utility>

#include "device/mix64.hpp"
#include "device/ranges.cuh"

namespace warpbench::nearest_neighbors {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kMaxBlocks = 1 << 14;
constexpr std::uint64_t kNearestRounds = 2;

/// What each vertex of a graph has to give, while edges are added.
struct Hosts {
  View<const std::uint32_t> reached;
  View<const std::uint32_t> given;  ///< places of its row that were taken from others
  int degree;

  /// Half of a row at most goes to vertices out of reach.
  [[nodiscard]] __device__ bool can_give(Vertex vertex) const {
    return reached[vertex] != 0 && given[vertex] < static_cast<std::uint32_t>(degree + 1) / 2;
  }
};

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

/// Each vertex out of reach asks one that can give for a place; the lowest id of those that ask gets it.
__global__ void __launch_bounds__(kThreads) ask_kernel(View<const Vertex> lists, int length, bool anywhere,
                                                       std::uint64_t round, Hosts hosts, View<Vertex> asked) {
  const std::int64_t count = hosts.reached.size();
  for (const std::int64_t v : grid::strided(count)) {
    if (hosts.reached[v] != 0) continue;
    const std::uint64_t random = mix64(round, static_cast<std::uint64_t>(v));
    Vertex host = kNone<Vertex>;
    if (anywhere) {
      const auto any = static_cast<Vertex>(random % static_cast<std::uint64_t>(count));
      if (hosts.can_give(any)) host = any;
    }
    // The nearest at first, then others: where lists are alike, all would ask the same one.
    const int start = round < kNearestRounds ? 0 : static_cast<int>(random % static_cast<std::uint64_t>(length));
    for (int i = 0; i < length && host == kNone<Vertex>; ++i) {
      const Vertex neighbor = lists[v * length + (start + i) % length];
      if (neighbor != kNone<Vertex> && hosts.can_give(neighbor)) host = neighbor;
    }
    if (host != kNone<Vertex>) atomicMin(&asked[host], static_cast<Vertex>(v));
  }
}

/// A free place, else the last one that has not been given before.
__global__ void __launch_bounds__(kThreads) link_kernel(View<const Vertex> asked, int degree, View<Vertex> rows,
                                                        View<std::uint32_t> given, View<std::uint32_t> linked) {
  for (const std::int64_t v : grid::strided(asked.size())) {
    if (asked[v] == kNone<Vertex>) continue;
    const View<Vertex> row = rows.subview(v * degree, degree);
    int place = 0;
    while (place < degree && row[place] != kNone<Vertex>) ++place;
    if (place == degree) {
      place = degree - 1 - static_cast<int>(given[v]);
      ++given[v];
    }
    row[place] = asked[v];
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
        given_(count_, stream),
        asked_(count_, stream),
        frontier_(count_, stream),
        next_(count_, stream),
        counter_(1, stream) {
    given_.fill(0, stream);
  }

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
  std::int64_t link(View<const Vertex> lists, int length, bool anywhere, std::uint64_t round) {
    asked_.fill_bytes(0xff, *stream_);
    counter_.fill(0, *stream_);
    const Hosts hosts{std::as_const(reached_).view(), std::as_const(given_).view(), degree_};
    const Grid grid = grid_for(count_, kThreads, kMaxBlocks);
    launch(ask_kernel, grid, *stream_, lists, length, anywhere, round, hosts, asked_.view());
    launch(link_kernel, grid, *stream_, std::as_const(asked_).view(), degree_, rows_->view(), given_.view(),
           counter_.view());
    return read_counter();
  }

 private:
  [[nodiscard]] std::int64_t read_counter() { return counter_.to_vector(*stream_).front(); }

  Buffer<Vertex>* rows_;
  int degree_;
  std::int64_t count_;
  Stream* stream_;
  Buffer<std::uint32_t> reached_;
  Buffer<std::uint32_t> given_;
  Buffer<Vertex> asked_;  ///< for each vertex the one that gets a place in its row
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

std::int64_t connect_bytes(std::int64_t vertices) {
  constexpr std::int64_t kArrays = 5;  // of a Connector
  return (kArrays * vertices + 1) * static_cast<std::int64_t>(sizeof(Vertex));
}

}  // namespace warpbench::nearest_neighbors
