// The parameters of graphs and their construction, which all solvers that search graphs share.
#include "algorithms/nearest_neighbors/graph_solver/graph_solver.hpp"

namespace warpbench::nearest_neighbors {

std::vector<ParameterSpec> graph_parameters(const char* search) {
  return {
      parameter("graph", "nsw").one_of({"nsw", "hnsw", "knn"}).at(Stage::prepare).means("the proximity graph searched"),
      parameter("builder", "ggraphcon")
          .one_of({"ggraphcon", "serial", "naive_parallel", "cpu"})
          .at(Stage::prepare)
          .means("GGraphCon, GSerial, GNaiveParallel; cpu: insertion by one CPU thread (nsw only)"),
      parameter("build_search", search)
          .one_of(search_method_names)
          .document({"ganns", "song"})
          .at(Stage::prepare)
          .means("the search inside the construction; pipelined: ours"),
      parameter("build_candidates", 64)
          .range(1, kMaxCandidates)
          .at(Stage::prepare)
          .means("length of N, or of SONG's queues, in searches of the construction"),
      parameter("local_candidates", 0)
          .range(0, kMaxCandidates)
          .alias("same", 0)
          .document({0})
          .at(Stage::prepare)
          .means("the same for the local graphs of the groups; same: build_candidates"),
      parameter("rounds", "document")
          .one_of({"document", "growing"})
          .document({"document"})
          .at(Stage::prepare)
          .means("document: one group is merged a round; growing: up to a sixteenth of the points so far (ours)"),
      parameter("d_min", 16).range(1, 256).at(Stage::prepare).means("neighbours searched for a point"),
      parameter("d_max", 32).range(1, 256).at(Stage::prepare).means("most out-neighbours of a point"),
      parameter("groups", 0)
          .range(0, 1 << 24)
          .alias("auto", 0)
          .at(Stage::prepare)
          .means("parts the points are cut into; auto: the square root of the points, with growing rounds 500, as far "
                 "as each has 256; and one for every 2,000 points at least"),
      parameter("blocks", 0)
          .range(0, 1 << 20)
          .alias("auto", 0)
          .at(Stage::prepare)
          .in("blocks")
          .means(
              "thread blocks of 32 threads of a launch of the construction (Fig 4.12); auto: as many as there is work, "
              "of up to 128 threads"),
      parameter("profile_build", false)
          .at(Stage::prepare)
          .means("count the construction's clock ticks in distances and in all (Fig 4.12)"),
      parameter("intermediate_degree", 0)
          .range(0, kMaxCandidates - 1)
          .alias("none", 0)
          .document({0})
          .at(Stage::prepare)
          .in("vertices")
          .means("nearest vertices of each, found by searching the graph, from which its edges are chosen by their "
                 "detours; none: edges are those that were built (ours)"),
      parameter("graph_degree", 32)
          .range(2, 256)
          .at(Stage::prepare)
          .means("edges of a vertex, with intermediate_degree"),
      parameter("reverse_edges", true)
          .at(Stage::prepare)
          .means("half of a row goes to edges back, with intermediate_degree"),
  };
}

void validate_graph(const Parameters& parameters) {
  require_at_most(parameters, "d_min", "d_max");  // a row has d_max places
  if (parameters.text("builder") != "ggraphcon" && parameters.text("graph") == "knn") {
    throw ParameterError("builder", "a knn graph has one builder here, ggraphcon");
  }
  if (parameters.text("builder") == "cpu" && parameters.text("graph") != "nsw") {
    throw ParameterError("builder", "builder: cpu makes nsw graphs only");
  }
  if (parameters.integer("intermediate_degree") == 0) return;
  if (parameters.text("graph") == "hnsw" || parameters.text("builder") == "cpu") {
    throw ParameterError("intermediate_degree",
                         "edges are chosen in graphs of one layer that the GPU built; say intermediate_degree: none");
  }
  if (parameters.integer("graph_degree") > parameters.integer("intermediate_degree")) {
    throw ParameterError("graph_degree", "edges are chosen from intermediate_degree vertices; say as many or fewer");
  }
}

}  // namespace warpbench::nearest_neighbors
