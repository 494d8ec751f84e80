#include "algorithms/set_similarity_join/engine/techniques.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace warpbench::similarity {
namespace {

std::vector<Technique>& registered_techniques() {
  static std::vector<Technique> all;
  return all;
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

bool detail::add_technique(Technique technique) {
  registered_techniques().push_back(std::move(technique));
  return true;
}

std::int64_t detail::block_size_of(const Parameters& parameters) {
  return parameters.values().contains("block_size") ? parameters.integer("block_size") : datasets::kMaxSets;
}

}  // namespace warpbench::similarity
