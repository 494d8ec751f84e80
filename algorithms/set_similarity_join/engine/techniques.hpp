// The techniques that join blocks of sets on the device, by the name of their solver. A technique registers itself as
// both:
//
//   [[maybe_unused]] const bool registered = register_technique<Fgssjoin>({.id = "fgssjoin", …});
//
//   const std::unique_ptr<BlockJoin> join = make_technique("fgssjoin", {{"blocks", 132}});
//   const std::unique_ptr<BlockJoin> best = make_technique("fgssjoin", technique("fgssjoin").info.best);
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/set_similarity_join/engine/block_join.hpp"
#include "solvers/solver.hpp"

namespace warpbench::similarity {

struct Technique {
  SolverInfo info;
  std::function<std::unique_ptr<BlockJoin>(const Parameters&)> make;  ///< with parameters as `info` declares them
};

/// Those that are linked into this program, in no particular order.
[[nodiscard]] const std::vector<Technique>& techniques();
/// Throws std::logic_error for an unknown id.
[[nodiscard]] const Technique& technique(const std::string& id);
/// `given` over the technique's defaults. Throws ParameterError.
[[nodiscard]] std::unique_ptr<BlockJoin> make_technique(const std::string& id,
                                                        const std::map<std::string, Value>& given = {});

/// Sets of a block; `all`: one block.
[[nodiscard]] ParameterSpec block_size_parameter();

/// Registers what `make` makes as a technique and as a solver.
bool register_technique(SolverInfo info, std::function<std::unique_ptr<BlockJoin>(const Parameters&)> make);
/// The same of a class that is constructible from const Parameters&.
template <typename Class>
bool register_technique(SolverInfo info) {
  return register_technique(std::move(info), [](const Parameters& given) { return std::make_unique<Class>(given); });
}

}  // namespace warpbench::similarity
