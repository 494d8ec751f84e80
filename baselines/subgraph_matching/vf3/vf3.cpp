// vf3: VF3 (Carletti, Foggia, Saggese and Vento, Challenging the Time Complexity of Exact Subgraph Isomorphism for Huge
// and Dense Graphs with VF3, IEEE TPAMI 2018; gsi2020 §VIII, §IX), depth-first on one thread. Query vertices are
// matched in a sequence made from the probabilities of labels and degrees. Candidates are neighbours of the image of a
// vertex's parent. Labels divide vertices into classes. A pair is feasible if, class by class, the data vertex has at
// least as many neighbours left as the query vertex: in the terminal set (vertices with a matched neighbour), and
// altogether.
//
// Differences: VF3 matches induced subgraphs, the problem's need not be. Edges that the query does not ask for are
// not looked at, and the second look-ahead compares the neighbours in and out of the terminal set together, for an
// unmatched neighbour outside the query's terminal set may have its image inside the data graph's. Neighbours are
// counted by edges, parallel ones apart. A vertex of several labels belongs to the class of each. Homomorphisms are
// found without what distinctness justifies: degrees, look-ahead, terminal sets.
#include <algorithm>
#include <memory>

#include "baselines/subgraph_matching/collector.hpp"
#include "baselines/subgraph_matching/neighbor_labels.hpp"
#include "baselines/subgraph_matching/vf3/sequence.hpp"
#include "solvers/solver.hpp"

namespace warpbench::matching {
namespace {

using namespace vf3;

/// The search state of VF3 on a data graph.
class State {
 public:
  explicit State(const Graph& data)
      : data_(data),
        used_(static_cast<std::size_t>(data.vertices()), 0),
        matched_neighbors_(static_cast<std::size_t>(data.vertices()), 0),
        terminal_(static_cast<std::size_t>(data.vertex_label_count), 0),
        all_(terminal_) {}

  /// Nothing is matched any more. Needs no memory.
  void clear() {
    std::ranges::fill(used_, std::uint8_t{0});
    for (std::vector<std::uint32_t>* const counts : {&matched_neighbors_, &terminal_, &all_}) {
      std::ranges::fill(*counts, 0U);
    }
  }
  [[nodiscard]] bool used(Vertex v) const { return used_[v] != 0; }
  void add(Vertex v) {
    used_[v] = 1;
    for (const Vertex w : data_.row(v)) ++matched_neighbors_[w];
  }
  void remove(Vertex v) {
    used_[v] = 0;
    for (const Vertex w : data_.row(v)) --matched_neighbors_[w];
  }

  /// Whether v has edges enough to unmatched vertices of each class. O(labels of v's neighbours).
  [[nodiscard]] bool look_ahead(const std::vector<LookAhead>& wanted, Vertex v) {
    if (wanted.empty()) return true;
    for (const Vertex w : data_.row(v)) {
      if (used(w)) continue;
      for (const Label label : data_.labels_of(w)) {
        ++all_[label];
        terminal_[label] += matched_neighbors_[w] > 0 ? 1 : 0;
      }
    }
    const bool enough = std::ranges::all_of(wanted, [&](const LookAhead& one) {
      return terminal_[one.of_class] >= one.terminal && all_[one.of_class] >= one.all;
    });
    for (const Vertex w : data_.row(v)) {
      for (const Label label : data_.labels_of(w)) all_[label] = terminal_[label] = 0;
    }
    return enough;
  }

 private:
  const Graph& data_;
  std::vector<std::uint8_t> used_;
  std::vector<std::uint32_t> matched_neighbors_;  // edges to matched vertices: the terminal set is where there are some
  std::vector<std::uint32_t> terminal_;           // by class; zero between calls
  std::vector<std::uint32_t> all_;
};

class Search {
 public:
  Search(const Graph& query, const Graph& data, const VerticesByLabel& by_label, const std::vector<Step>& steps,
         bool injective, State& state, Collector& collector)
      : query_(query),
        data_(data),
        by_label_(by_label),
        steps_(steps),
        injective_(injective),
        state_(state),
        collector_(collector),
        images_(steps.size()) {}

  void run() { extend(0); }

 private:
  void extend(std::size_t depth) {
    if (depth == steps_.size()) {
      collector_.take(images_);
      return;
    }
    const Step& step = steps_[depth];
    if (!step.parent) {
      for (const Vertex v : by_label_.rarest(query_.labels_of(step.u))) try_image(depth, v);
      return;
    }
    const QueryEdge& edge = *std::ranges::find(step.backward, *step.parent, &QueryEdge::to);
    for (const Vertex v : data_.row(images_[edge.to], edge.labels[0])) try_image(depth, v);
  }

  void try_image(std::size_t depth, Vertex v) {
    if (!collector_.alive() || !feasible(steps_[depth], v)) return;
    images_[steps_[depth].u] = v;
    if (injective_) state_.add(v);
    extend(depth + 1);
    if (injective_) state_.remove(v);
  }

  bool feasible(const Step& step, Vertex v) {
    if (injective_ && state_.used(v)) return false;
    if (!fits(query_, step.u, data_, v, injective_)) return false;
    if (!std::ranges::all_of(step.backward,
                             [&](const QueryEdge& edge) { return joined(data_, images_[edge.to], v, edge.labels); })) {
      return false;
    }
    return !injective_ || state_.look_ahead(step.look_ahead, v);
  }

  const Graph& query_;
  const Graph& data_;
  const VerticesByLabel& by_label_;
  const std::vector<Step>& steps_;
  bool injective_;
  State& state_;
  Collector& collector_;
  std::vector<Vertex> images_;
};

class Vf3 final : public QuerySolver {
 public:
  explicit Vf3(const Parameters& /*parameters*/) {}
  void configure(const Parameters& /*parameters*/) override {}

 protected:
  void prepare_graph(const Graph& data, Phases& phases) override {
    const auto scope = phases.cpu("index");
    data_ = &data;
    statistics_ = Statistics(data);
    by_label_ = VerticesByLabel(data);
    state_ = std::make_unique<State>(data);
  }

  void match(const Graph& query, const Deadline& deadline, QueryAnswer& answer, Phases& phases) override {
    const auto scope = phases.cpu("search");
    Progress progress(input(), deadline);
    Collector collector(progress);
    // A label that the data graph lacks is of no class, and nothing matches.
    if (std::ranges::find(query.labels, kNone<Label>) == query.labels.end()) {
      const std::vector<Step> steps = matching_sequence(query, statistics_);
      try {
        Search(query, *data_, by_label_, steps, injective(), *state_, collector).run();
      } catch (...) {  // of the host's memory: the next query begins with nothing matched
        state_->clear();
        throw;
      }
    }
    progress.add(collector.found());
    progress.finish(answer);
  }

 private:
  const Graph* data_ = nullptr;
  Statistics statistics_;
  VerticesByLabel by_label_;
  std::unique_ptr<State> state_;
};

WARPBENCH_SOLVER(SubgraphMatching, Vf3,
                 {.id = "vf3",
                  .title = "VF3: depth first, with classes, a probable order and look-ahead",
                  .source = "gsi2020 §VIII",
                  .role = Role::cpu_baseline,
                  .device = Target::cpu,
                  .parameters = {},
                  .smoke = {}})

}  // namespace
}  // namespace warpbench::matching
