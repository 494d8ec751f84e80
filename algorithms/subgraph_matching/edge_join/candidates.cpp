#include "algorithms/subgraph_matching/edge_join/candidates.hpp"

#include <algorithm>

#include "device/primitives.hpp"

namespace warpbench::matching::edge_join {

CandidateSets::CandidateSets(std::int64_t query_vertices, std::int64_t data_vertices, Stream& stream)
    : stream_(stream),
      vertices_(data_vertices),
      flags_(query_vertices * data_vertices, stream),
      all_(data_vertices, stream),
      lists_(static_cast<std::size_t>(query_vertices)) {
  flags_.fill(0, stream_);
  iota(all_.view(), stream_);
}

void CandidateSets::update_list(Vertex u) {
  Buffer<std::int64_t> count(1, stream_);
  reduce_sum(View<const std::uint8_t>(flags(u)), count.view(), stream_);
  Buffer<Vertex>& list = lists_[u];
  list.reset();
  list = Buffer<Vertex>(count.to_vector(stream_)[0], stream_);
  select_flagged(all_.view(), View<const std::uint8_t>(flags(u)), list.view(), count.view(), stream_);
}

void CandidateSets::update_lists() {
  for (std::size_t u = 0; u < lists_.size(); ++u) update_list(static_cast<Vertex>(u));
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
