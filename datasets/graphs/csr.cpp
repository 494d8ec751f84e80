#include "datasets/graphs/csr.hpp"

#include <algorithm>
#include <atomic>
#include <string>

#include "datasets/graphs/edge_offsets.hpp"
#include "datasets/input_error.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

/// Puts both directions of every edge into their rows. The order depends on the threads until the rows are sorted.
std::vector<std::uint32_t> scatter(std::span<const Edge> edges, const std::vector<std::uint64_t>& offsets,
                                   int threads) {
  std::vector<std::uint32_t> slots(offsets.back());
  std::vector<std::uint64_t> cursors(offsets.begin(), offsets.end() - 1);
  for_chunks(edges.size(), kEdgeGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto [u, v] = edges[i];
      if (u == v) continue;
      slots[std::atomic_ref(cursors[u]).fetch_add(1, std::memory_order_relaxed)] = v;
      slots[std::atomic_ref(cursors[v]).fetch_add(1, std::memory_order_relaxed)] = u;
    }
  });
  return slots;
}

/// Sorts each row and moves its unique values to the row's front; unique[v + 1] becomes their number.
void sort_rows(const std::vector<std::uint64_t>& offsets, std::vector<std::uint32_t>& slots,
               std::vector<std::uint64_t>& unique, int threads) {
  for_chunks(offsets.size() - 1, kRowGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v) {
      const auto first = slots.begin() + static_cast<std::ptrdiff_t>(offsets[v]);
      const auto last = slots.begin() + static_cast<std::ptrdiff_t>(offsets[v + 1]);
      std::sort(first, last);
      unique[v + 1] = static_cast<std::uint64_t>(std::unique(first, last) - first);
    }
  });
}

}  // namespace

Csr build_csr(std::span<const Edge> edges, std::int64_t vertices, int threads, EdgeCounts* counts) {
  if (vertices < 0 || static_cast<std::uint64_t>(vertices) > kMaxVertex + 1) {
    throw InputError("edge list", 0, "0 to " + std::to_string(kMaxVertex + 1) + " vertices", std::to_string(vertices));
  }
  const auto n = static_cast<std::size_t>(vertices);
  EdgeCounts found;
  std::vector<std::uint64_t> offsets = edge_offsets(edges, n, threads, found.self_loops_dropped);
  std::vector<std::uint32_t> slots = scatter(edges, offsets, threads);
  std::vector<std::uint64_t> unique(n + 1, 0);
  sort_rows(offsets, slots, unique, threads);
  for (std::size_t v = 0; v < n; ++v) unique[v + 1] += unique[v];

  found.duplicates_merged = static_cast<std::int64_t>((offsets.back() - unique.back()) / 2);
  if (counts != nullptr) *counts = found;
  if (found.duplicates_merged == 0) return {std::move(offsets), std::move(slots)};

  std::vector<std::uint32_t> packed(unique.back());
  for_chunks(n, kRowGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v) {
      std::copy_n(slots.begin() + static_cast<std::ptrdiff_t>(offsets[v]), unique[v + 1] - unique[v],
                  packed.begin() + static_cast<std::ptrdiff_t>(unique[v]));
    }
  });
  return {std::move(unique), std::move(packed)};
}

bool Csr::has_edge(Vertex u, Vertex v) const noexcept {
  const auto neighbors_of_u = row(u);
  return std::binary_search(neighbors_of_u.begin(), neighbors_of_u.end(), v);
}

std::int64_t Csr::max_degree() const noexcept {
  std::int64_t largest = 0;
  for (std::int64_t v = 0; v < vertices(); ++v) {
    largest = std::max(largest, degree(static_cast<Vertex>(v)));
  }
  return largest;
}

DegreeStatistics Csr::degree_statistics() const {
  DegreeStatistics result;
  if (vertices() == 0) return result;
  std::vector<std::int64_t> degrees(static_cast<std::size_t>(vertices()));
  for (std::size_t v = 0; v < degrees.size(); ++v) degrees[v] = degree(static_cast<Vertex>(v));
  const auto middle = degrees.begin() + static_cast<std::ptrdiff_t>((degrees.size() - 1) / 2);
  std::nth_element(degrees.begin(), middle, degrees.end());
  result.median = *middle;
  const auto [least, most] = std::minmax_element(degrees.begin(), degrees.end());
  result.minimum = *least;
  result.maximum = *most;
  result.isolated = std::count(degrees.begin(), degrees.end(), 0);
  result.average = static_cast<double>(slots()) / static_cast<double>(vertices());
  return result;
}

double Csr::skewed_share(double threshold) const noexcept {
  if (neighbors.empty()) return 0.0;
  std::int64_t skewed = 0;
  for (std::int64_t u = 0; u < vertices(); ++u) {
    const auto limit = threshold * static_cast<double>(degree(static_cast<Vertex>(u)));
    for (const Vertex v : row(static_cast<Vertex>(u))) {
      if (static_cast<double>(degree(v)) > limit) ++skewed;  // counts the edge once, from the end of smaller degree
    }
  }
  return static_cast<double>(skewed) / static_cast<double>(edges());
}

void Csr::validate() const {
  const auto fail = [](const std::string& expected, const std::string& found) {
    throw InputError("csr", 0, expected, found);
  };
  if (offsets.empty() || offsets.front() != 0) fail("offsets that start with 0", "none or another");
  if (offsets.back() != neighbors.size()) {
    fail("a last offset equal to the slots, " + std::to_string(neighbors.size()), std::to_string(offsets.back()));
  }
  const auto n = static_cast<std::uint64_t>(vertices());
  for (std::uint64_t v = 0; v < n; ++v) {  // check all offsets before reading any row
    if (offsets[v + 1] < offsets[v] || offsets[v + 1] > neighbors.size()) {
      fail("rising offsets", "a fall after vertex " + std::to_string(v));
    }
  }
  for (std::uint64_t v = 0; v < n; ++v) {
    const auto values = row(static_cast<Vertex>(v));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto where = [&] { return std::to_string(values[i]) + " in the row of " + std::to_string(v); };
      if (values[i] >= n) fail("neighbors below " + std::to_string(n), where());
      if (values[i] == v) fail("no self-loops", where());
      if (i > 0 && values[i - 1] >= values[i]) fail("rows sorted without duplicates", where());
    }
  }
  for (std::uint64_t v = 0; v < n; ++v) {
    for (const Vertex u : row(static_cast<Vertex>(v))) {
      if (!has_edge(u, static_cast<Vertex>(v))) {
        fail("a symmetric graph", std::to_string(v) + " -> " + std::to_string(u) + " without its reverse");
      }
    }
  }
}

Properties Csr::describe() const {
  const double average = vertices() == 0 ? 0.0 : static_cast<double>(slots()) / static_cast<double>(vertices());
  return {{"vertices", vertices()},
          {"edges", edges()},
          {"average_degree", average},
          {"max_degree", max_degree()},
          {"skewed_share", skewed_share()}};
}

}  // namespace warpbench::datasets
