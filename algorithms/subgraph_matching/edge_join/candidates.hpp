// CandidateSets: C(u) of all query vertices on the device, as a flag for each data vertex and as lists.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "device/buffer.hpp"
#include "problems/subgraph_matching/graph.hpp"

namespace warpbench::matching::edge_join {

/// A list whose length the device alone knows.
struct CandidateList {
  View<const Vertex> places;
  View<const std::int64_t> size;

  /// On the device.
  WARPBENCH_HOST_DEVICE View<const Vertex> vertices() const { return places.first(size[0]); }
};

class CandidateSets {
 public:
  /// All empty. `read_back` is pinned and has a place for each query vertex.
  CandidateSets(std::int64_t query_vertices, std::int64_t data_vertices, std::span<std::int64_t> read_back,
                Stream& stream);

  /// A flag a data vertex: 1 where it is in C(u).
  [[nodiscard]] View<std::uint8_t> flags(Vertex u) { return flags_.view().subview(u * vertices_, vertices_); }
  void set_flags(Vertex u, View<const std::uint8_t> flags) { flags_.copy_from(flags, stream_, u * vertices_); }
  /// What the flags say of C(u), as a list, without waiting: the host knows only that there are at most `max`. One
  /// memory holds all drafts: the next one replaces it, in stream order.
  [[nodiscard]] CandidateList draft(Vertex u, std::int64_t max);
  /// Brings all lists to what the flags say. Ends drafts, whose memory it frees. Waits for the stream, once.
  void update_lists();
  /// As of the last update, ascending.
  [[nodiscard]] View<const Vertex> list(Vertex u) const { return lists_[u].view(); }
  [[nodiscard]] std::int64_t size(Vertex u) const { return lists_[u].size(); }

  /// The query vertex with the fewest candidates.
  [[nodiscard]] Vertex smallest() const;
  /// |C(u)| of each query vertex.
  [[nodiscard]] std::vector<std::int64_t> sizes() const;

 private:
  /// The list of C(u), and its size, to where there is room for it.
  void select(Vertex u, View<Vertex> list);

  Stream& stream_;
  std::int64_t vertices_;
  std::span<std::int64_t> read_back_;
  Buffer<std::uint8_t> flags_;
  Buffer<Vertex> all_;  ///< 0, 1, …: a list is selected from them
  Buffer<Vertex> draft_;
  std::vector<Buffer<Vertex>> lists_;
  Buffer<std::int64_t> sizes_;  ///< of the lists
};

}  // namespace warpbench::matching::edge_join
