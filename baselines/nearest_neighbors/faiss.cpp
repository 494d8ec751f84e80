// faiss: indexes of the library faiss on a CPU, started by peers/faiss_peer.py.
#include "baselines/nearest_neighbors/external.hpp"

#include "solvers/threads.hpp"

namespace warpbench::nearest_neighbors {
namespace {

[[maybe_unused]] const bool kRegisteredFaiss = register_external<NearestNeighbors, ExternalSearch>(
    {.id = "faiss",
     .title = "faiss: inverted file, HNSW or brute force",
     .source = "https://github.com/facebookresearch/faiss",
     .role = Role::peer,
     .device = Target::cpu,
     .parameters = {parameter("index", "hnsw")
                        .one_of({"hnsw", "ivf", "flat"})
                        .at(Stage::prepare)
                        .means("IndexHNSWFlat, IndexIVFFlat or IndexFlat"),
                    parameter("m", 32).range(2, 512).at(Stage::prepare).means("hnsw: links of a vertex"),
                    parameter("ef_construction", 40)
                        .range(1, 65536)
                        .at(Stage::prepare)
                        .means("hnsw: candidates of a search while building"),
                    parameter("ef", 64).range(1, 65536).means("hnsw: candidates of a search"),
                    parameter("lists", 1024)
                        .range(1, 1 << 20)
                        .at(Stage::prepare)
                        .means("ivf: lists; no more than there are points"),
                    parameter("probes", 8).range(1, 1 << 20).means("ivf: lists that a search looks at"),
                    parameter("build_threads", 0)
                        .range(0, 1024)
                        .alias("all", 0)
                        .at(Stage::prepare)
                        .means("CPU threads that build; 0 or all: as many as this process may use"),
                    threads_parameter()},
     .smoke = {{"index", "ivf"}, {"lists", 4}, {"probes", 4}, {"threads", 2}}},
    "WARPBENCH_FAISS",
    "needs faiss: pip install faiss-cpu, then export WARPBENCH_FAISS='PYTHON …/peers/faiss_peer.py'");

}  // namespace
}  // namespace warpbench::nearest_neighbors
