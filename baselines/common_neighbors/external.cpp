#include "baselines/common_neighbors/external.hpp"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>

#include "solvers/external/own_program.hpp"

namespace warpbench {
namespace {

constexpr const char* kProblem = "common_neighbors";
constexpr const char* kCountFile = "counts.u32";

[[maybe_unused]] const bool kRegisteredOwnProgram = register_own_program<CommonNeighbors, ExternalCounts>();

}  // namespace

void ExternalCounts::prepare(const Input& input, Phases& phases) {
  counts_.assign(static_cast<std::size_t>(input.graph->slots()), 0);
  start(phases);
  {
    const auto scope = phases.cpu("write");
    const std::vector<std::uint64_t> of_nothing{0};  // a graph without vertices may lack them
    session().write("offsets.u64", input.graph->offsets.empty() ? std::span<const std::uint64_t>(of_nothing)
                                                                : input.graph->offsets.span());
    session().write("neighbors.u32", input.graph->neighbors);
  }
  session().prepare(kProblem, {{"vertices", input.graph->vertices()}, {"slots", input.graph->slots()}}, parameters(),
                    phases);
}

void ExternalCounts::solve(Phases& phases) {
  session().solve_once(kProblem, nlohmann::json::object(), parameters(), "count", kCountFile, counts_, phases);
}

void ExternalCounts::download(Answer& answer, Phases& /*phases*/) {
  answer.counts = counts_;
}

}  // namespace warpbench
