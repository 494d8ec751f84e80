#include "baselines/subgraph_matching/cbwj/plan.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <map>

namespace warpbench::matching {
namespace {

constexpr std::size_t kMostExhaustive = 10;  // query vertices
constexpr std::size_t kBeam = 5;
// What a match costs that is put into a hash table, and one that looks there, next to a vertex of a list that is read.
constexpr double kBuildCost = 4;
constexpr double kProbeCost = 2;

/// Query vertices, a bit each.
using Part = std::uint64_t;

Part bit(Vertex u) {
  return Part{1} << u;
}

template <typename Body>
void for_each_vertex(Part part, const Body& body) {
  for (; part != 0; part &= part - 1) body(static_cast<Vertex>(std::countr_zero(part)));
}

/// The best way found to match a part.
struct SubPlan {
  double cost = std::numeric_limits<double>::infinity();
  double matches = std::numeric_limits<double>::infinity();  // of the part, however it is matched
  Part probing = 0;                                          // the part that is extended, or probes; 0: a single vertex
  Part building = 0;                                         // the other of a hash join; 0: an extension
  std::vector<Vertex> order;                                 // in which its pipeline matches vertices
};

class Planner {
 public:
  Planner(const CbwjQuery& query, CbwjCatalogue& catalogue, const std::function<bool()>& alive)
      : query_(query),
        catalogue_(catalogue),
        alive_(alive),
        neighbors_(query.edges.size(), 0),
        patterns_(query.edges.size()) {
    for (std::size_t u = 0; u < neighbors_.size(); ++u) {
      for (const QueryEdge& edge : query.edges[u]) neighbors_[u] |= bit(edge.to);
    }
    for (std::size_t u = 0; u < neighbors_.size(); ++u) find_patterns(static_cast<Vertex>(u));
  }

  CbwjPlan plan(bool pipelined) {
    const std::size_t size = query_.edges.size();
    levels_.resize(size + 1);
    for (std::size_t u = 0; u < size; ++u) {
      const auto vertex = static_cast<Vertex>(u);
      SubPlan& own = plans_[bit(vertex)];
      own.matches = catalogue_.vertices(query_, vertex);
      own.cost = 0;
      own.order = {vertex};
      levels_[1].push_back(bit(vertex));
    }
    for (std::size_t k = 2; k <= size; ++k) {
      if (!alive_()) return {};  // the estimates may lack patterns
      extend_to(k);
      if (!pipelined) join_to(k);
      if (size > kMostExhaustive && k > 2) keep_best(k);
    }
    CbwjPlan result;
    const Part all = levels_[size][0];
    result.cost = plans_.at(all).cost;
    emit(all, {}, result);
    return result;
  }

 private:
  /// Small connected patterns from which an estimate of an extension by u may be taken: those of up to two vertices
  /// that have an edge to it, and those of three of which two have.
  struct Pattern {
    Part part;
    CbwjExtension extension;
  };

  void find_patterns(Vertex u) {
    const Part near = neighbors_[u];
    const auto add = [&](const std::vector<Vertex>& vertices, std::size_t joined) {
      Part part = 0;
      for (const Vertex w : vertices) part |= bit(w);
      if (static_cast<std::size_t>(std::popcount(part & near)) < joined) return;
      if (std::ranges::find(patterns_[u], part, &Pattern::part) != patterns_[u].end()) return;
      patterns_[u].push_back({part, catalogue_.extension(query_, vertices, u)});
    };
    for (Vertex a = 0; a < neighbors_.size(); ++a) {
      if (a == u || !alive_()) continue;
      add({a}, 1);
      for_each_vertex(neighbors_[a] & ~bit(u), [&](Vertex b) {
        if (a < b) add({a, b}, 1);
        if (neighbors_.size() > kMostExhaustive) return;  // there would be too many
        for_each_vertex((neighbors_[a] | neighbors_[b]) & ~(bit(u) | bit(a) | bit(b)), [&](Vertex c) {
          if (a < b) add({a, b, c}, 2);
        });
      });
    }
  }

  /// The least number of vertices that a pattern within the part leaves, and the mean lengths of the lists themselves.
  [[nodiscard]] CbwjExtension extension(Part part, Vertex u) const {
    CbwjExtension estimate{0, std::numeric_limits<double>::infinity()};
    for (const Pattern& pattern : patterns_[u]) {
      if ((pattern.part & ~part) != 0) continue;
      estimate.matches = std::min(estimate.matches, pattern.extension.matches);
      if (std::has_single_bit(pattern.part)) estimate.lists += pattern.extension.lists;
    }
    return estimate;
  }

  SubPlan& plan_of(Part part) {
    const auto [found, is_new] = plans_.try_emplace(part);
    if (is_new) levels_[static_cast<std::size_t>(std::popcount(part))].push_back(part);
    return found->second;
  }

  void extend_to(std::size_t k) {
    for (const Part part : levels_[k - 1]) {
      const SubPlan& before = plans_.at(part);
      for (Vertex u = 0; u < neighbors_.size(); ++u) {
        if ((part & bit(u)) != 0 || (part & neighbors_[u]) == 0) continue;
        const CbwjExtension estimate = extension(part, u);
        SubPlan& after = plan_of(part | bit(u));
        after.matches = std::min(after.matches, before.matches * estimate.matches);
        const double cost = before.cost + times_intersected(before, u) * estimate.lists;
        if (cost >= after.cost) continue;
        after.cost = cost;
        after.probing = part;
        after.building = 0;
        after.order = before.order;
        after.order.push_back(u);
      }
    }
  }

  /// An intersection is computed again only when an image that it depends on changes: as often as there are matches of
  /// the vertices up to the last of them.
  [[nodiscard]] double times_intersected(const SubPlan& before, Vertex u) const {
    double times = before.matches;
    Part prefix = 0;
    Part last = 0;
    for (const Vertex w : before.order) {
      prefix |= bit(w);
      if ((neighbors_[u] & bit(w)) != 0) last = prefix;
    }
    if (const auto found = plans_.find(last); found != plans_.end()) times = std::min(times, found->second.matches);
    return times;
  }

  /// Two parts that share a vertex and have every edge of their union in one of them.
  void join_to(std::size_t k) {
    for (std::size_t larger = 2; larger < k; ++larger) {
      for (std::size_t smaller = std::max<std::size_t>(2, k + 1 - larger); smaller <= larger; ++smaller) {
        for (const Part a : levels_[larger]) {
          for (const Part b : levels_[smaller]) {
            if (static_cast<std::size_t>(std::popcount(a | b)) == k && (a & b) != 0 && covered(a, b)) join(a, b);
          }
        }
      }
    }
  }

  [[nodiscard]] bool covered(Part a, Part b) const {
    bool all = true;
    for_each_vertex(a & ~b, [&](Vertex u) { all = all && (neighbors_[u] & b & ~a) == 0; });
    return all;
  }

  void join(Part a, Part b) {
    const auto together = plans_.find(a | b);
    if (together == plans_.end()) return;  // left out by the beam
    const Part building = plans_.at(a).matches < plans_.at(b).matches ? a : b;
    const Part probing = building == a ? b : a;
    const SubPlan& table = plans_.at(building);
    const SubPlan& stream = plans_.at(probing);
    const double cost = table.cost + stream.cost + kBuildCost * table.matches + kProbeCost * stream.matches;
    SubPlan& after = together->second;
    if (cost >= after.cost) return;
    after.cost = cost;
    after.probing = probing;
    after.building = building;
    after.order = stream.order;
    for_each_vertex(building & ~probing, [&](Vertex u) { after.order.push_back(u); });
  }

  void keep_best(std::size_t k) {
    std::vector<Part>& level = levels_[k];
    std::ranges::stable_sort(level, {}, [&](Part part) { return plans_.at(part).cost; });
    for (std::size_t i = kBeam; i < level.size(); ++i) plans_.erase(level[i]);
    level.resize(std::min(level.size(), kBeam));
  }

  /// Appends the pipelines of a part, whose matches go to a table by `key`; returns the number of the last.
  std::size_t emit(Part part, const std::vector<Vertex>& key, CbwjPlan& plan) const {
    std::vector<std::pair<const SubPlan*, Part>> steps;  // the last first
    Part first = part;
    for (const SubPlan* step = &plans_.at(part); step->probing != 0; step = &plans_.at(first)) {
      steps.emplace_back(step, step->building == 0 ? first & ~step->probing : 0);
      first = step->probing;
    }
    Pipeline pipeline{plans_.at(first).order[0], {}, plans_.at(part).order, key};
    Part matched = first;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      if (step->second == 0) {
        std::vector<Vertex> shared;
        for_each_vertex(matched & step->first->building, [&](Vertex u) { shared.push_back(u); });
        pipeline.steps.emplace_back(Probe{emit(step->first->building, shared, plan)});
        matched |= step->first->building;
        ++plan.joins;
        continue;
      }
      Extend extend{static_cast<Vertex>(std::countr_zero(step->second)), {}};
      for (const QueryEdge& edge : query_.edges[extend.u]) {
        if ((matched & bit(edge.to)) != 0) extend.lists.push_back(edge);
      }
      pipeline.steps.emplace_back(std::move(extend));
      matched |= step->second;
    }
    plan.pipelines.push_back(std::move(pipeline));
    return plan.pipelines.size() - 1;
  }

  const CbwjQuery& query_;
  CbwjCatalogue& catalogue_;
  const std::function<bool()>& alive_;
  std::vector<Part> neighbors_;                 // of each vertex
  std::vector<std::vector<Pattern>> patterns_;  // by the vertex that they are extended by
  std::map<Part, SubPlan> plans_;
  std::vector<std::vector<Part>> levels_;  // by size
};

}  // namespace

CbwjPlan cbwj_plan(const CbwjQuery& query, CbwjCatalogue& catalogue, bool pipelined,
                   const std::function<bool()>& alive) {
  return Planner(query, catalogue, alive).plan(pipelined);
}

}  // namespace warpbench::matching
