#include "algorithms/set_similarity_join/engine/techniques.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "algorithms/set_similarity_join/engine/block_join_solver.hpp"

namespace warpbench::similarity {
namespace {

std::vector<Technique>& registered_techniques() {
  static std::vector<Technique> all;
  return all;
}

/// All sets where a technique knows no blocks.
std::int64_t block_size_of(const Parameters& parameters) {
  return parameters.values().contains("block_size") ? parameters.integer("block_size") : datasets::kMaxSets;
}

}  // namespace

const std::vector<Technique>& techniques() {
  return registered_techniques();
}

const Technique& technique(const std::string& id) {
  const auto found = std::ranges::find(techniques(), id, [](const Technique& each) { return each.info.id; });
  if (found == techniques().end()) throw std::logic_error("no technique '" + id + "' joins blocks of sets");
  return *found;
}

std::unique_ptr<BlockJoin> make_technique(const std::string& id, const std::map<std::string, Value>& given) {
  const Technique& chosen = technique(id);
  const Parameters parameters(chosen.info.parameters, given);
  chosen.info.validate(parameters);
  return chosen.make(parameters);
}

ParameterSpec block_size_parameter() {
  return parameter("block_size", 15'000)
      .range(1, static_cast<double>(datasets::kMaxSets))
      .alias("all", datasets::kMaxSets)
      .in("sets")
      .means("sets of a block; all: one block")
      .at(Stage::prepare);
}

bool register_technique(SolverInfo info, std::function<std::unique_ptr<BlockJoin>(const Parameters&)> make) {
  registered_techniques().push_back({info, make});
  return warpbench::detail::register_entry<SetSimilarityJoin>(
      {std::move(info), [make = std::move(make)](const Parameters& parameters) {
         return std::make_unique<BlockJoinSolver>(make(parameters), block_size_of(parameters));
       }});
}

}  // namespace warpbench::similarity
