#include "datasets/graphs/candidates.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "datasets/parallel.hpp"
#include "device/mix64.hpp"

namespace warpbench::datasets {
namespace {

constexpr std::size_t kGroups = 240;  // (512 - 32) / 2 bits
constexpr std::uint8_t kSeveral = 2;
constexpr std::size_t kGrain = 1 << 14;

/// How many of a vertex's pairs fall into each group, up to kSeveral.
using Groups = std::array<std::uint8_t, kGroups>;

/// Also returns the number of v's edges, parallel ones by themselves.
std::int64_t count_pairs(const LabelledGraph& graph, Vertex v, Groups& groups) {
  constexpr std::array<std::uint32_t, 1> kNoLabel{0};
  std::int64_t degree = 0;
  groups.fill(0);
  for (std::uint64_t slot = graph.graph.offsets[v]; slot < graph.graph.offsets[std::size_t{v} + 1]; ++slot) {
    const auto on_edge = graph.has_edge_labels() ? graph.slot_labels(slot) : std::span<const std::uint32_t>(kNoLabel);
    degree += static_cast<std::int64_t>(on_edge.size());
    for (const std::uint32_t label : graph.labels(graph.graph.neighbors[slot])) {
      for (const std::uint32_t edge_label : on_edge) {
        std::uint8_t& count = groups[mix64(std::uint64_t{edge_label} << 32U | label) % kGroups];
        if (count < kSeveral) ++count;
      }
    }
  }
  return degree;
}

/// What a query vertex asks of its candidates.
struct Demand {
  std::size_t vertex;
  std::span<const std::uint32_t> labels;
  std::int64_t degree;
  std::vector<std::pair<std::size_t, std::uint8_t>> groups;  // those that are not empty
};

/// The query vertices by their first label.
std::unordered_map<std::uint32_t, std::vector<Demand>> demands_of(const LabelledGraph& queries) {
  std::unordered_map<std::uint32_t, std::vector<Demand>> demands;
  Groups groups{};
  for (std::size_t u = 0; u < static_cast<std::size_t>(queries.vertices()); ++u) {
    const std::int64_t degree = count_pairs(queries, static_cast<Vertex>(u), groups);
    Demand demand{u, queries.labels(static_cast<Vertex>(u)), degree, {}};
    for (std::size_t group = 0; group < kGroups; ++group) {
      if (groups[group] != 0) demand.groups.emplace_back(group, groups[group]);
    }
    demands[demand.labels.front()].push_back(std::move(demand));
  }
  return demands;
}

bool holds(const Groups& groups, const Demand& demand) {
  return std::ranges::all_of(demand.groups, [&](const auto& need) { return groups[need.first] >= need.second; });
}

}  // namespace

CandidateCounts count_candidates(const GraphQueries& graphs, int threads) {
  const auto demands = demands_of(graphs.queries);
  const auto vertices = static_cast<std::size_t>(graphs.queries.vertices());
  CandidateCounts total{std::vector<std::int64_t>(vertices, 0), std::vector<std::int64_t>(vertices, 0)};
  std::mutex adding;
  for_chunks(static_cast<std::size_t>(graphs.data.vertices()), kGrain, threads,
             [&](std::size_t begin, std::size_t end, std::size_t) {
               CandidateCounts here{std::vector<std::int64_t>(vertices, 0), std::vector<std::int64_t>(vertices, 0)};
               Groups groups{};
               for (std::size_t v = begin; v < end; ++v) {
                 const auto labels = graphs.data.labels(static_cast<Vertex>(v));
                 std::optional<std::int64_t> degree;  // once the vertex's pairs are counted
                 for (const std::uint32_t label : labels) {
                   const auto asked = demands.find(label);
                   if (asked == demands.end()) continue;
                   if (!degree) degree = count_pairs(graphs.data, static_cast<Vertex>(v), groups);
                   for (const Demand& demand : asked->second) {
                     if (!std::ranges::includes(labels, demand.labels)) continue;
                     here.by_degree[demand.vertex] += *degree >= demand.degree ? 1 : 0;
                     here.by_signature[demand.vertex] += holds(groups, demand) ? 1 : 0;
                   }
                 }
               }
               const std::scoped_lock lock(adding);
               std::ranges::transform(total.by_degree, here.by_degree, total.by_degree.begin(), std::plus{});
               std::ranges::transform(total.by_signature, here.by_signature, total.by_signature.begin(), std::plus{});
             });
  return total;
}

double mean_of_smallest(const GraphQueries& graphs, const std::vector<std::int64_t>& counts) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(graphs.count()); ++i) {
    const auto first = counts.begin() + static_cast<std::ptrdiff_t>(graphs.query_offsets[i]);
    const auto last = counts.begin() + static_cast<std::ptrdiff_t>(graphs.query_offsets[i + 1]);
    sum += *std::min_element(first, last);
  }
  return static_cast<double>(sum) / static_cast<double>(graphs.count());
}

}  // namespace warpbench::datasets
