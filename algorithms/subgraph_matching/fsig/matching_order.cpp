#include "algorithms/subgraph_matching/fsig/matching_order.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "device/integers.hpp"
#include "solvers/subgraph_matching/core_forest_leaf.hpp"

namespace warpbench::matching::fsig {
namespace {

class OrderBuilder {
 public:
  explicit OrderBuilder(const OrderInput& input)
      : input_(input),
        vertices_(static_cast<std::size_t>(input.query.vertices())),
        column_(vertices_, kNone<std::uint32_t>),
        regions_(core_forest_leaf(input.query)) {}

  MatchingOrder order() {
    append(first());
    while (order_.size() < vertices_) append(next());
    const std::size_t leaves = trailing_leaves();
    MatchingOrder result;
    for (std::size_t i = 0; i < vertices_; ++i) result.levels.push_back(level(i));
    result.column = column_;
    result.independent_leaves = leaves;
    return result;
  }

 private:
  [[nodiscard]] std::size_t slot(std::size_t u, std::size_t j) const { return input_.query.offsets[u] + j; }
  [[nodiscard]] std::span<const Vertex> row(std::size_t u) const { return input_.query.row(static_cast<Vertex>(u)); }

  void append(std::size_t u) {
    column_[u] = static_cast<std::uint32_t>(order_.size());
    order_.push_back(u);
  }

  /// The vertex with the fewest candidates for its degree, of the core if there is one.
  [[nodiscard]] std::size_t first() const {
    const auto rank = [&](std::size_t u) {
      const double degree = std::max<double>(1, static_cast<double>(row(u).size()));
      return std::tuple(regions_[u], static_cast<double>(input_.candidates[u]) / degree, u);
    };
    std::size_t best = 0;
    for (std::size_t u = 1; u < vertices_; ++u) {
      if (rank(u) < rank(best)) best = u;
    }
    return best;
  }

  /// The logarithm of the factor by which matching u multiplies the rows, as if edges were independent. The factor is
  /// |C(u)| times, for each backward edge, the share |A(w, u)| / (|C(w)| |C(u)|) of pairs that are edges.
  [[nodiscard]] double growth(std::size_t u) const {
    const auto log_of = [](std::int64_t count) { return std::log(std::max<double>(static_cast<double>(count), 0.5)); };
    double sum = log_of(input_.candidates[u]);
    for (std::size_t j = 0; j < row(u).size(); ++j) {
      const Vertex w = row(u)[j];
      if (column_[w] == kNone<std::uint32_t>) continue;
      sum += log_of(input_.edges[slot(u, j)]) - log_of(input_.candidates[w]) - log_of(input_.candidates[u]);
    }
    return sum;
  }

  [[nodiscard]] std::size_t next() const {
    std::size_t best = vertices_;
    std::tuple<Region, double, std::size_t> least{};
    for (std::size_t u = 0; u < vertices_; ++u) {
      const bool joined = std::ranges::any_of(row(u), [&](Vertex w) { return column_[w] != kNone<std::uint32_t>; });
      if (column_[u] != kNone<std::uint32_t> || !joined) continue;
      const std::tuple rank(regions_[u], growth(u), u);
      if (best < vertices_ && !(rank < least)) continue;
      least = rank;
      best = u;
    }
    return best;
  }

  [[nodiscard]] bool may_collide(std::size_t u, std::size_t w) const {
    if (!input_.injective) return false;
    const auto of_u = input_.query.labels_of(static_cast<Vertex>(u));
    const auto of_w = input_.query.labels_of(static_cast<Vertex>(w));
    return !input_.single_labels || of_u.size() != 1 || of_w.size() != 1 || of_u[0] == of_w[0];
  }

  /// Moves leaves that cannot collide with one another to the end of the order, where their matches are multiplied
  /// instead of listed. Leaves that come late, which multiply rows most, are chosen first. Returns how many there are.
  std::size_t trailing_leaves() {
    std::vector<std::size_t> chosen;
    std::vector<std::size_t> rest = order_;
    for (std::size_t i = order_.size(); i-- > 1;) {
      const std::size_t u = order_[i];
      if (!may_trail(u) || std::ranges::any_of(chosen, [&](std::size_t w) { return may_collide(u, w); })) continue;
      chosen.push_back(u);
      std::erase(rest, u);
    }
    std::ranges::reverse(chosen);
    order_ = std::move(rest);
    order_.insert(order_.end(), chosen.begin(), chosen.end());
    for (std::size_t i = 0; i < vertices_; ++i) column_[order_[i]] = static_cast<std::uint32_t>(i);
    return chosen.size();
  }

  /// A leaf by one edge. Its neighbour is no leaf, unless the two are the whole query, whose first vertex never trails.
  [[nodiscard]] bool may_trail(std::size_t u) const { return regions_[u] == Region::leaf && row(u).size() == 1; }

  [[nodiscard]] Level level(std::size_t place) const {
    const std::size_t u = order_[place];
    Level level{static_cast<Vertex>(u), {}, {}};
    for (std::size_t w = 0; w < vertices_; ++w) {
      if (column_[w] >= place) continue;
      for (std::size_t j = 0; j < row(w).size(); ++j) {
        if (row(w)[j] == u) level.backward.push_back(slot(w, j));
      }
    }
    std::ranges::stable_sort(level.backward, {}, [&](std::size_t s) { return input_.edges[s]; });
    for (std::size_t i = 0; i < place; ++i) {
      if (may_collide(u, order_[i])) level.colliding.push_back(static_cast<std::uint32_t>(i));
    }
    return level;
  }

  const OrderInput& input_;
  std::size_t vertices_;
  std::vector<std::uint32_t> column_;
  std::vector<Region> regions_;
  std::vector<std::size_t> order_;
};

}  // namespace

MatchingOrder matching_order(const OrderInput& input) {
  return OrderBuilder(input).order();
}

}  // namespace warpbench::matching::fsig
