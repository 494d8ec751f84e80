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
#include <vector>

#include "algorithms/set_similarity_join/engine/block_join.hpp"
#include "algorithms/set_similarity_join/engine/block_join_solver.hpp"
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

namespace detail {
bool add_technique(Technique technique);
/// All sets where a technique knows no blocks.
[[nodiscard]] std::int64_t block_size_of(const Parameters& parameters);
}  // namespace detail

/// A technique, constructible from const Parameters&, as a solver.
template <typename Class>
class BlockJoinBy final : public BlockJoinSolver {
 public:
  explicit BlockJoinBy(const Parameters& parameters)
      : BlockJoinSolver(std::make_unique<Class>(parameters), detail::block_size_of(parameters)) {}
};

template <typename Class>
bool register_technique(SolverInfo info) {
  detail::add_technique({info, [](const Parameters& parameters) { return std::make_unique<Class>(parameters); }});
  return warpbench::detail::register_solver<SetSimilarityJoin, BlockJoinBy<Class>>(std::move(info));
}

}  // namespace warpbench::similarity
