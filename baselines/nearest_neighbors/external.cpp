#include "baselines/nearest_neighbors/external.hpp"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>

#include "solvers/external/own_program.hpp"
#include "solvers/nearest_neighbors/float_space.hpp"

namespace warpbench::nearest_neighbors {
namespace {

constexpr const char* kProblem = "nearest_neighbors";
constexpr const char* kNeighborFile = "neighbors.u32";

std::span<const float> values_of(const VectorBlock& block) {
  return {block.values, static_cast<std::size_t>(block.count * block.dimension)};
}

[[maybe_unused]] const bool kRegisteredOwnProgram = register_own_program<NearestNeighbors, ExternalSearch>();

}  // namespace

void ExternalSearch::prepare(const Input& input, Phases& phases) {
  input_ = &input;
  neighbors_.assign(static_cast<std::size_t>(input.queries() * input.k), kNone<std::uint32_t>);
  start(phases);
  const FloatSpace space(input);
  {
    const auto scope = phases.cpu("write");
    session().write("points.f32", values_of(space.points()));
    session().write("queries.f32", values_of(space.queries()));
  }
  session().prepare(kProblem,
                    {{"points", input.points()},
                     {"queries", input.queries()},
                     {"dimension", input.dimension()},
                     {"metric", space.form() == Form::inner_product ? "inner_product" : "euclidean"}},
                    parameters(), phases);
}

void ExternalSearch::solve(Phases& phases) {
  session().solve_once(kProblem, {{"task", {{"k", input_->k}}}}, parameters(), "search", kNeighborFile, neighbors_,
                       phases);
}

void ExternalSearch::download(Answer& answer, Phases& /*phases*/) {
  answer.neighbors = neighbors_;
}

}  // namespace warpbench::nearest_neighbors
