#include "datasets/graphs/labelled_edges.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "datasets/graphs/edge_offsets.hpp"
#include "datasets/input_error.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

/// A neighbour and the label of the edge to it, ordered by neighbour, then label.
using Slot = std::uint64_t;

constexpr Slot slot_of(Vertex neighbor, std::uint32_t label) noexcept {
  return (Slot{neighbor} << 32U) | label;
}
constexpr Vertex neighbor_of(Slot slot) noexcept {
  return static_cast<Vertex>(slot >> 32U);
}

/// Puts both directions of every edge into their rows. The order depends on the threads until the rows are sorted.
std::vector<Slot> scatter(std::span<const LabelledEdge> edges, const std::vector<std::uint64_t>& offsets, int threads) {
  std::vector<Slot> slots(offsets.back());
  std::vector<std::uint64_t> cursors(offsets.begin(), offsets.end() - 1);
  for_chunks(edges.size(), kEdgeGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto [u, v, label] = edges[i];
      if (u == v) continue;
      slots[std::atomic_ref(cursors[u]).fetch_add(1, std::memory_order_relaxed)] = slot_of(v, label);
      slots[std::atomic_ref(cursors[v]).fetch_add(1, std::memory_order_relaxed)] = slot_of(u, label);
    }
  });
  return slots;
}

/// Rows sorted, with unique slots at the front, and where each row's labels and neighbours begin in the result.
struct RowOffsets {
  std::vector<std::uint64_t> labels;     // vertices + 1
  std::vector<std::uint64_t> neighbors;  // vertices + 1
};

RowOffsets sort_rows(const std::vector<std::uint64_t>& offsets, std::vector<Slot>& slots, int threads) {
  RowOffsets rows{std::vector<std::uint64_t>(offsets.size(), 0), std::vector<std::uint64_t>(offsets.size(), 0)};
  for_chunks(offsets.size() - 1, kRowGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v) {
      const auto first = slots.begin() + static_cast<std::ptrdiff_t>(offsets[v]);
      auto last = slots.begin() + static_cast<std::ptrdiff_t>(offsets[v + 1]);
      std::sort(first, last);
      last = std::unique(first, last);
      rows.labels[v + 1] = static_cast<std::uint64_t>(last - first);
      std::uint64_t neighbors = 0;
      for (auto at = first; at != last; ++at) {
        if (at == first || neighbor_of(*at) != neighbor_of(*(at - 1))) ++neighbors;
      }
      rows.neighbors[v + 1] = neighbors;
    }
  });
  std::partial_sum(rows.labels.begin(), rows.labels.end(), rows.labels.begin());
  std::partial_sum(rows.neighbors.begin(), rows.neighbors.end(), rows.neighbors.begin());
  return rows;
}

/// Splits the sorted rows into neighbours, labels and, if edges have several labels, the labels' offsets.
LabelledGraph assemble(const std::vector<std::uint64_t>& offsets, const std::vector<Slot>& slots, RowOffsets&& rows,
                       int threads) {
  const bool several = rows.labels.back() != rows.neighbors.back();
  std::vector<std::uint32_t> neighbors(rows.neighbors.back());
  std::vector<std::uint32_t> labels(rows.labels.back());
  std::vector<std::uint64_t> label_offsets(several ? neighbors.size() + 1 : 0);
  for_chunks(offsets.size() - 1, kRowGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v) {
      std::uint64_t neighbor = rows.neighbors[v];
      std::uint64_t from = offsets[v];
      for (std::uint64_t at = rows.labels[v]; at < rows.labels[v + 1]; ++at, ++from) {
        if (at == rows.labels[v] || neighbor_of(slots[from]) != neighbor_of(slots[from - 1])) {
          if (several) label_offsets[neighbor] = at;
          neighbors[neighbor++] = neighbor_of(slots[from]);
        }
        labels[at] = static_cast<std::uint32_t>(slots[from]);
      }
    }
  });
  if (several) label_offsets.back() = labels.size();
  LabelledGraph graph;
  graph.graph = {std::move(rows.neighbors), std::move(neighbors)};
  graph.edge_labels = std::move(labels);
  graph.edge_label_offsets = std::move(label_offsets);
  return graph;
}

}  // namespace

LabelledGraph build_labelled_graph(std::span<const LabelledEdge> edges, std::int64_t vertices, int threads,
                                   EdgeCounts* counts) {
  if (vertices < 0 || static_cast<std::uint64_t>(vertices) > kMaxVertex + 1) {
    throw InputError("edge list", 0, "0 to " + std::to_string(kMaxVertex + 1) + " vertices", std::to_string(vertices));
  }
  EdgeCounts found;
  const auto offsets = edge_offsets(edges, static_cast<std::size_t>(vertices), threads, found.self_loops_dropped);
  std::vector<Slot> slots = scatter(edges, offsets, threads);
  RowOffsets rows = sort_rows(offsets, slots, threads);
  found.duplicates_merged = static_cast<std::int64_t>((offsets.back() - rows.labels.back()) / 2);
  if (counts != nullptr) *counts = found;
  return assemble(offsets, slots, std::move(rows), threads);
}

}  // namespace warpbench::datasets
