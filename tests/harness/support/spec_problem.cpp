// `spec_probe`: a problem whose solvers declare parameters of every type, for specs in tests to name. `spec_queries` is
// the same for graphs with queries. They are never run.
#include <stdexcept>
#include <string>

#include "problems/problem.hpp"
#include "solvers/registry.hpp"
#include "solvers/solver.hpp"

namespace warpbench {
namespace {

const std::vector<SolverInfo>& probe_solvers() {
  static const std::vector<SolverInfo> solvers = [] {
    std::vector<SolverInfo> made(4);
    made[0].id = "absent";
    made[0].unavailable = "libnowhere is missing";
    made[1].id = "plain";
    made[2].id = "tuned";
    made[2].device = Target::gpu;
    made[2].parameters = {parameter("threads", 0).range(0, 64).alias("all", 0).means("CPU threads"),
                          parameter("ef", 64).range(1, 1024).means("length of the result list"),
                          parameter("explore", 16).range(1, 1024).means("at most ef"),
                          parameter("graph", "nsw").one_of({"nsw", "hnsw", "knn"}).at(Stage::prepare),
                          parameter("depth", 4).range(1, 16).at(Stage::prepare),
                          parameter("memory", 0).range(0, 1e9).in("B").alias("all", 0),
                          parameter("ratio", 0.5).range(0, 1),
                          parameter("fast", false).document({false}),
                          parameter("label", "none")};
    made[2].smoke = {{"ef", 32}};
    made[2].best = {{"fast", true}, {"ef", 128}, {"threads", "all"}};
    made[2].validate = [](const Parameters& p) { require_at_most(p, "explore", "ef"); };
    made[3].id = "wide";
    for (int i = 0; i < 10; ++i)
      made[3].parameters.push_back(parameter("p" + std::to_string(i), 0).range(0, 1'000'000));
    return made;
  }();
  return solvers;
}

/// The problem struct of all; no solver uses it.
struct SpecProbe {};

bool register_probe(const std::string& id, datasets::Kind kind) {
  ProblemEntry entry;
  entry.info.id = id;
  entry.info.title = "a problem that only specs in tests name";
  entry.info.task = {parameter("k", 10).range(1, 1000), parameter("mode", "single").one_of({"single", "multi"}),
                     parameter("threshold", 0.5).range(0, 1)};
  entry.info.accepts = {kind};
  entry.info.validate = [](const Parameters& p) {
    if (p.text("mode") == "multi" && p.integer("k") < 2)
      throw ParameterError("k", "mode multi needs a 'k' of at least 2");
  };
  entry.type = typeid(SpecProbe);
  entry.instance = [](const std::shared_ptr<const datasets::Dataset>&,
                      const Parameters&) -> std::unique_ptr<ProblemInstance> { throw std::logic_error("never run"); };
  return detail::register_problem(std::move(entry)) &&
         detail::register_family(typeid(SpecProbe), {[] {
                                                       std::vector<const SolverInfo*> infos;
                                                       for (const SolverInfo& solver : probe_solvers())
                                                         infos.push_back(&solver);
                                                       return infos;
                                                     },
                                                     nullptr});
}

[[maybe_unused]] const bool kRegistered = register_probe("spec_probe", datasets::Kind::Graph) &&
                                          register_probe("spec_queries", datasets::Kind::GraphQueries) &&
                                          register_probe("spec_ratings", datasets::Kind::Ratings);

}  // namespace
}  // namespace warpbench
