// song: SONG, the document's GPU baseline (yu2023 §4.2.1; song_search.cuh), over the same graphs as ganns.
#include "algorithms/nearest_neighbors/graph_search/graph_searcher.hpp"
#include "solvers/solver.hpp"

namespace warpbench::nearest_neighbors {
namespace {

class Song final : public GraphSearcher {
 public:
  explicit Song(const Parameters& parameters) : GraphSearcher(parameters) {}

 protected:
  Search search_of(const Parameters& parameters) const override {
    Search search;
    search.method = SearchMethod::song;
    search.candidates = parameters.integer("queue");
    search.explore = search.candidates;
    search.threads = static_cast<int>(parameters.integer("threads_per_block"));
    search.profile = parameters.flag("profile");
    return search;
  }
};

std::vector<ParameterSpec> song_parameters() {
  std::vector<ParameterSpec> parameters = graph_parameters("song");
  parameters.push_back(
      parameter("queue", 64).range(8, 512).means("length of the bounded queues, a power of two, at least k"));
  parameters.push_back(
      parameter("threads_per_block", 32).range(4, 32).in("threads").means("n_t: 4, 8, 16 or 32 (Fig 4.8)"));
  parameters.push_back(parameter("profile", false).means("count the clock ticks in distances and in all (Fig 4.5)"));
  return parameters;
}

void validate(const Parameters& parameters) {
  validate_graph(parameters);
  for (const char* name : {"queue", "threads_per_block"}) {
    const std::int64_t value = parameters.integer(name);
    if ((value & (value - 1)) != 0) throw ParameterError(name, "expected a power of two");
  }
}

}  // namespace

WARPBENCH_SOLVER(NearestNeighbors, Song,
                 {.id = "song",
                  .title = "SONG: graph search with distances on all threads, data structures on one",
                  .source = "yu2023 §4.2.1",
                  .role = Role::gpu_baseline,
                  .device = Target::gpu,
                  .parameters = song_parameters(),
                  .smoke = {{"build_search", std::string("pipelined")},
                            {"build_candidates", std::int64_t{32}},
                            {"queue", std::int64_t{32}}},
                  .validate = validate})

}  // namespace warpbench::nearest_neighbors
