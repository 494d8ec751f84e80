#include "algorithms/subgraph_matching/edge_join/plan.hpp"

#include <algorithm>
#include <optional>

namespace warpbench::matching::edge_join {
namespace {

/// The vertices matched and the edges joined so far.
class PlanBuilder {
 public:
  PlanBuilder(const std::vector<Edge>& edges, Vertex first) : edges_(edges), joined_(edges.size(), false) {
    Vertex last = first;
    for (const Edge& edge : edges) last = std::max({last, edge.from, edge.to});
    matched_.assign(std::size_t{last} + 1, false);
    matched_[first] = true;
  }

  std::optional<EdgeJoin> next(const EdgeCost& cost) const {
    std::optional<EdgeJoin> best;
    double best_cost = 0;
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      const auto [from, to, label] = edges_[i];
      if (joined_[i] || (!matched_[from] && !matched_[to])) continue;
      if (matched_[from] && matched_[to]) return EdgeJoin{i, from, to, label, false};
      const EdgeJoin join = matched_[from] ? EdgeJoin{i, from, to, label, true} : EdgeJoin{i, to, from, label, true};
      const double own_cost = cost(i, join.from, join.to);
      if (best && own_cost >= best_cost) continue;
      best = join;
      best_cost = own_cost;
    }
    return best;
  }

  void take(const EdgeJoin& join) {
    joined_[join.edge] = true;
    matched_[join.to] = true;
  }

 private:
  const std::vector<Edge>& edges_;
  std::vector<bool> joined_;
  std::vector<bool> matched_;
};

}  // namespace

EdgeJoinPlan plan_joins(const std::vector<Edge>& edges, Vertex first, const EdgeCost& cost) {
  EdgeJoinPlan plan{first, {}};
  PlanBuilder builder(edges, first);
  for (std::optional<EdgeJoin> join = builder.next(cost); join.has_value(); join = builder.next(cost)) {
    builder.take(*join);
    plan.joins.push_back(*join);
  }
  return plan;
}

}  // namespace warpbench::matching::edge_join
