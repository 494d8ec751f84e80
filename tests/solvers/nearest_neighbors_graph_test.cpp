// Proximity graphs: refusals of validate(), quality() of known graphs, beam search against Algorithm 4 as printed, and
// the NSW builder against exhaustive insertion.
#include <gtest/gtest.h>

#include <queue>
#include <set>

#include "solvers/nearest_neighbors/beam_search.hpp"
#include "tests/problems/support/vectors.hpp"

namespace warpbench::nearest_neighbors {
namespace {

using testing::VectorSet;
using Ids = std::vector<std::uint32_t>;
using Input = NearestNeighbors::Input;
using datasets::Metric;

constexpr std::uint64_t kSeed = 1050;
constexpr auto kNone = warpbench::kNone<std::uint32_t>;

ProximityGraph one_layer(std::int64_t vertices, std::int64_t degree, Ids neighbors) {
  return {.layers = {{vertices, degree, std::move(neighbors)}}, .points = {}};
}

// ---- validate ----

std::string breach_of(const ProximityGraph& graph, std::int64_t points) {
  try {
    validate(graph, points);
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

TEST(ProximityGraphValidate, AcceptsGraphs) {
  EXPECT_EQ(breach_of(one_layer(3, 2, {1, 2, 0, kNone, kNone, kNone}), 3), "");
  EXPECT_EQ(breach_of(one_layer(1, 4, Ids(4, kNone)), 1), "");
  ProximityGraph layers = one_layer(3, 2, {1, 2, 0, kNone, kNone, kNone});
  layers.layers.push_back({2, 1, {1, 0}});
  layers.layers.push_back({1, 1, {kNone}});
  layers.points.point_of = {2, 0, 1};
  EXPECT_EQ(breach_of(layers, 3), "");
  ProximityGraph shared = one_layer(2, 1, {1, 0});
  shared.points = {{0, 1}, {2, 4, 3, kNone, kNone}};
  EXPECT_EQ(breach_of(shared, 5), "");
}

TEST(ProximityGraphValidate, NamesTheBreach) {
  const std::string begin = "a proximity graph: ";
  EXPECT_EQ(breach_of({}, 3), begin + "expected at least one layer, found none");
  EXPECT_EQ(breach_of(one_layer(2, 1, {1, 0}), 3), begin + "point 2 belongs to no vertex");
  EXPECT_EQ(breach_of(one_layer(3, 1, {1, 0}), 3), begin + "layer 0: expected 3 rows of 1 ids, found 2 ids");
  EXPECT_EQ(breach_of(one_layer(3, 1, {1, 0, 3}), 3), begin + "layer 0, row 2: expected ids below 3, found 3");
  EXPECT_EQ(breach_of(one_layer(3, 1, {1, 1, 0}), 3), begin + "layer 0, row 1: the vertex is its own neighbour");
  EXPECT_EQ(breach_of(one_layer(3, 2, {1, 1, 0, 2, 0, 1}), 3), begin + "layer 0, row 0: holds 1 twice");
  EXPECT_EQ(breach_of(one_layer(3, 2, {1, 2, kNone, 2, 0, 1}), 3),
            begin + "layer 0, row 1: expected no id after the end of the row, found 2");
  ProximityGraph layers = one_layer(2, 1, {1, 0});
  layers.layers.push_back({3, 1, {1, 0, 0}});
  EXPECT_EQ(breach_of(layers, 2), begin + "layer 1: expected 1 to 2 vertices, found 3");
  layers.layers[1] = {1, 1, {1}};
  EXPECT_EQ(breach_of(layers, 2), begin + "layer 1, row 0: expected ids below 1, found 1");
  ProximityGraph shuffled = one_layer(2, 1, {1, 0});
  shuffled.points.point_of = {0};
  EXPECT_EQ(breach_of(shuffled, 2), begin + "point_of: expected 2 vertices, found 1");
  shuffled.points.point_of = {0, 2};
  EXPECT_EQ(breach_of(shuffled, 2), begin + "vertex 1: expected points below 2, found 2");
  shuffled.points.point_of = {1, 1};
  EXPECT_EQ(breach_of(shuffled, 2), begin + "vertex 1: point 1 belongs to a vertex twice");
  ProximityGraph shared = one_layer(2, 1, {1, 0});
  shared.points = {{0, 1}, {2, kNone, kNone}};
  EXPECT_EQ(breach_of(shared, 4), begin + "next_equal: expected 4 points, found 3");
  EXPECT_EQ(breach_of(shared, 3), "");
  shared.points.next_equal = {2, kNone, 0};
  EXPECT_EQ(breach_of(shared, 3), begin + "vertex 0: point 0 belongs to a vertex twice");
}

// ---- quality ----

/// The k nearest (or, with `farthest`, farthest) other points of every point.
ProximityGraph knn(const VectorSet& set, Metric metric, std::int64_t k, bool farthest = false) {
  VectorSet asked = set;
  asked.queries = set.points;
  const std::int64_t points = set.count();
  const auto all = testing::sorted_by_distance({&asked, metric, points});
  Ids ids;
  for (std::size_t v = 0; v < static_cast<std::size_t>(points); ++v) {
    Ids row;
    for (std::size_t i = 0; i < static_cast<std::size_t>(points); ++i) {
      const std::uint32_t id = all.neighbors[v * static_cast<std::size_t>(points) + i];
      if (id != v) row.push_back(id);
    }
    if (farthest) std::ranges::reverse(row);
    ids.insert(ids.end(), row.begin(), row.begin() + k);
  }
  return one_layer(points, k, ids);
}

TEST(ProximityGraphQuality, OfKnownGraphs) {
  const VectorSet set = testing::clustered(80, 1, 6, kSeed);
  for (const Metric metric : testing::kMetrics) {
    const Input input{&set, metric, 10};
    EXPECT_EQ(quality(knn(set, metric, 7), input),
              (std::map<std::string, double>{{"graph_recall", 1}, {"mean_out_degree", 7}}));
    EXPECT_EQ(quality(knn(set, metric, 7, true), input).at("graph_recall"), 0);
    ProximityGraph half = knn(set, metric, 8);
    for (std::size_t v = 0; v < 80; ++v) std::fill_n(half.layers[0].neighbors.begin() + v * 8 + 4, 4, kNone);
    EXPECT_EQ(quality(half, input), (std::map<std::string, double>{{"graph_recall", 1}, {"mean_out_degree", 4}}));
  }
  const Input input{&set, Metric::euclidean, 10};
  EXPECT_EQ(quality(one_layer(80, 3, Ids(240, kNone)), input),
            (std::map<std::string, double>{{"graph_recall", 0}, {"mean_out_degree", 0}}));
}

TEST(ProximityGraphQuality, FollowsTheMapOfVertices) {
  const VectorSet set = testing::vectors_of(1, {0, 10, 1, 11}, {0});
  ProximityGraph graph = one_layer(4, 1, {1, 0, 3, 2});
  const Input input{&set, Metric::euclidean, 1};
  EXPECT_EQ(quality(graph, input).at("graph_recall"), 0);
  graph.points.point_of = {0, 2, 1, 3};
  EXPECT_EQ(quality(graph, input).at("graph_recall"), 1);
}

TEST(ProximityGraphQuality, LooksAtSomeVerticesOnly) {
  const VectorSet set = testing::clustered(80, 1, 6, kSeed);
  ProximityGraph graph = knn(set, Metric::euclidean, 5);
  const ProximityGraph wrong = knn(set, Metric::euclidean, 5, true);
  std::copy_n(wrong.layers[0].neighbors.begin() + 200, 200, graph.layers[0].neighbors.begin() + 200);
  const Input input{&set, Metric::euclidean, 1};
  EXPECT_EQ(quality(graph, input, 2).at("graph_recall"), 0.5) << "vertices 0 and 40";
  EXPECT_EQ(quality(graph, input, 1).at("graph_recall"), 1) << "vertex 0";
}

// ---- beam search ----

/// Algorithm 4, line by line: C and N are heaps, H is a set.
Ids algorithm_4(const Layer& graph, std::uint32_t start, std::size_t k, const KeysFrom& key) {
  using Entry = std::pair<float, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> candidates;
  std::priority_queue<Entry> nearest;
  std::set<std::uint32_t> visited{start};
  candidates.emplace(key(start), start);
  while (!candidates.empty()) {
    const Entry closest = candidates.top();
    candidates.pop();
    if (nearest.size() == k && closest > nearest.top()) break;
    if (nearest.size() == k) nearest.pop();
    nearest.push(closest);
    for (const std::uint32_t u : graph.row(closest.second)) {
      if (u != kNone && visited.insert(u).second) candidates.emplace(key(u), u);
    }
  }
  Ids result(nearest.size());
  for (std::size_t i = result.size(); i > 0; nearest.pop()) result[--i] = nearest.top().second;
  return result;
}

Ids found_by(BeamSearch& search, const Layer& layer, std::uint32_t entry, std::int64_t ef, const KeysFrom& key) {
  Ids ids;
  for (const Visited& found : search.search(layer, entry, ef, key)) ids.push_back(found.vertex);
  return ids;
}

TEST(BeamSearch, IsAlgorithm4) {
  for (std::uint64_t i = 0; i < 200; ++i) {
    std::mt19937_64 random(kSeed + i);
    const auto points = static_cast<std::int64_t>(2 + random() % 150);
    const bool ties = i % 2 == 1;
    const VectorSet set = ties ? testing::on_a_grid(static_cast<std::size_t>(points), 5, 2, kSeed + i)
                               : testing::clustered(static_cast<std::size_t>(points), 5, 5, kSeed + i);
    const ProximityGraph graph =
        knn(set, Metric::euclidean, std::min<std::int64_t>(points - 1, static_cast<std::int64_t>(1 + random() % 9)),
            i % 3 == 0);
    const FloatSpace space({&set, Metric::euclidean, 1});
    BeamSearch search(points);
    for (std::int64_t query = 0; query < 5; ++query) {
      const KeysFrom key(space, space.query(query), graph.points.point_of);
      const auto entry = static_cast<std::uint32_t>(random() % static_cast<std::uint64_t>(points));
      for (const std::size_t ef : {1U, 2U, 5U, 17U, 64U, 1000U}) {
        ASSERT_EQ(found_by(search, graph.layers[0], entry, static_cast<std::int64_t>(ef), key),
                  algorithm_4(graph.layers[0], entry, ef, key))
            << "seed " << kSeed + i << ", ef " << ef;
      }
    }
  }
}

TEST(BeamSearch, CountsDistancesAndHops) {
  const VectorSet set = testing::vectors_of(1, {0, 1, 2, 3}, {10});
  const ProximityGraph path = one_layer(4, 2, {1, kNone, 0, 2, 1, 3, 2, kNone});
  const FloatSpace space({&set, Metric::euclidean, 1});
  const KeysFrom key(space, space.query(0), path.points.point_of);
  BeamSearch search(4);
  EXPECT_EQ(found_by(search, path.layers[0], 0, 1, key), Ids{3});
  EXPECT_EQ(search.distances(), 4U) << "each vertex once";
  EXPECT_EQ(search.explored(), 4U);
  search.reset_counts();
  EXPECT_EQ(found_by(search, path.layers[0], 3, 1, key), Ids{3});
  EXPECT_EQ(search.distances(), 2U);
  EXPECT_EQ(search.explored(), 1U);
}

TEST(BeamSearch, DescendsThroughTheLayers) {
  // Points in two far groups that layer 0 does not link; only layer 1 leads from vertex 0 to the second.
  const VectorSet set = testing::vectors_of(1, {101, 1, 100, 0}, {100});
  ProximityGraph graph;
  graph.points.point_of = {3, 2, 1, 0};  // vertices at 0, 100, 1, 101
  graph.layers.push_back({4, 1, {2, 3, 0, 1}});
  graph.layers.push_back({2, 1, {1, 0}});
  validate(graph, 4);
  const FloatSpace space({&set, Metric::euclidean, 1});
  const KeysFrom key(space, space.query(0), graph.points.point_of);
  BeamSearch search(4);
  Ids points;
  for (const Visited& found : search.search(graph, 4, key)) points.push_back(graph.point(found.vertex));
  EXPECT_EQ(points, (Ids{2, 0}));
}

// ---- NSW ----

/// `set` with the first of equal points alone.
VectorSet without_repeated_points(const VectorSet& set) {
  std::set<std::vector<float>> seen;
  std::vector<float> points;
  for (std::int64_t i = 0; i < set.count(); ++i) {
    const std::vector<float> point(set.point(i).begin(), set.point(i).end());
    if (seen.insert(point).second) points.insert(points.end(), point.begin(), point.end());
  }
  VectorSet distinct = set;
  distinct.points = std::move(points);
  return distinct;
}

TEST(DistinctPoints, ShareVerticesInTheOrderOfTheFirst) {
  const VectorSet set = testing::vectors_of(1, {5, 3, 5, 4, 3, 5}, {0});
  const DistinctPoints ascending = distinct_points(set, Metric::euclidean);
  EXPECT_EQ(ascending.point_of, (Ids{0, 1, 3}));
  EXPECT_EQ(ascending.next_equal, (Ids{2, 4, 5, kNone, kNone, kNone}));
  const DistinctPoints other = distinct_points(set, Metric::euclidean, {3, 4, 5, 2, 1, 0});
  EXPECT_EQ(other.point_of, (Ids{3, 4, 5}));
  EXPECT_EQ(other.next_equal, (Ids{kNone, kNone, 0, kNone, 1, 2}));
  ProximityGraph graph = one_layer(3, 1, {1, 2, 0});
  graph.points = other;
  EXPECT_EQ(breach_of(graph, 6), "");
  Ids ids;
  for (const std::uint32_t vertex : {2U, 1U, 0U}) graph.append_points(vertex, 5, ids);
  EXPECT_EQ(ids, (Ids{5, 2, 0, 4, 1}));
}

TEST(DistinctPoints, AreThePointsWhereNoTwoAreEqual) {
  const VectorSet set = testing::clustered(300, 1, 3, kSeed);
  EXPECT_EQ(distinct_points(set, Metric::euclidean).point_of, Ids{});
  EXPECT_EQ(distinct_points(set, Metric::euclidean).next_equal, Ids{});
  Ids order(300);
  std::iota(order.rbegin(), order.rend(), 0U);
  EXPECT_EQ(distinct_points(set, Metric::euclidean, order).point_of, order);
  EXPECT_EQ(distinct_points(set, Metric::euclidean, order).next_equal, Ids{});
}

/// 1.1^c times a point rounds to another direction, by a bit in some coordinates.
TEST(DistinctPoints, ShareVerticesByDirectionForCosine) {
  constexpr std::int64_t kDirections = 300;
  constexpr int kCopies = 40;
  const VectorSet set = testing::with_copies(testing::clustered(kDirections, 1, 24, kSeed), kCopies, 1.1F);
  Ids order(static_cast<std::size_t>(set.count()));
  std::iota(order.rbegin(), order.rend(), 0U);
  const DistinctPoints by_direction = distinct_points(set, Metric::cosine, order);
  ASSERT_EQ(std::ssize(by_direction.point_of), kDirections);
  for (std::uint32_t vertex = 0; vertex < kDirections; ++vertex) {
    std::uint32_t point = by_direction.point_of[vertex];
    EXPECT_EQ(point, set.count() - 1 - vertex);
    int points = 0;
    for (; point != kNone; point = by_direction.next_equal[point]) {
      EXPECT_EQ(point % kDirections, by_direction.point_of[vertex] % kDirections);
      ++points;
    }
    EXPECT_EQ(points, kCopies);
  }
  EXPECT_EQ(distinct_points(set, Metric::euclidean).point_of, Ids{});
  EXPECT_EQ(distinct_points(set, Metric::inner_product).point_of, Ids{});
}

TEST(DistinctPoints, KeepsDirectionsApartThatFloatsTellApart) {
  const VectorSet set = testing::vectors_of(2, {1, 0, 1, 1e-6F, 3, 3e-6F, 0, 0, -1, 0, 0, 0}, {0, 0});
  const DistinctPoints by_direction = distinct_points(set, Metric::cosine);
  EXPECT_EQ(by_direction.point_of, (Ids{0, 1, 3, 4}));
  EXPECT_EQ(by_direction.next_equal, (Ids{kNone, 2, kNone, 5, kNone, kNone}));
}

/// The d_min nearest of the vertices that are reachable from vertex 0, linked in both directions: what a search with a
/// wide beam finds.
ProximityGraph inserted(const Input& input, std::size_t d_min, std::size_t d_max) {
  const FloatSpace space(input);
  const Ids identity;
  std::vector<std::set<std::pair<float, std::uint32_t>>> rows(static_cast<std::size_t>(input.points()));
  const auto link = [&](std::uint32_t from, std::uint32_t to, float key) {
    rows[from].emplace(key, to);
    if (rows[from].size() > d_max) rows[from].erase(std::prev(rows[from].end()));
  };
  for (std::uint32_t v = 1; v < rows.size(); ++v) {
    std::vector<std::uint32_t> open{0};
    std::set<std::uint32_t> reached{0};
    while (!open.empty()) {
      const std::uint32_t u = open.back();
      open.pop_back();
      for (const auto& [key, w] : rows[u]) {
        if (reached.insert(w).second) open.push_back(w);
      }
    }
    const KeysFrom key(space, space.point(v), identity);
    std::vector<std::pair<float, std::uint32_t>> near;
    for (const std::uint32_t u : reached) near.emplace_back(key(u), u);
    std::ranges::sort(near);
    near.resize(std::min(near.size(), d_min));
    for (const auto& [distance, u] : near) {
      link(v, u, distance);
      link(u, v, distance);
    }
  }
  Ids ids;
  for (const auto& row : rows) {
    for (const auto& [key, u] : row) ids.push_back(u);
    ids.resize(ids.size() + d_max - row.size(), kNone);
  }
  return one_layer(input.points(), static_cast<std::int64_t>(d_max), ids);
}

TEST(BuildNsw, WithAWideBeamIsExhaustiveInsertion) {
  for (std::uint64_t i = 0; i < 60; ++i) {
    std::mt19937_64 random(kSeed + i);
    const VectorSet set = i % 3 == 0 ? testing::on_a_grid(1 + random() % 120, 1, 3, kSeed + i)
                                     : testing::clustered(1 + random() % 120, 1, 6, kSeed + i);
    const VectorSet distinct = without_repeated_points(set);
    const std::size_t d_min = 1 + random() % 6;
    const std::size_t d_max = d_min + random() % 8;
    const Input input{&set, testing::kMetrics[i % 2 == 0 ? 0 : 2], 1};
    const ProximityGraph graph =
        build_nsw(input, static_cast<std::int64_t>(d_min), static_cast<std::int64_t>(d_max), 1000);
    EXPECT_EQ(breach_of(graph, set.count()), "") << "seed " << kSeed + i;
    ASSERT_EQ(graph.layers[0].neighbors, inserted({&distinct, input.metric, 1}, d_min, d_max).layers[0].neighbors)
        << "seed " << kSeed + i;
  }
}

TEST(BuildNsw, GivesRowsOfAscendingDistanceOnAnySet) {
  for (const auto& [name, set] : testing::adversarial_vectors()) {
    for (const Metric metric : testing::kMetrics) {
      const Input input{&set, metric, 10};
      const ProximityGraph graph = build_nsw(input, 4, 8, 10);
      EXPECT_EQ(breach_of(graph, set.count()), "") << name;
      const FloatSpace space(input);
      for (std::uint32_t v = 0; v < graph.layers[0].vertices; ++v) {
        const KeysFrom key(space, space.point(graph.point(v)), graph.points.point_of);
        std::pair<float, std::uint32_t> last{-std::numeric_limits<float>::infinity(), 0};
        for (const std::uint32_t u : graph.layers[0].row(v)) {
          if (u == kNone) break;
          EXPECT_LT(last, std::pair(key(u), u)) << name << ", row " << v;
          last = {key(u), u};
        }
      }
    }
  }
}

TEST(BuildNsw, KeepsAtLeastDMinCandidates) {
  const VectorSet set = testing::clustered(150, 1, 6, kSeed);
  const Input input{&set, Metric::euclidean, 1};
  const auto narrow = build_nsw(input, 8, 16, 1);
  EXPECT_EQ(narrow.layers[0].neighbors, build_nsw(input, 8, 16, 8).layers[0].neighbors);
  EXPECT_NE(narrow.layers[0].neighbors, build_nsw(input, 8, 16, 100).layers[0].neighbors);
  for (std::int64_t v = 8; v < 150; ++v) EXPECT_NE(narrow.layers[0].row(v)[7], kNone) << "row " << v;
}

TEST(BuildNsw, RefusesRowsTooShortForDMin) {
  const VectorSet set = testing::clustered(5, 1, 2, kSeed);
  EXPECT_THROW((void)build_nsw({&set, Metric::euclidean, 1}, 4, 3, 10), std::logic_error);
  EXPECT_THROW((void)build_nsw({&set, Metric::euclidean, 1}, 0, 3, 10), std::logic_error);
}

}  // namespace
}  // namespace warpbench::nearest_neighbors
