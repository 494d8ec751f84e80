#include "tests/problems/support/subgraph_cases.hpp"
#include "solvers/solver.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>

namespace warpbench::testing {
namespace {

using datasets::Dataset;
using Label = SmallGraph::Label;
using Labels = SmallGraph::Labels;
using Vertex = SmallGraph::Vertex;
using Random = std::mt19937_64;

std::uint64_t below(Random& random, std::uint64_t bound) {
  return random() % bound;
}

bool chance(Random& random, double share) {
  return static_cast<double>(random() >> 11U) < share * 0x1p53;
}

/// Label i about 1 / (i + 1) times as often as label 0.
Label skewed_label(Random& random, std::uint32_t labels) {
  const auto i = static_cast<Label>(below(random, labels));
  return chance(random, 1.0 / (i + 1)) ? i : 0;
}

Labels random_labels(Random& random, std::uint32_t labels, bool several) {
  Labels all{skewed_label(random, labels)};
  while (several && chance(random, 0.4)) all.insert(static_cast<Label>(below(random, labels)));
  return all;
}

SmallGraph random_data(Random& random, const RandomGraphs& how) {
  std::vector<Labels> labels(how.vertices);
  for (Labels& some : labels) some = random_labels(random, how.vertex_labels, how.several_vertex_labels);
  SmallGraph graph(labels);
  const double share = how.vertices < 2 ? 0 : how.degree / static_cast<double>(how.vertices - 1);
  for (Vertex u = 0; u < how.vertices; ++u) {
    for (Vertex v = u + 1; v < how.vertices; ++v) {
      if (!chance(random, share)) continue;
      if (how.edge_labels == 0) {
        graph.edge(u, v);
      } else {
        for (const Label label : random_labels(random, how.edge_labels, how.parallel_edges)) graph.edge(u, v, label);
      }
    }
  }
  return graph;
}

/// Some of them, at least one.
Labels part_of(Random& random, const Labels& all) {
  Labels part;
  for (const Label label : all) {
    if (chance(random, 0.6)) part.insert(label);
  }
  if (part.empty() && !all.empty()) part.insert(*std::next(all.begin(), static_cast<int>(below(random, all.size()))));
  return part;
}

/// Up to `vertices` of `data` that hang together, in the order in which a random walk along edges met them.
std::vector<Vertex> connected_part(Random& random, const SmallGraph& data, std::size_t vertices) {
  std::vector<Vertex> part{static_cast<Vertex>(below(random, data.vertices()))};
  while (part.size() < vertices) {
    std::set<Vertex> next;
    for (const auto& [ends, labels] : data.edges()) {
      const bool first = std::ranges::find(part, ends.first) != part.end();
      const bool second = std::ranges::find(part, ends.second) != part.end();
      if (first != second) next.insert(first ? ends.second : ends.first);
    }
    if (next.empty()) break;
    part.push_back(*std::next(next.begin(), static_cast<int>(below(random, next.size()))));
  }
  return part;
}

/// A connected query of some of the vertices, edges and labels of `data`; seldom with a label that it has not there.
SmallGraph random_query(Random& random, const SmallGraph& data, std::size_t max_vertices) {
  std::vector<Vertex> part = connected_part(random, data, 1 + below(random, max_vertices));
  std::vector<Vertex> number(data.vertices(), 0);  // of a vertex of the part: its own, in another order
  std::vector<Vertex> numbers(part.size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  std::ranges::shuffle(numbers, random);
  for (std::size_t i = 0; i < part.size(); ++i) number[part[i]] = numbers[i];
  std::vector<Labels> labels(part.size());
  for (const Vertex v : part) labels[number[v]] = part_of(random, data.labels()[v]);
  if (chance(random, 0.1)) labels[below(random, labels.size())] = {static_cast<Label>(below(random, 4) * 33)};
  SmallGraph query(labels);
  std::vector<bool> reached(data.vertices(), false);
  reached[part[0]] = true;
  for (std::size_t i = 1; i < part.size(); ++i) {
    bool joined = false;
    for (std::size_t j = i; j-- > 0;) {
      const auto found = data.edges().find(std::minmax(part[i], part[j]));
      if (found == data.edges().end()) continue;
      // The first edge joins it to the others; of more, most.
      if (joined && !chance(random, 0.7)) continue;
      joined = true;
      const Labels some = part_of(random, found->second);
      if (some.empty()) query.edge(number[part[i]], number[part[j]]);
      for (const Label label : some) query.edge(number[part[i]], number[part[j]], label);
    }
  }
  return query;
}

std::vector<Dataset> without_edge_labels() {
  const auto labelled = [](const std::vector<Label>& labels, const SmallGraph& shape) {
    SmallGraph graph(labels);
    for (const auto& [ends, none] : shape.edges()) graph.edge(ends.first, ends.second);
    return graph;
  };
  std::vector<Dataset> all;
  all.push_back(dataset_of("one vertex", SmallGraph(1), {SmallGraph(1), path(2), clique(3)}));
  all.push_back(dataset_of("no edge", SmallGraph(9), {SmallGraph(1), path(2)}));
  all.push_back(dataset_of("one edge", path(2), {SmallGraph(1), path(2), path(3), cycle(3)}));
  all.push_back(dataset_of("a star of many leaves", star(40), {star(1), star(2), cycle(3), path(4)}));
  all.push_back(dataset_of("a star and stars", star(6), {star(3), star(4), star(6), star(7)}));
  all.push_back(dataset_of(
      "two stars that share leaves",
      labelled({0, 0, 1, 1, 1, 1, 1, 1},
               [] {
                 SmallGraph shape(8);
                 for (Vertex leaf = 2; leaf < 8; ++leaf) shape.edge(0, leaf).edge(1, leaf);
                 return shape;
               }()),
      {labelled({0, 1, 1, 1}, star(3)), labelled({0, 1, 0, 1}, cycle(4)), labelled({1, 0, 1, 0, 1}, path(5))}));
  all.push_back(dataset_of("a clique of one label", clique(6), {clique(3), cycle(4), clique(4), path(4), star(4)}));
  all.push_back(dataset_of("a query larger than the graph", clique(4), {clique(5), path(6), star(7), cycle(9)}));
  all.push_back(dataset_of("a label that the graph lacks", labelled({0, 1, 2, 1}, cycle(4)),
                           {labelled({5}, SmallGraph(1)), labelled({0, 7}, path(2)), labelled({1, 3, 1}, path(3)),
                            labelled({0, 1, 2}, path(3))}));
  all.push_back(dataset_of("labels far apart", labelled({7, 4'000'000'000U, 7, 4'294'967'295U}, cycle(4)),
                           {labelled({7, 4'000'000'000U, 7}, path(3)), labelled({4'294'967'295U}, SmallGraph(1)),
                            labelled({4'294'967'294U, 7}, path(2))}));
  all.push_back(dataset_of("cycles", cycle(12), {cycle(12), cycle(6), cycle(5), cycle(4), path(12), path(13)}));
  all.push_back(dataset_of("a path", path(13), {path(1), path(2), path(7), path(13), star(3)}));
  all.push_back(dataset_of("parts that do not hang together",
                           [] {
                             SmallGraph graph(11);
                             graph.edge(0, 1).edge(1, 2).edge(0, 2);             // a triangle
                             graph.edge(4, 5).edge(5, 6).edge(6, 7).edge(4, 7);  // a square
                             return graph.edge(8, 9);                            // an edge; 3 and 10 alone
                           }(),
                           {SmallGraph(1), path(2), cycle(3), cycle(4), path(4)}));
  // Leaves of equal and of different labels at one vertex and at two: what leaf matching has to tell apart.
  all.push_back(dataset_of("a query of many leaves",
                           labelled({0, 0, 1, 1, 1, 2, 2, 1, 1, 2},
                                    [] {
                                      SmallGraph shape(10);
                                      for (Vertex leaf = 2; leaf < 8; ++leaf) shape.edge(0, leaf);
                                      for (Vertex leaf = 4; leaf < 10; ++leaf) shape.edge(1, leaf);
                                      return shape.edge(0, 1);
                                    }()),
                           {labelled({0, 0, 1, 1, 2, 1, 2},
                                     [] {
                                       SmallGraph shape(7);
                                       shape.edge(0, 1).edge(0, 2).edge(0, 3).edge(0, 4);
                                       return shape.edge(1, 5).edge(1, 6);
                                     }()),
                            labelled({0, 1, 1, 1, 2}, star(4))}));
  // A triangle with a tail and a tree at it: core, forest and leaves. One with a leaf at each corner, and a path with
  // leaves: equal leaves at three vertices and more.
  SmallGraph tailed(6);
  tailed.edge(0, 1).edge(1, 2).edge(0, 2).edge(2, 3).edge(3, 4).edge(3, 5);
  SmallGraph cornered(6);
  cornered.edge(0, 1).edge(1, 2).edge(0, 2).edge(0, 3).edge(1, 4).edge(2, 5);
  SmallGraph caterpillar(6);
  caterpillar.edge(0, 1).edge(1, 2).edge(0, 3).edge(1, 4).edge(2, 5);
  all.push_back(dataset_of("core, forest and leaves", clique(6), {tailed, cornered, caterpillar}));
  return all;
}

std::vector<Dataset> with_several_labels() {
  std::vector<Dataset> all;
  SmallGraph parallel({0, 1, 0, 1});
  parallel.edge(0, 1, 5).edge(0, 1, 6).edge(0, 1, 9).edge(1, 2, 5).edge(2, 3, 6).edge(0, 3, 5).edge(0, 3, 6);
  SmallGraph both(std::vector<Label>{0, 1});
  both.edge(0, 1, 5).edge(0, 1, 6);
  SmallGraph one(std::vector<Label>{0, 1});
  one.edge(0, 1, 6);
  SmallGraph unknown(std::vector<Label>{0, 1});
  unknown.edge(0, 1, 5).edge(0, 1, 7);
  SmallGraph longer({1, 0, 1});
  longer.edge(0, 1, 5).edge(0, 1, 6).edge(1, 2, 6);
  all.push_back(dataset_of("parallel edges", parallel, {both, one, unknown, longer}));

  SmallGraph more(2);  // more parallel query edges than the data graph has anywhere
  for (Label label = 0; label < 5; ++label) more.edge(0, 1, label);
  SmallGraph fewer(3);
  fewer.edge(0, 1, 0).edge(0, 1, 1).edge(0, 1, 2).edge(1, 2, 3).edge(1, 2, 4);
  all.push_back(dataset_of("more parallel edges than there are", fewer, {more}));

  const auto sets = [](std::vector<Labels> labels) { return SmallGraph(std::move(labels)); };
  SmallGraph square = sets({{1, 2}, {2}, {1, 2, 3}, {3, 4}});
  square.edge(0, 1).edge(1, 2).edge(2, 3).edge(0, 3);
  SmallGraph contained = sets({{2}, {1, 2}});
  contained.edge(0, 1);
  SmallGraph three = sets({{3}, {1, 2}, {2}});
  three.edge(0, 1).edge(1, 2);
  SmallGraph never = sets({{1, 9}, {2}});
  never.edge(0, 1);
  all.push_back(
      dataset_of("vertices of several labels", square, {sets({{2}}), sets({{1, 3}}), contained, three, never}));

  SmallGraph star_of_labels(std::vector<Label>(20, 0));
  for (Vertex leaf = 1; leaf < 20; ++leaf) star_of_labels.edge(0, leaf, leaf % 4);
  SmallGraph rays(std::vector<Label>(4, 0));
  rays.edge(0, 1, 1).edge(0, 2, 1).edge(0, 3, 2);
  all.push_back(dataset_of("a star with edge labels", star_of_labels, {rays}));
  return all;
}

}  // namespace

SmallGraph& SmallGraph::edge(Vertex u, Vertex v) {
  edges_.try_emplace(std::minmax(u, v));
  return *this;
}

SmallGraph& SmallGraph::edge(Vertex u, Vertex v, Label label) {
  edges_[std::minmax(u, v)].insert(label);
  return *this;
}

datasets::LabelledGraph SmallGraph::graph() const {
  std::vector<std::uint32_t> vertex_labels;
  std::vector<std::uint64_t> vertex_ends{0};
  std::vector<std::uint32_t> edge_labels;
  std::vector<std::uint64_t> edge_ends{0};
  std::vector<std::uint32_t> neighbors;
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::map<Vertex, const Labels*>> rows(vertices());
  for (const auto& [ends, labels] : edges_) {
    rows[ends.first][ends.second] = &labels;
    rows[ends.second][ends.first] = &labels;
  }
  for (std::size_t v = 0; v < vertices(); ++v) {
    vertex_labels.insert(vertex_labels.end(), labels_[v].begin(), labels_[v].end());
    vertex_ends.push_back(vertex_labels.size());
    for (const auto& [to, labels] : rows[v]) {
      neighbors.push_back(to);
      edge_labels.insert(edge_labels.end(), labels->begin(), labels->end());
      edge_ends.push_back(edge_labels.size());
    }
    offsets.push_back(neighbors.size());
  }
  datasets::LabelledGraph result;
  if (vertex_labels.size() != vertices()) result.vertex_label_offsets = std::move(vertex_ends);
  if (!edge_labels.empty() && edge_labels.size() != neighbors.size()) result.edge_label_offsets = std::move(edge_ends);
  result.vertex_labels = std::move(vertex_labels);
  result.edge_labels = std::move(edge_labels);
  result.graph = {std::move(offsets), std::move(neighbors)};
  return result;
}

SmallGraph path(std::size_t vertices) {
  SmallGraph graph(vertices);
  for (Vertex v = 1; v < vertices; ++v) graph.edge(v - 1, v);
  return graph;
}

SmallGraph cycle(std::size_t vertices) {
  return path(vertices).edge(0, static_cast<Vertex>(vertices - 1));
}

SmallGraph star(std::size_t leaves) {
  SmallGraph graph(leaves + 1);
  for (Vertex leaf = 1; leaf <= leaves; ++leaf) graph.edge(0, leaf);
  return graph;
}

SmallGraph clique(std::size_t vertices) {
  SmallGraph graph(vertices);
  for (Vertex u = 0; u < vertices; ++u) {
    for (Vertex v = u + 1; v < vertices; ++v) graph.edge(u, v);
  }
  return graph;
}

Dataset dataset_of(const std::string& name, const SmallGraph& data, const std::vector<SmallGraph>& queries) {
  std::vector<datasets::LabelledGraph> graphs;
  for (const SmallGraph& query : queries) graphs.push_back(query.graph());
  Dataset dataset;
  dataset.name = name;
  dataset.kind = datasets::Kind::GraphQueries;
  dataset.data = datasets::with_queries(data.graph(), graphs);
  datasets::validate(dataset.data);
  return dataset;
}

std::vector<Dataset> adversarial_subgraph_cases() {
  std::vector<Dataset> all = without_edge_labels();
  for (Dataset& one : with_several_labels()) all.push_back(std::move(one));
  return all;
}

Dataset great_star(std::size_t leaves, bool many_matches) {
  std::vector<Label> labels(leaves + 1, 1);
  labels[0] = 0;
  std::fill_n(labels.begin() + static_cast<std::ptrdiff_t>(leaves / 2), 3, 2U);
  SmallGraph data(labels);
  for (Vertex leaf = 1; leaf <= leaves; ++leaf) data.edge(0, leaf);
  const auto star_of = [](const std::vector<Label>& all) {
    SmallGraph query(all);
    for (Vertex leaf = 1; leaf < all.size(); ++leaf) query.edge(0, leaf);
    return query;
  };
  if (many_matches) return dataset_of("a great star", data, {star_of({1, 0}), star_of({0, 2, 1})});
  return dataset_of("a great star", data, {star_of({0, 2}), star_of({0, 2, 2}), star_of({2, 0}), star_of({1, 1})});
}

Dataset random_subgraph_case(std::uint64_t seed, const RandomGraphs& how) {
  Random random(seed);
  const SmallGraph data = random_data(random, how);
  std::vector<SmallGraph> queries;
  while (queries.size() < how.queries) queries.push_back(random_query(random, data, how.query_vertices));
  return dataset_of("seed " + std::to_string(seed), data, queries);
}

Dataset random_subgraph_case(std::uint64_t seed) {
  Random random(~seed);
  RandomGraphs how;
  how.vertices = 1 + below(random, 14);
  how.degree = 1 + static_cast<double>(below(random, 50)) / 10;
  how.vertex_labels = static_cast<std::uint32_t>(1 + below(random, 4));
  how.edge_labels = static_cast<std::uint32_t>(below(random, 4));
  how.several_vertex_labels = chance(random, 0.25);
  how.parallel_edges = chance(random, 0.5);
  how.queries = 1 + below(random, 4);
  how.query_vertices = 1 + below(random, 6);
  return random_subgraph_case(seed, how);
}

SubgraphMatching::Input subgraph_input(const Dataset& dataset, const SubgraphTask& task) {
  return SubgraphMatching::input(dataset, Parameters(SubgraphMatching::info().task, task));
}

std::vector<std::string> semantics_for(const Dataset& dataset) {
  const auto& given = dataset.as<datasets::GraphQueries>();
  bool edges = given.data.vertex_label_offsets.empty() && given.queries.vertex_label_offsets.empty();
  for (std::int64_t i = 0; i < given.count(); ++i) edges = edges && given.query(i).edges() > 0;
  std::vector<std::string> all{"isomorphism", "homomorphism"};
  if (edges) all.emplace_back("edge_isomorphism");
  return all;
}

SubgraphRun run_subgraph_solver(const std::string& id, const std::map<std::string, Value>& given,
                                const SubgraphMatching::Input& input, const SubgraphMatching::Reference& reference) {
  const auto& all = solvers_of<SubgraphMatching>();
  const auto entry = std::ranges::find_if(all, [&](const auto& one) { return one.info.id == id && one.make; });
  if (entry == all.end()) throw std::invalid_argument("this build has no solver '" + id + "' of subgraph_matching");
  std::map<std::string, Value> values = entry->info.smoke;
  for (const auto& [name, value] : given) values[name] = value;
  const Parameters parameters(entry->info.parameters, values);
  entry->info.validate(parameters);
  SubgraphRun run;
  Phases phases;
  try {
    const auto solver = entry->make(parameters);
    solver->prepare(input, phases);
    solver->solve_with_transfers(run.answer, phases);
    run.answer = {};
    solver->solve_with_transfers(run.answer, phases);
    run.counters = solver->counters();
  } catch (const Unsupported& error) {
    run.refused = error.what();
    return run;
  }
  run.judgement = SubgraphMatching::judge(input, run.answer, reference);
  return run;
}

SubgraphRun run_subgraph_solver(const std::string& id, const std::map<std::string, Value>& given,
                                const SubgraphMatching::Input& input) {
  return run_subgraph_solver(id, given, input, SubgraphMatching::reference(input));
}

}  // namespace warpbench::testing
