#include "algorithms/subgraph_matching/edge_join/candidates.hpp"

#include <algorithm>
#include <utility>

#include "device/primitives.hpp"

namespace warpbench::matching::edge_join {

CandidateSets::CandidateSets(std::int64_t query_vertices, std::int64_t data_vertices, std::span<std::int64_t> read_back,
                             Stream& stream)
    : stream_(stream),
      vertices_(data_vertices),
      read_back_(read_back.first(static_cast<std::size_t>(query_vertices))),
      flags_(query_vertices * data_vertices, stream),
      all_(data_vertices, stream),
      lists_(static_cast<std::size_t>(query_vertices)),
      sizes_(query_vertices, stream) {
  flags_.fill(0, stream_);
  iota(all_.view(), stream_);
}

CandidateList CandidateSets::draft(Vertex u, std::int64_t max) {
  const std::int64_t places = std::min(max, vertices_);
  if (draft_.size() < places) {
    draft_.reset();
    draft_ = Buffer<Vertex>(places, stream_);
  }
  select(u, draft_.view());
  return {draft_.view().first(places), sizes_.view().subview(u, 1)};
}

void CandidateSets::select(Vertex u, View<Vertex> list) {
  select_flagged(std::as_const(all_).view(), View<const std::uint8_t>(flags(u)), list, sizes_.view().subview(u, 1),
                 stream_);
}

void CandidateSets::update_lists() {
  draft_.reset();
  for (std::size_t u = 0; u < lists_.size(); ++u) {
    reduce_sum(View<const std::uint8_t>(flags(static_cast<Vertex>(u))),
               sizes_.view().subview(static_cast<std::int64_t>(u), 1), stream_);
  }
  sizes_.download(read_back_, stream_);
  stream_.synchronize();
  for (std::size_t u = 0; u < lists_.size(); ++u) {
    lists_[u].reset();
    lists_[u] = Buffer<Vertex>(read_back_[u], stream_);
    select(static_cast<Vertex>(u), lists_[u].view());
  }
}

Vertex CandidateSets::smallest() const {
  const auto smaller = [](const auto& a, const auto& b) { return a.size() < b.size(); };
  return static_cast<Vertex>(std::ranges::min_element(lists_, smaller) - lists_.begin());
}

std::vector<std::int64_t> CandidateSets::sizes() const {
  std::vector<std::int64_t> sizes;
  sizes.reserve(lists_.size());
  for (const Buffer<Vertex>& list : lists_) sizes.push_back(list.size());
  return sizes;
}

}  // namespace warpbench::matching::edge_join
