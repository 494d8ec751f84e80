#include "datasets/transforms/relabel.hpp"

#include <algorithm>
#include <numeric>

#include "datasets/generators/random.hpp"
#include "datasets/parallel.hpp"
#include "device/integers.hpp"

namespace warpbench::datasets {
namespace {

std::vector<std::uint32_t> inverse(std::span<const std::uint32_t> old_of_new, std::size_t vertices) {
  std::vector<std::uint32_t> new_of_old(vertices, kNone<Vertex>);
  for (std::size_t i = 0; i < old_of_new.size(); ++i) new_of_old[old_of_new[i]] = static_cast<std::uint32_t>(i);
  return new_of_old;
}

std::vector<std::uint32_t> vertices_where(const Csr& graph, auto&& predicate) {
  std::vector<std::uint32_t> chosen;
  for (std::int64_t v = 0; v < graph.vertices(); ++v) {
    if (predicate(static_cast<Vertex>(v))) chosen.push_back(static_cast<Vertex>(v));
  }
  return chosen;
}

/// The labels of the vertices or slots `old_of_new`, in that order.
void take_labels(const Array<std::uint32_t>& labels, const Array<std::uint64_t>& offsets, const auto& old_of_new,
                 Array<std::uint32_t>& taken, Array<std::uint64_t>& taken_offsets) {
  std::vector<std::uint32_t> values;
  if (offsets.empty()) {
    for (const auto old : old_of_new) values.push_back(labels[old]);
  } else {
    std::vector<std::uint64_t> ends{0};
    for (const auto old : old_of_new) {
      values.insert(values.end(), labels.begin() + offsets[old], labels.begin() + offsets[old + 1]);
      ends.push_back(values.size());
    }
    taken_offsets = std::move(ends);
  }
  taken = std::move(values);
}

}  // namespace

Relabelled relabel(const Csr& graph, std::vector<std::uint32_t> old_of_new, int threads) {
  const auto new_of_old = inverse(old_of_new, static_cast<std::size_t>(graph.vertices()));
  const std::size_t n = old_of_new.size();
  std::vector<std::uint64_t> offsets(n + 1, 0);
  for_chunks(n, kRowGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v) {
      const auto row = graph.row(old_of_new[v]);
      offsets[v + 1] = static_cast<std::uint64_t>(
          std::count_if(row.begin(), row.end(), [&](std::uint32_t u) { return new_of_old[u] != kNone<Vertex>; }));
    }
  });
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<std::uint32_t> neighbors(offsets.back());
  for_chunks(n, kRowGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v) {
      auto at = neighbors.begin() + static_cast<std::ptrdiff_t>(offsets[v]);
      const auto first = at;
      for (const std::uint32_t u : graph.row(old_of_new[v])) {
        if (new_of_old[u] != kNone<Vertex>) *at++ = new_of_old[u];
      }
      std::sort(first, at);
    }
  });
  return {{std::move(offsets), std::move(neighbors)}, std::move(old_of_new)};
}

RelabelledGraph relabel(const LabelledGraph& graph, std::vector<std::uint32_t> old_of_new, int threads) {
  // No structured binding: with OpenMP, clang 16 does not let a lambda capture one.
  Relabelled relabelled = relabel(graph.graph, std::move(old_of_new), threads);
  Csr& csr = relabelled.graph;
  auto& order = relabelled.old_of_new;
  // For each slot of the new graph, its slot in the old one.
  std::vector<std::uint64_t> old_slots(graph.has_edge_labels() ? csr.neighbors.size() : 0);
  for_chunks(
      old_slots.empty() ? 0 : order.size(), kRowGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t v = begin; v < end; ++v) {
          const auto old_row = graph.graph.row(order[v]);
          for (std::uint64_t slot = csr.offsets[v]; slot < csr.offsets[v + 1]; ++slot) {
            const auto found = std::lower_bound(old_row.begin(), old_row.end(), order[csr.neighbors[slot]]);
            old_slots[slot] = graph.graph.first_slot(order[v]) + static_cast<std::uint64_t>(found - old_row.begin());
          }
        }
      });
  LabelledGraph labelled;
  take_labels(graph.vertex_labels, graph.vertex_label_offsets, order, labelled.vertex_labels,
              labelled.vertex_label_offsets);
  take_labels(graph.edge_labels, graph.edge_label_offsets, old_slots, labelled.edge_labels,
              labelled.edge_label_offsets);
  labelled.graph = std::move(csr);
  return {std::move(labelled), std::move(order)};
}

std::vector<std::uint32_t> degree_descending_order(const Csr& graph) {
  std::vector<std::uint32_t> order(static_cast<std::size_t>(graph.vertices()));
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&graph](Vertex u, Vertex v) { return graph.degree(u) > graph.degree(v); });
  return order;
}

std::vector<std::uint32_t> random_order(std::int64_t vertices, std::uint64_t seed) {
  std::vector<std::uint32_t> order(static_cast<std::size_t>(vertices));
  const Permutation permutation(order.size(), seed, 77);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(permutation(i));
  return order;
}

std::vector<std::uint32_t> largest_component(const Csr& graph) {
  std::vector<std::uint32_t> component(static_cast<std::size_t>(graph.vertices()), kNone<Vertex>);
  std::vector<std::uint32_t> queue;
  std::size_t largest = 0;
  std::uint32_t largest_name = kNone<Vertex>;
  for (std::size_t start = 0; start < component.size(); ++start) {
    if (component[start] != kNone<Vertex>) continue;
    const auto name = static_cast<std::uint32_t>(start);
    queue.assign(1, name);
    component[start] = name;
    for (std::size_t at = 0; at < queue.size(); ++at) {
      for (const Vertex u : graph.row(queue[at])) {
        if (component[u] == kNone<Vertex>) {
          component[u] = name;
          queue.push_back(u);
        }
      }
    }
    if (queue.size() > largest) {
      largest = queue.size();
      largest_name = name;
    }
  }
  return vertices_where(graph, [&](Vertex v) { return component[v] == largest_name; });
}

std::vector<std::uint32_t> connected_vertices(const Csr& graph) {
  return vertices_where(graph, [&](Vertex v) { return graph.degree(v) > 0; });
}

}  // namespace warpbench::datasets
