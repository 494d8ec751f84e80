// cagra: the graph index of the library cuVS on a GPU, started by peers/cagra_peer.py.
#include "baselines/nearest_neighbors/external.hpp"

namespace warpbench::nearest_neighbors {
namespace {

[[maybe_unused]] const bool kRegisteredCagra = register_external<NearestNeighbors, ExternalSearch>(
    {.id = "cagra",
     .title = "cuVS: CAGRA",
     .source = "https://github.com/rapidsai/cuvs",
     .role = Role::peer,
     .device = Target::cpu,  // the program needs a GPU and says so itself: this process does not
     .parameters =
         {parameter("graph_degree", 32).range(4, 512).at(Stage::prepare).means("neighbours of a vertex"),
          parameter("intermediate_degree", 64).range(4, 1024).at(Stage::prepare).means("neighbours before pruning"),
          parameter("builder", "nn_descent")
              .one_of({"nn_descent", "ivf_pq"})
              .at(Stage::prepare)
              .means("how neighbours are found"),
          parameter("precision", "fp32")
              .one_of({"fp32", "fp16"})
              .at(Stage::prepare)
              .means("of points and queries on the device"),
          parameter("itopk", 64).range(1, 1024).means("candidates of a search"),
          parameter("search_width", 1).range(1, 64).means("vertices that are expanded at once"),
          parameter("algorithm", "auto")
              .one_of({"auto", "single_cta", "multi_cta", "multi_kernel"})
              .means("how the blocks of a grid share a query")},
     .smoke = {{"graph_degree", 8}, {"intermediate_degree", 16}}},
    "WARPBENCH_CAGRA",
    "needs cuVS and a GPU: pip install cuvs-cu13 cupy-cuda13x, then export WARPBENCH_CAGRA='PYTHON "
    "…/peers/cagra_peer.py'");

}  // namespace
}  // namespace warpbench::nearest_neighbors
