// song: SONG, the document's GPU baseline (yu2023 §4.2.1; song_search.cuh), over the same graphs as ganns.
#include <bit>

#include "algorithms/nearest_neighbors/graph_solver/graph_solver.hpp"
#include "algorithms/nearest_neighbors/graph_solver/register_search.cuh"
#include "algorithms/nearest_neighbors/song/song_search.cuh"
#include "solvers/solver.hpp"

namespace warpbench::nearest_neighbors {
namespace {

/// The table holds two queues and a list of neighbours at most, and stays half empty.
int places_of_table(int candidates) {
  return static_cast<int>(std::bit_ceil(4U * static_cast<unsigned>(candidates)));
}

[[maybe_unused]] const bool song_registered =
    register_search<SearchesByStride<SongSearch>>({.name = "song", .visited = places_of_table});

class Song final : public GraphSolver {
 public:
  explicit Song(const Parameters& parameters) : GraphSolver(parameters) {}

 protected:
  SearchParameters search_of(const Parameters& parameters) const override {
    SearchParameters search;
    search.method = "song";
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
      parameter("queue", 64).range(8, 512).power_of_two().means("length of the bounded queues, at least k"));
  parameters.push_back(
      parameter("threads_per_block", 32).range(4, 32).power_of_two().in("threads").means("n_t (Fig 4.8)"));
  parameters.push_back(parameter("profile", false).means("count the clock ticks in distances and in all (Fig 4.5)"));
  return parameters;
}

}  // namespace

WARPBENCH_SOLVER(
    NearestNeighbors, Song,
    {.id = "song",
     .title = "SONG: graph search with distances on all threads, data structures on one",
     .source = "yu2023 §4.2.1",
     .role = Role::gpu_baseline,
     .device = Target::gpu,
     .parameters = song_parameters(),
     .smoke = {{"build_search", "pipelined"}, {"build_candidates", 32}, {"queue", 32}, {"d_min", 8}, {"d_max", 16}},
     .validate = validate_graph})

}  // namespace warpbench::nearest_neighbors
