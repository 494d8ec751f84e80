// fgSSJoin (bellas2022 §5.1.1): blocks of sets, each indexed by its prefixes and probed by itself and its predecessors.
#include <memory>

#include "algorithms/set_similarity_join/compact/compact_join.cuh"
#include "algorithms/set_similarity_join/dense/fgssjoin_matrix.cuh"
#include "algorithms/set_similarity_join/engine/techniques.hpp"

namespace warpbench::similarity {
namespace {

std::unique_ptr<BlockJoin> make_fgssjoin(const Parameters& parameters) {
  if (parameters.text("candidates") == "compact") return std::make_unique<CompactJoin>(parameters);
  return std::make_unique<FgssjoinMatrix>(parameters);
}

std::vector<ParameterSpec> fgssjoin_parameters() {
  std::vector<ParameterSpec> parameters = LaunchShape::parameters();
  parameters.push_back(block_size_parameter());
  parameters.push_back(
      parameter("candidates", "matrix")
          .one_of({"matrix", "compact"})
          .document({"matrix"})
          .means("how candidates are found: counts of all pairs of sets, or matches of lists, tile by tile")
          .at(Stage::prepare));
  return parameters;
}

[[maybe_unused]] const bool fgssjoin_registered = register_technique(
    {.id = "fgssjoin",
     .title = "blocks of sets: candidates by an inverted index of prefixes, then verified",
     .source = "bellas2022 §5.1.1",
     .role = Role::gpu_baseline,
     .device = Target::gpu,
     .parameters = fgssjoin_parameters(),
     .smoke = {{"block_size", 25}, {"blocks", 2}, {"threads_per_block", 32}},
     .best = {{"candidates", "compact"}, {"block_size", "all"}, {"blocks", "all"}, {"threads_per_block", 256}},
     .exact = true},
    make_fgssjoin);

}  // namespace
}  // namespace warpbench::similarity
