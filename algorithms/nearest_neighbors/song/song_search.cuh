// SONG as the document describes it (yu2023 §4.2.1, §1.1.2): three stages an iteration. Candidate locating and the
// maintenance of the data structures are done by one thread, distances by all. Data structures: a bounded priority
// queue of candidates, the nearest so far, and an open-addressing hash table of visited vertices. It has the
// optimisations that the document names: bounded queues, selected insertion (a vertex that cannot enter the queue is
// not marked) and visited deletion (a vertex that leaves both queues is unmarked). So the table stays as small as the
// queues.
#pragma once

#include "algorithms/nearest_neighbors/graph_search/bulk_distances.cuh"

namespace warpbench::nearest_neighbors {

/// A binary heap of keys in shared memory with the greatest on top. One thread.
struct MaxHeap {
  Key* keys;
  int size = 0;

  __device__ Key top() const { return keys[0]; }
  __device__ void push(Key key) {
    int at = size++;
    while (at > 0 && keys[(at - 1) / 2] < key) {
      keys[at] = keys[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    keys[at] = key;
  }
  __device__ void pop() { place(0, keys[--size]); }
  /// The top makes room for `key`.
  __device__ void replace_top(Key key) { place(0, key); }

 private:
  __device__ void place(int at, Key key) {
    for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && keys[child] < keys[child + 1]) ++child;
      if (keys[child] <= key) break;
      keys[at] = keys[child];
      at = child;
    }
    keys[at] = key;
  }
};

/// The bounded queue of candidates: a ring of keys kept ascending, so that both ends are at hand: the nearest is taken,
/// the farthest dropped. Insertion moves the farther keys. One thread.
struct BoundedQueue {
  Key* keys;  ///< `capacity` places, a power of two
  int capacity;
  int first = 0;
  int size = 0;

  __device__ Key& at(int i) const { return keys[(first + i) & (capacity - 1)]; }
  __device__ Key take() {
    const Key key = at(0);
    first = (first + 1) & (capacity - 1);
    --size;
    return key;
  }
  __device__ Key last() const { return at(size - 1); }
  __device__ void insert(Key key) {
    int i = size++;
    for (; i > 0 && at(i - 1) > key; --i) at(i) = at(i - 1);
    at(i) = key;
  }
};

/// Open addressing with linear probing and deletion by moving back, so that no marks of deleted entries pile up. One
/// thread.
struct VisitedTable {
  Vertex* places;      ///< kNone: free
  std::uint32_t mask;  ///< places - 1, their number a power of two

  __device__ bool holds(Vertex vertex) const {
    for (std::uint32_t i = home_in_table(vertex, mask);; i = (i + 1) & mask) {
      if (places[i] == vertex) return true;
      if (places[i] == kNone<Vertex>) return false;
    }
  }
  __device__ void insert(Vertex vertex) {
    std::uint32_t i = home_in_table(vertex, mask);
    while (places[i] != kNone<Vertex>) i = (i + 1) & mask;
    places[i] = vertex;
  }
  __device__ void erase(Vertex vertex) {
    std::uint32_t hole = home_in_table(vertex, mask);
    while (places[hole] != vertex) hole = (hole + 1) & mask;
    for (std::uint32_t i = (hole + 1) & mask; places[i] != kNone<Vertex>; i = (i + 1) & mask) {
      // May the entry at i stand in the hole? Only if its home is not after the hole.
      if (((i - home_in_table(places[i], mask)) & mask) >= ((i - hole) & mask)) {
        places[hole] = places[i];
        hole = i;
      }
    }
    places[hole] = kNone<Vertex>;
  }
};

/// A search by kLanes threads of points of kStride coordinates; 0: of any number of them.
template <int kLanes, int kStride>
class SongSearch : public DocumentSearch<kLanes> {
 public:
  using typename DocumentSearch<kLanes>::Team;

  /// Candidates, nearest so far, T, the query, and a table at most half full: shape.visited >= 4 × candidates.
  WARPBENCH_HOST_DEVICE static std::size_t shared_bytes(const SearchShape& shape) {
    return static_cast<std::size_t>(2 * shape.candidates + shape.list) * sizeof(Key) +
           static_cast<std::size_t>(shape.stride + shape.visited) * sizeof(float);
  }

  __device__ SongSearch(const SearchShape& shape, unsigned char* memory)
      : shape_(shape),
        queue_{reinterpret_cast<Key*>(memory), shape.candidates},
        nearest_{queue_.keys + shape.candidates},
        t_(nearest_.keys + shape.candidates),
        query_(reinterpret_cast<float*>(t_ + shape.list)),
        visited_{reinterpret_cast<Vertex*>(query_ + shape.stride), static_cast<std::uint32_t>(shape.visited - 1)},
        bulk_(query_, shape.stride) {}

  __device__ float* query() const { return query_; }
  __device__ const Key* found() const { return nearest_.keys; }

  __device__ void run(const GraphView& graph, const Points<float>& points, SearchWork& work) {
    for (const int i : Team::strided(shape_.visited)) visited_.places[i] = kNone<Vertex>;
    queue_.first = queue_.size = nearest_.size = 0;
    bulk_.load_query();
    Team::sync();
    const Vertex start = descend<kLanes>(graph, points, query_, work);
    const float distance = bulk_.of_one(points, start);
    if (lane() == 0) {
      queue_.insert(make_key(distance, start));
      visited_.insert(start);
    }
    while (true) {
      int count = 0;
      if (lane() == 0) count = locate(graph);
      count = Team::first(count);
      Team::sync();
      if (count < 0) break;
      ++work.iterations;
      work.time_distances([&] { compute_distances(points, count); });
      work.distances += static_cast<std::uint32_t>(count);
      if (lane() == 0) maintain(count);
    }
    finish();
  }

 private:
  /// Stage 1: takes the nearest candidate; its unvisited out-neighbours go to T. Their number, or -1: the search is
  /// over.
  __device__ int locate(const GraphView& graph) {
    if (queue_.size == 0) return -1;
    const Key key = queue_.take();
    if (nearest_.size == shape_.candidates) {
      if (key > nearest_.top()) return -1;
      visited_.erase(vertex_of(nearest_.top()));  // visited deletion
      nearest_.replace_top(key);
    } else {
      nearest_.push(key);
    }
    const View<const Vertex> row = graph.row(0, vertex_of(key));
    int count = 0;
    for (int i = 0; i < graph.degree && row[i] != kNone<Vertex>; ++i) {
      if (!visited_.holds(row[i])) t_[count++] = row[i];
    }
    return count;
  }

  /// Stage 2: distances of T's vertices, by all lanes.
  __device__ void compute_distances(const Points<float>& points, int count) {
    for (const auto [i, inside] : Team::rounds(count)) {
      const Vertex vertex = inside ? static_cast<Vertex>(t_[i]) : kNone<Vertex>;
      const float distance = bulk_.of(points, vertex, Team::ballot(inside));
      if (inside) t_[i] = make_key(distance, vertex);
    }
    Team::sync();
  }

  /// Stage 3: keys that may still become a result enter the queue.
  __device__ void maintain(int count) {
    for (int i = 0; i < count; ++i) {
      const Key key = t_[i];
      if (nearest_.size == shape_.candidates && key >= nearest_.top()) continue;  // selected insertion
      if (queue_.size == shape_.candidates) {
        if (key >= queue_.last()) continue;  // bounded queue
        visited_.erase(vertex_of(queue_.last()));
        --queue_.size;
      }
      queue_.insert(key);
      visited_.insert(vertex_of(key));
    }
  }

  /// The nearest so far, ascending.
  __device__ void finish() {
    const int size = Team::first(nearest_.size);
    for (const int i : Team::strided(shape_.candidates - size)) nearest_.keys[size + i] = kNone<Key>;
    Team::sync();
    Team::sort(nearest_.keys, shape_.candidates);
  }

  SearchShape shape_;
  BoundedQueue queue_;
  MaxHeap nearest_;
  Key* t_;
  float* query_;
  VisitedTable visited_;
  BulkDistances<kLanes, kStride> bulk_;
};

}  // namespace warpbench::nearest_neighbors
