#include "problems/common_neighbors/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "problems/first_failure.hpp"

namespace warpbench {
namespace {

using datasets::Csr;
using datasets::Vertex;

/// Counts the edges of u to vertices of a lower degree; of its own degree, to those of smaller ids. All of `marked` is
/// false before and after.
void count_from_longer_rows(const Csr& graph, Vertex u, std::vector<bool>& marked, std::vector<std::uint32_t>& counts) {
  const std::span<const Vertex> row = graph.row(u);
  for (const Vertex w : row) marked[w] = true;
  std::uint64_t slot = graph.first_slot(u);
  for (const Vertex v : row) {
    const std::span<const Vertex> shorter = graph.row(v);
    if (std::pair(shorter.size(), v) < std::pair(row.size(), u)) {
      const auto back = static_cast<std::uint64_t>(std::ranges::lower_bound(shorter, u) - shorter.begin());
      const auto count =
          static_cast<std::uint32_t>(std::ranges::count_if(shorter, [&](Vertex w) { return marked[w]; }));
      counts[slot] = count;
      counts[graph.first_slot(v) + back] = count;
    }
    ++slot;
  }
  for (const Vertex w : row) marked[w] = false;
}

/// The vertex in whose row `slot` lies.
Vertex owner_of(const Csr& graph, std::uint64_t slot) {
  const std::span<const std::uint64_t> offsets = graph.offsets.span();
  return static_cast<Vertex>(std::ranges::upper_bound(offsets, slot) - offsets.begin() - 1);
}

double total(std::span<const std::uint32_t> counts) {
  const auto size = static_cast<std::int64_t>(counts.size());
  std::uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::int64_t slot = 0; slot < size; ++slot) sum += counts[static_cast<std::size_t>(slot)];
  return static_cast<double>(sum);
}

}  // namespace

ProblemInfo CommonNeighbors::info() {
  ProblemInfo info;
  info.id = "common_neighbors";
  info.title = "All-edge common neighbour counting";
  info.source = "che2019, 'Problem: All-Edge Common Neighbor Counting'";
  info.accepts = {datasets::Kind::Graph, datasets::Kind::LabelledGraph};
  info.work_unit = "edges";
  return info;
}

std::map<std::string, double> CommonNeighbors::Input::work() const {
  return {{"edges", static_cast<double>(graph->edges())}, {"slots", static_cast<double>(graph->slots())}};
}

std::uint64_t CommonNeighbors::Answer::digest() const {
  return digest_of_places(counts);
}

CommonNeighbors::Input CommonNeighbors::input(const datasets::Dataset& dataset, const Parameters& /*task*/) {
  return {.graph = &dataset.as<Csr>()};
}

CommonNeighbors::Reference CommonNeighbors::reference(const Input& input) {
  const Csr& graph = *input.graph;
  Reference counts(graph.neighbors.size());
  FirstFailure failure;
#pragma omp parallel
  {
    std::vector<bool> marked;
    failure.guard([&] { marked.resize(static_cast<std::size_t>(graph.vertices())); });
#pragma omp for schedule(dynamic, 16)
    for (std::int64_t vertex = 0; vertex < graph.vertices(); ++vertex) {
      failure.guard([&] { count_from_longer_rows(graph, static_cast<Vertex>(vertex), marked, counts); });
    }
  }
  failure.rethrow();
  return counts;
}

Judgement CommonNeighbors::judge(const Input& input, const Answer& answer, const Reference& reference) {
  if (answer.counts.size() != reference.size()) {
    return wrong(fmt::format("expected {} counts, one a slot, found {}", reference.size(), answer.counts.size()));
  }
  const auto [found, expected] = std::ranges::mismatch(answer.counts, reference);
  if (expected != reference.end()) {
    const auto slot = static_cast<std::uint64_t>(expected - reference.begin());
    return wrong(fmt::format("slot {}, edge ({}, {}): expected {} common neighbours, found {}", slot,
                             owner_of(*input.graph, slot), input.graph->neighbors[slot], *expected, *found));
  }
  Judgement judgement;
  judgement.verdict = Verdict::exact;
  judgement.metrics["total"] = total(answer.counts);
  return judgement;
}

CommonNeighbors::Reference CommonNeighbors::read_reference(const Input& input, ReferenceReader& stored) {
  const Csr& graph = *input.graph;
  Reference counts = stored.take<std::uint32_t>(graph.neighbors.size());
  for (std::size_t slot = 0; slot < counts.size(); ++slot) {
    // v itself is in N(u) and not in N(v): a count is below the degree.
    const Vertex v = graph.neighbors[slot];
    if (counts[slot] >= graph.degree(v)) {
      stored.refuse(fmt::format("slot {} holds {}, but vertex {} has only {} neighbours", slot, counts[slot], v,
                                graph.degree(v)));
    }
  }
  return counts;
}

WARPBENCH_PROBLEM(CommonNeighbors)

}  // namespace warpbench
