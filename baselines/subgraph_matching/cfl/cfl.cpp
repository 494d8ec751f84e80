// cfl: CFL-Match (Bi, Chang, Lin, Qin and Zhang, Efficient Subgraph Matching by Postponing Cartesian Products, SIGMOD
// 2016; gsi2020 §VIII, yu2023 §2.3.1). The query is cut into its 2-core, the forest at it and the leaves. A compact
// path index holds the candidates and the edges between them along a breadth-first tree; it is made top down and
// refined bottom up. The core, then the forest are matched path by path, in the order that multiplies partial matches
// least. Leaves come last; they are counted, not listed, where only the number is asked for. Differences: every test
// looks at labels of edges, too. Candidates, and those of the first vertex in the search, are dealt out to threads; the
// publication has one thread. Homomorphisms leave out the tests that only distinct vertices justify: degrees, numbers
// of neighbours of a label, marks of used vertices.
#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>

#include "baselines/subgraph_matching/cfl/candidates.hpp"
#include "baselines/subgraph_matching/cfl/leaves.hpp"
#include "baselines/subgraph_matching/cfl/order.hpp"
#include "baselines/subgraph_matching/collector.hpp"
#include "baselines/subgraph_matching/parallel_solver.hpp"
#include "solvers/solver.hpp"

namespace warpbench::matching {
namespace {

using namespace cfl;

/// A query vertex in the order of matching, with its edges to earlier vertices that are not in the tree.
struct Step {
  Vertex u;
  std::vector<QueryEdge> checks;
};

std::vector<Step> steps_of(const std::vector<Vertex>& order, const IndexedQuery& query, const CompactPathIndex& index) {
  std::vector<Step> steps;
  std::vector<bool> earlier(query.edges.size(), false);
  for (const Vertex u : order) {
    Step step{u, {}};
    for (const QueryEdge& edge : query.edges[u]) {
      if (earlier[edge.to] && edge.to != index.nodes[u].parent) step.checks.push_back(edge);
    }
    steps.push_back(std::move(step));
    earlier[u] = true;
  }
  return steps;
}

/// The plan of one query's search, which its threads share.
struct SearchPlan {
  const Graph& data;
  const IndexedQuery& query;
  const CompactPathIndex& index;
  std::vector<Step> steps;        // core and forest; and leaves, where they are listed
  std::vector<LeafGroup> leaves;  // where they are counted
};

/// One thread's search.
class Search {
 public:
  Search(const SearchPlan& plan, std::vector<std::uint8_t>& used, Collector& collector)
      : plan_(plan),
        used_(used),
        collector_(collector),
        images_(plan.query.edges.size()),
        places_(plan.query.edges.size()),
        alive_([&collector] { return collector.alive(); }),
        leaves_(plan.query, plan.index, plan.leaves, used, alive_) {}
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  /// All matches that give the root its `place`-th candidate.
  void from(std::uint32_t place) { try_place(0, place); }

 private:
  void extend(std::size_t depth) {
    if (depth == plan_.steps.size()) {
      finish();
      return;
    }
    const CompactPathIndex::Node& node = plan_.index.nodes[plan_.steps[depth].u];
    for (const std::uint32_t place : node.below_of(places_[node.parent])) {
      try_place(depth, place);
      if (!collector_.alive()) return;
    }
  }

  void try_place(std::size_t depth, std::uint32_t place) {
    const Step& step = plan_.steps[depth];
    const Vertex v = plan_.index.nodes[step.u].candidates[place];
    if (plan_.query.injective && used_[v] != 0) return;
    if (!std::ranges::all_of(
            step.checks, [&](const QueryEdge& edge) { return joined(plan_.data, images_[edge.to], v, edge.labels); })) {
      return;
    }
    images_[step.u] = v;
    places_[step.u] = place;
    used_[v] = 1;
    extend(depth + 1);
    used_[v] = 0;
  }

  void finish() {
    if (!collector_.counts_only()) {
      collector_.take(images_);
      return;
    }
    const Ways ways = leaves_.count(places_);
    if (!ways) throw std::overflow_error("more than 2^64 - 1 matches");
    collector_.take_count(*ways);
  }

  const SearchPlan& plan_;
  std::vector<std::uint8_t>& used_;
  Collector& collector_;
  std::vector<Vertex> images_;
  std::vector<std::uint32_t> places_;
  const std::function<bool()> alive_;
  LeafMatching leaves_;
};

class Cfl final : public ParallelSolver {
 public:
  using ParallelSolver::ParallelSolver;

 protected:
  void prepare_graph(const Graph& data, Phases& phases) override {
    const auto scope = phases.cpu("index");
    data_ = std::make_unique<DataIndex>(data);
    counts_.assign(static_cast<std::size_t>(data.vertices()), 0);
  }

  void match(const Graph& graph, const Deadline& deadline, QueryAnswer& answer, Phases& phases) override {
    Progress progress(input(), deadline);
    const IndexedQuery query(graph, injective());
    CompactPathIndex index;
    {
      const auto scope = phases.cpu("filter");
      index = index_of(query, progress);
    }
    counters_ = {{"candidates", static_cast<double>(index.candidates())}};
    if (!progress.over() &&
        std::ranges::none_of(index.nodes, [](const auto& node) { return node.candidates.empty(); })) {
      const auto scope = phases.cpu("search");
      search_all(query, index, progress);
    }
    progress.finish(answer);
  }

 private:
  /// Marks are left where memory ends, or the time; the next query begins without.
  CompactPathIndex index_of(const IndexedQuery& query, Progress& progress) {
    CompactPathIndex index;
    try {
      index = compact_path_index(query, *data_, threads_for(data_->graph->vertices()), counts_, progress);
    } catch (...) {
      std::ranges::fill(counts_, 0U);
      throw;
    }
    if (progress.over()) std::ranges::fill(counts_, 0U);
    return index;
  }

  void search_all(const IndexedQuery& query, const CompactPathIndex& index, Progress& progress) {
    std::vector<Vertex> order = matching_order(query, index);
    SearchPlan plan{*data_->graph, query, index, {}, {}};
    if (progress.output() == Output::count) {
      plan.leaves = leaf_groups(query, index, plan.data.vertices());
    } else {
      std::ranges::copy_if(index.order, std::back_inserter(order),
                           [&](Vertex u) { return index.nodes[u].region == Region::leaf; });
    }
    plan.steps = steps_of(order, query, index);
    const std::size_t tasks = index.nodes[index.root()].candidates.size();
    const int threads = threads_for(static_cast<std::int64_t>(tasks));
    used_.resize(std::max(used_.size(), static_cast<std::size_t>(threads)));
    search(tasks, threads, progress, [&](Collector& collector) {
      std::vector<std::uint8_t>& used = used_[static_cast<std::size_t>(omp_get_thread_num())];
      used.assign(static_cast<std::size_t>(plan.data.vertices()), 0);
      return [one = std::make_unique<Search>(plan, used, collector)](std::size_t place) {
        one->from(static_cast<std::uint32_t>(place));
      };
    });
  }

  std::unique_ptr<DataIndex> data_;
  std::vector<std::uint32_t> counts_;            // a zero for each data vertex
  std::vector<std::vector<std::uint8_t>> used_;  // of each thread, a flag for each data vertex
};

WARPBENCH_SOLVER(SubgraphMatching, Cfl,
                 parallel_solver("cfl", "CFL-Match: core, forest and leaves, products postponed",
                                 "gsi2020 §VIII; yu2023 §2.3.1"))

}  // namespace
}  // namespace warpbench::matching
