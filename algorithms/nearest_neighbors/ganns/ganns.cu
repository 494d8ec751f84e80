// ganns: GANNS, graph search with lazy update and lazy check (yu2023 §4.2), over graphs that GGraphCon builds (§4.3).
// `method: document` is the document's kernel, `method: pipelined` this project's (pipelined_search.cuh).
#include <bit>
#include <memory>

#include "algorithms/nearest_neighbors/ganns/ganns_search.cuh"
#include "algorithms/nearest_neighbors/graph_solver/graph_solver.hpp"
#include "algorithms/nearest_neighbors/graph_solver/register_search.cuh"
#include "algorithms/nearest_neighbors/shards/sharded_solver.hpp"
#include "device/device.hpp"
#include "solvers/delegating_solver.hpp"
#include "solvers/solver.hpp"

namespace warpbench::nearest_neighbors {
namespace {

[[maybe_unused]] const bool ganns_registered = register_search<SearchesByStride<GannsSearch>>({.name = "ganns"});

constexpr std::int64_t kAuto = 1;  ///< `rerank: auto`

SearchParameters search_parameters(const Parameters& parameters) {
  SearchParameters search;
  search.method = parameters.text("method") == "pipelined" ? "pipelined" : "ganns";
  search.candidates = parameters.integer("candidates");
  search.explore = parameters.integer("explore") > 0 ? parameters.integer("explore") : search.candidates;
  search.threads = static_cast<int>(parameters.integer("threads_per_block"));
  search.entries = parameters.integer("entries");
  search.visited = parameters.integer("visited");
  search.rerank_as_needed = parameters.integer("rerank") == kAuto;
  search.rerank = search.rerank_as_needed ? 0 : parameters.integer("rerank");
  search.profile = parameters.flag("profile");
  return search;
}

/// Over one graph.
class GannsOverGraph final : public GraphSolver {
 public:
  explicit GannsOverGraph(const Parameters& parameters) : GraphSolver(parameters) {}

 protected:
  SearchParameters search_of(const Parameters& parameters) const override { return search_parameters(parameters); }
};

class Ganns final : public DelegatingSolver<NearestNeighbors> {
 public:
  explicit Ganns(const Parameters& parameters) : DelegatingSolver(parameters) {}

  void prepare(const NearestNeighbors::Input& input, Phases& phases) override {
    delegate_.reset();
    const std::int64_t shards = shards_for(input);
    if (shards == 1) {
      delegate_ = std::make_unique<GannsOverGraph>(parameters());
    } else {
      delegate_ = std::make_unique<ShardedSolver>(
          parameters(), shards,
          [](const Parameters& parameters) { return std::make_unique<GannsOverGraph>(parameters); }, search_parameters);
    }
    delegate_->prepare(input, phases);
  }

 private:
  [[nodiscard]] std::int64_t shards_for(const NearestNeighbors::Input& input) const {
    const std::int64_t wanted = parameters().integer("shards");
    if (wanted == 1) return 1;
    SearchParameters search = search_parameters(parameters());
    search.settle_for(input.k);
    const ShardMemory memory = shard_memory(parameters(), search, input);
    if (wanted == 0) return fewest_shards(input.points(), free_memory(), memory);
    check_search_memory(input.points(), wanted, free_memory(), memory);
    return wanted;
  }
};

std::vector<ParameterSpec> ganns_parameters() {
  std::vector<ParameterSpec> parameters = graph_parameters("ganns");
  const auto add = [&parameters](ParameterSpec spec) { parameters.push_back(std::move(spec)); };
  add(parameter("candidates", 64).range(8, 512).power_of_two().means("l_n: length of N, at least k"));
  add(parameter("explore", 0)
          .range(0, 512)
          .alias("all", 0)
          .means("e: entries of N that are explored, at most l_n; all: l_n"));
  add(parameter("threads_per_block", 32).range(4, 32).power_of_two().in("threads").means("n_t (Fig 4.8)"));
  add(parameter("profile", false).means("count the clock ticks in distances and in all (Fig 4.5)"));
  add(parameter("method", "document")
          .one_of({"document", "pipelined"})
          .document({"document"})
          .means("document: GANNS as described; pipelined: many vectors in flight (ours)"));
  add(parameter("precision", "fp32")
          .one_of({"fp32", "fp16", "int8"})
          .document({"fp32"})
          .at(Stage::prepare)
          .means("of the points while searching; fp16 and int8 for method: pipelined"));
  add(parameter("entries", 1)
          .range(1, 32)
          .document({1})
          .in("vertices")
          .means("vertices a search of one layer begins with (method: pipelined)"));
  add(parameter("visited", 0)
          .range(0, 8192)
          .power_of_two()
          .document({0})
          .in("places")
          .means("table of seen vertices (method: pipelined)"));
  add(parameter("rerank", 0)
          .range(0, 512)
          .alias("none", 0)
          .alias("auto", kAuto)
          .document({0})
          .in("vertices")
          .means("the nearest that were found, which are ordered by distances in single precision: 8 or a higher power "
                 "of two, at least k (precision: fp16 or int8); auto: 32, or as many as k needs"));
  add(parameter("shards", 1)
          .range(0, kMaxShards)
          .alias("auto", 0)
          .document({1})
          .at(Stage::prepare)
          .means(
              "graphs over as many parts of the points, all of which a query searches: their points in 8 bits are on "
              "the device, the vectors in host memory; auto: as few as device memory allows (ours)"));
  return parameters;
}

void validate_shards(const Parameters& parameters) {
  if (parameters.integer("shards") == 1) return;
  if (parameters.text("method") != "pipelined" || parameters.text("precision") != "int8" ||
      parameters.integer("rerank") == 0) {
    throw ParameterError("shards",
                         "shards are searched in 8 bits and ordered by exact distances; say method: pipelined, "
                         "precision: int8 and rerank: auto, or shards: 1");
  }
  if (parameters.text("graph") != "nsw") throw ParameterError("shards", "shards have graphs of the kind nsw");
}

void validate(const Parameters& parameters) {
  validate_graph(parameters);
  validate_shards(parameters);
  require_at_most(parameters, "explore", "candidates");  // only entries of N are explored
  require_at_most(parameters, "rerank", "candidates");   // and reordered
  const auto rerank = static_cast<std::uint64_t>(parameters.integer("rerank"));
  if (rerank > 0 && rerank != kAuto && (rerank < 8 || !std::has_single_bit(rerank))) {
    throw ParameterError("rerank", "expected none, auto, or 8 or a higher power of two");
  }
  if (rerank > 0 && parameters.text("precision") == "fp32") {
    throw ParameterError("rerank", "distances are exact with precision: fp32; say rerank: none");
  }
  if (parameters.text("method") == "pipelined") {
    if (parameters.integer("threads_per_block") != 32) {
      throw ParameterError("threads_per_block", "method: pipelined works with whole warps; say 32");
    }
    if (parameters.integer("candidates") < 32) {
      throw ParameterError("candidates", "method: pipelined keeps a candidate a lane; say 32 or more");
    }
    return;
  }
  if (parameters.text("precision") != "fp32") {
    throw ParameterError("precision", "fp16 and int8 need method: pipelined");
  }
  if (parameters.integer("entries") != 1) throw ParameterError("entries", "more than one needs method: pipelined");
  if (parameters.integer("visited") != 0) throw ParameterError("visited", "a table needs method: pipelined");
}

}  // namespace

WARPBENCH_SOLVER(NearestNeighbors, Ganns,
                 {.id = "ganns",
                  .title = "GANNS: graph search with lazy update and lazy check, a block a query",
                  .source = "yu2023 §4.2, §4.3",
                  .role = Role::proposed,
                  .device = Target::gpu,
                  .parameters = ganns_parameters(),
                  .smoke = {{"build_search", "pipelined"},
                            {"build_candidates", 32},
                            {"candidates", 32},
                            {"d_min", 8},
                            {"d_max", 16}},
                  .best = {{"method", "pipelined"},
                           {"visited", 1024},
                           {"entries", 32},
                           {"precision", "int8"},
                           {"rerank", kAuto},
                           {"intermediate_degree", 128},
                           {"graph_degree", 64},
                           {"build_search", "pipelined"},
                           {"build_candidates", 128},
                           {"local_candidates", 32},
                           {"rounds", "growing"}},
                  .validate = validate})

}  // namespace warpbench::nearest_neighbors
