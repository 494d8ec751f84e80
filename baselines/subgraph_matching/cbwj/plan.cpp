#include "baselines/subgraph_matching/cbwj/plan.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <map>

namespace warpbench::matching::cbwj {
namespace {

constexpr std::size_t kMaxExhaustive = 10;  // query vertices
constexpr std::size_t kBeam = 5;
// The costs of putting a match into a hash table and of looking one up, beside 1 for reading a vertex of a list.
constexpr double kBuildCost = 4;
constexpr double kProbeCost = 2;

/// Query vertices, a bit each.
using VertexSet = std::uint64_t;

VertexSet bit(Vertex u) {
  return VertexSet{1} << u;
}

template <typename Body>
void for_each_vertex(VertexSet set, const Body& body) {
  for (; set != 0; set &= set - 1) body(static_cast<Vertex>(std::countr_zero(set)));
}

/// The best way found to match a connected set of query vertices.
struct SubPlan {
  double cost = std::numeric_limits<double>::infinity();
  double matches = std::numeric_limits<double>::infinity();  // of the set, however it is matched
  VertexSet probing = 0;                                     // the set that is extended, or probes; 0: a single vertex
  VertexSet building = 0;                                    // the other of a hash join; 0: an extension
  std::vector<Vertex> order;                                 // in which its pipeline matches vertices
};

class Planner {
 public:
  Planner(const IndexedQuery& query, Catalogue& catalogue, const std::function<bool()>& alive)
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

  JoinPlan plan(bool pipelined) {
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
      if (size > kMaxExhaustive && k > 2) keep_best(k);
    }
    JoinPlan result;
    const VertexSet all = levels_[size][0];
    result.cost = plans_.at(all).cost;
    emit(all, {}, result);
    return result;
  }

 private:
  /// A small connected pattern from which an extension by u may be estimated. Of one or two vertices at least one has
  /// an edge to u, of three at least two have.
  struct Pattern {
    VertexSet set;
    Extension extension;
  };

  void find_patterns(Vertex u) {
    const VertexSet near = neighbors_[u];
    const auto add = [&](const std::vector<Vertex>& vertices, std::size_t joined) {
      VertexSet set = 0;
      for (const Vertex w : vertices) set |= bit(w);
      if (static_cast<std::size_t>(std::popcount(set & near)) < joined) return;
      if (std::ranges::find(patterns_[u], set, &Pattern::set) != patterns_[u].end()) return;
      patterns_[u].push_back({set, catalogue_.extension(query_, vertices, u)});
    };
    for (Vertex a = 0; a < neighbors_.size(); ++a) {
      if (a == u || !alive_()) continue;
      add({a}, 1);
      for_each_vertex(neighbors_[a] & ~bit(u), [&](Vertex b) {
        if (a < b) add({a, b}, 1);
        if (neighbors_.size() > kMaxExhaustive) return;  // there would be too many
        for_each_vertex((neighbors_[a] | neighbors_[b]) & ~(bit(u) | bit(a) | bit(b)), [&](Vertex c) {
          if (a < b) add({a, b, c}, 2);
        });
      });
    }
  }

  /// The least number of vertices that a pattern within the set leaves, and the mean lengths of the lists themselves.
  [[nodiscard]] Extension extension(VertexSet set, Vertex u) const {
    Extension estimate{0, std::numeric_limits<double>::infinity()};
    for (const Pattern& pattern : patterns_[u]) {
      if ((pattern.set & ~set) != 0) continue;
      estimate.matches = std::min(estimate.matches, pattern.extension.matches);
      if (std::has_single_bit(pattern.set)) estimate.lists += pattern.extension.lists;
    }
    return estimate;
  }

  SubPlan& plan_of(VertexSet set) {
    const auto [found, is_new] = plans_.try_emplace(set);
    if (is_new) levels_[static_cast<std::size_t>(std::popcount(set))].push_back(set);
    return found->second;
  }

  void extend_to(std::size_t k) {
    for (const VertexSet set : levels_[k - 1]) {
      const SubPlan& before = plans_.at(set);
      for (Vertex u = 0; u < neighbors_.size(); ++u) {
        if ((set & bit(u)) != 0 || (set & neighbors_[u]) == 0) continue;
        const Extension estimate = extension(set, u);
        SubPlan& after = plan_of(set | bit(u));
        after.matches = std::min(after.matches, before.matches * estimate.matches);
        const double cost = before.cost + times_intersected(before, u) * estimate.lists;
        if (cost >= after.cost) continue;
        after.cost = cost;
        after.probing = set;
        after.building = 0;
        after.order = before.order;
        after.order.push_back(u);
      }
    }
  }

  /// An intersection is computed again only when an image that it depends on changes. It is computed once for each
  /// match of the vertices up to the last of these.
  [[nodiscard]] double times_intersected(const SubPlan& before, Vertex u) const {
    double times = before.matches;
    VertexSet prefix = 0;
    VertexSet last = 0;
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
        for (const VertexSet a : levels_[larger]) {
          for (const VertexSet b : levels_[smaller]) {
            if (static_cast<std::size_t>(std::popcount(a | b)) == k && (a & b) != 0 && covered(a, b)) join(a, b);
          }
        }
      }
    }
  }

  [[nodiscard]] bool covered(VertexSet a, VertexSet b) const {
    bool all = true;
    for_each_vertex(a & ~b, [&](Vertex u) { all = all && (neighbors_[u] & b & ~a) == 0; });
    return all;
  }

  void join(VertexSet a, VertexSet b) {
    const auto together = plans_.find(a | b);
    if (together == plans_.end()) return;  // left out by the beam
    const VertexSet building = plans_.at(a).matches < plans_.at(b).matches ? a : b;
    const VertexSet probing = building == a ? b : a;
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
    std::vector<VertexSet>& level = levels_[k];
    std::ranges::stable_sort(level, {}, [&](VertexSet set) { return plans_.at(set).cost; });
    for (std::size_t i = kBeam; i < level.size(); ++i) plans_.erase(level[i]);
    level.resize(std::min(level.size(), kBeam));
  }

  /// Appends the pipelines of a set, whose matches go to a table by `key`; returns the number of the last.
  std::size_t emit(VertexSet set, const std::vector<Vertex>& key, JoinPlan& plan) const {
    std::vector<std::pair<const SubPlan*, VertexSet>> steps;  // the last first
    VertexSet first = set;
    for (const SubPlan* step = &plans_.at(set); step->probing != 0; step = &plans_.at(first)) {
      steps.emplace_back(step, step->building == 0 ? first & ~step->probing : 0);
      first = step->probing;
    }
    Pipeline pipeline{plans_.at(first).order[0], {}, plans_.at(set).order, key};
    VertexSet matched = first;
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

  const IndexedQuery& query_;
  Catalogue& catalogue_;
  const std::function<bool()>& alive_;
  std::vector<VertexSet> neighbors_;            // of each vertex
  std::vector<std::vector<Pattern>> patterns_;  // by the vertex that they are extended by
  std::map<VertexSet, SubPlan> plans_;
  std::vector<std::vector<VertexSet>> levels_;  // by size
};

}  // namespace

JoinPlan plan_joins(const IndexedQuery& query, Catalogue& catalogue, bool pipelined,
                    const std::function<bool()>& alive) {
  return Planner(query, catalogue, alive).plan(pipelined);
}

}  // namespace warpbench::matching::cbwj
