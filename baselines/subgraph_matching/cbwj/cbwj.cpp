// cbwj: plans that combine binary joins with worst-case optimal ones (Mhedhbi and Salihoglu, Optimizing Subgraph
// Queries by Combining Binary and Worst-Case Optimal Joins, VLDB 2019; gsi2020 §VIII, §IX). A dynamic program over the
// connected parts of the query weighs two steps: an extension by one vertex intersects the sorted adjacency lists of
// its neighbours' images; a hash join merges two parts that share vertices. An extension costs the lengths of the lists
// that it reads (i-cost), estimated from a catalogue of sampled small patterns. It is not computed again while the
// images that it depends on stay. Matches flow through pipelines, threads sharing out the images of the first vertex.
//
// Differences: the catalogue holds patterns of up to three vertices, each sampled by weighted walks when it is first
// asked for. The weights of building and probing a hash table are ours. The publication changes the order of extensions
// while it runs; here the order stays. The publication finds homomorphisms; images are compared with each other where
// matches are to be one to one. Where only the first matches are asked for, plans have no hash joins, which find none
// before their tables are full. Vertices of several labels are found by the rarest of these and compared by all.
#include <memory>

#include "baselines/subgraph_matching/cbwj/pipeline.hpp"
#include "baselines/subgraph_matching/collector.hpp"
#include "baselines/subgraph_matching/parallel_solver.hpp"
#include "solvers/solver.hpp"

namespace warpbench::matching {
namespace {

using namespace cbwj;

class Cbwj final : public ParallelSolver {
 public:
  using ParallelSolver::ParallelSolver;

 protected:
  void prepare_graph(const Graph& data, Phases& phases) override {
    for (const Graph& query : input().queries()) {
      if (query.vertices() <= static_cast<std::int64_t>(kMaxQueryVertices)) continue;
      throw Unsupported("cbwj plans queries of at most " + std::to_string(kMaxQueryVertices) +
                        " vertices (edge_isomorphism: edges), found " + std::to_string(query.vertices()) +
                        "; take smaller queries");
    }
    {
      const auto scope = phases.cpu("index");
      data_ = std::make_unique<DataIndex>(data);
    }
    const auto scope = phases.cpu("catalogue");
    catalogue_ = std::make_unique<Catalogue>(*data_);
  }

  void match(const Graph& graph, const Deadline& deadline, QueryAnswer& answer, Phases& phases) override {
    Progress progress(input(), deadline);
    const IndexedQuery query(graph, *data_);
    counters_.clear();
    const JoinPlan plan = [&] {
      const auto scope = phases.cpu("plan");
      return plan_joins(query, *catalogue_, progress.output() == Output::first, [&progress] {
        progress.ask_the_clock();
        return !progress.over();
      });
    }();
    counters_["joins"] = static_cast<double>(plan.joins);
    counters_["estimated_cost"] = plan.cost;
    const auto scope = phases.cpu("search");
    std::vector<HashedMatches> tables;
    for (const Pipeline& pipeline : plan.pipelines) {
      const PipelineContext context{*data_, query, injective(), pipeline, tables};
      if (&pipeline == &plan.pipelines.back()) {
        run_last(context, progress);
      } else {
        tables.push_back(table_of(context, progress));
        counters_["peak_table_bytes"] += static_cast<double>(tables.back().bytes());
      }
    }
    progress.finish(answer);
  }

 private:
  /// make_sink(collector) of each thread.
  template <typename MakeSink>
  void run(const PipelineContext& context, Progress& progress, const MakeSink& make_sink) {
    const auto firsts = data_->by_label.rarest(context.query.graph->labels_of(context.pipeline.first));
    const int threads = threads_for(static_cast<std::int64_t>(firsts.size()));
    search(firsts.size(), threads, progress, [&](Collector& collector) {
      return [firsts, own = std::make_unique<PipelineRun>(context, make_sink(collector))](std::size_t i) {
        own->from(firsts[i]);
      };
    });
  }

  void run_last(const PipelineContext& context, Progress& progress) {
    run(context, progress, [](Collector& collector) {
      PipelineRun::Sink sink;
      sink.alive = [&collector] { return collector.alive(); };
      sink.take = [&collector](std::span<const Vertex> images) { collector.take(images); };
      if (collector.counts_only()) sink.take_count = [&collector](std::uint64_t count) { collector.take_count(count); };
      return sink;
    });
  }

  HashedMatches table_of(const PipelineContext& context, Progress& progress) {
    const std::vector<Vertex>& vertices = context.pipeline.vertices;
    std::vector<std::vector<Vertex>> rows_of_threads(
        static_cast<std::size_t>(threads_for(std::max<std::int64_t>(1, data_->graph->vertices()))));
    run(context, progress, [&](Collector& collector) {
      std::vector<Vertex>& rows = rows_of_threads[static_cast<std::size_t>(omp_get_thread_num())];
      PipelineRun::Sink sink;
      sink.alive = [&collector] { return collector.alive(); };
      sink.take = [&rows, &vertices](std::span<const Vertex> images) {
        for (const Vertex u : vertices) rows.push_back(images[u]);
      };
      return sink;
    });
    std::vector<Vertex> rows = std::move(rows_of_threads[0]);
    for (std::size_t i = 1; i < rows_of_threads.size(); ++i) {
      rows.insert(rows.end(), rows_of_threads[i].begin(), rows_of_threads[i].end());
      rows_of_threads[i] = {};
    }
    return {vertices, context.pipeline.key, std::move(rows)};
  }

  std::unique_ptr<DataIndex> data_;
  std::unique_ptr<Catalogue> catalogue_;
};

WARPBENCH_SOLVER(SubgraphMatching, Cbwj,
                 parallel_solver("cbwj", "Binary joins combined with worst-case optimal ones, planned by cost",
                                 "gsi2020 §VIII"))

}  // namespace
}  // namespace warpbench::matching
