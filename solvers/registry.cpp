#include "solvers/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warpbench {
namespace {

std::map<std::type_index, detail::SolverFamily>& families() {
  static std::map<std::type_index, detail::SolverFamily> by_problem;
  return by_problem;
}

}  // namespace

const char* to_string(Role role) {
  switch (role) {
    case Role::proposed:
      return "proposed";
    case Role::gpu_baseline:
      return "gpu_baseline";
    case Role::cpu_baseline:
      return "cpu_baseline";
    case Role::peer:
      return "peer";
  }
  return "?";
}

const char* to_string(Target target) {
  switch (target) {
    case Target::cpu:
      return "cpu";
    case Target::gpu:
      return "gpu";
    case Target::hybrid:
      return "hybrid";
  }
  return "?";
}

const char* to_string(Point point) {
  switch (point) {
    case Point::document:
      return "document";
    case Point::best:
      return "best";
    case Point::other:
      return "other";
  }
  return "?";
}

Point point_of(const SolverInfo& solver, const Parameters& parameters) {
  const Parameters best(solver.parameters, solver.best);
  bool is_documents = true;
  bool is_best = true;
  for (const ParameterSpec& spec : solver.parameters) {
    if (spec.document_values.empty()) continue;
    const Value& value = parameters.values().find(spec.name)->second;
    is_documents = is_documents && spec.is_documents(value);
    is_best = is_best && value == best.values().find(spec.name)->second;
  }
  if (solver.ours) return Point::best;
  if (is_documents) return Point::document;
  return is_best ? Point::best : Point::other;
}

Judgement judged_for(const SolverInfo& solver, Judgement judgement) {
  if (!solver.exact || judgement.verdict != Verdict::approximate) return judgement;
  std::string found;
  for (const auto& [name, value] : judgement.metrics)
    found += fmt::format("{}{} {}", found.empty() ? "" : ", ", name, value);
  return wrong(fmt::format("expected an exact answer, as {} promises, found {}", solver.id, found));
}

std::vector<const SolverInfo*> solvers_of(const ProblemEntry& problem) {
  const auto family = families().find(problem.type);
  if (family == families().end()) return {};
  std::vector<const SolverInfo*> infos = family->second.infos();
  std::ranges::sort(infos, {}, &SolverInfo::id);
  return infos;
}

const SolverInfo* find_solver(const ProblemEntry& problem, const std::string& id) {
  for (const SolverInfo* candidate : solvers_of(problem)) {
    if (candidate->id == id) return candidate;
  }
  return nullptr;
}

std::unique_ptr<BoundSolver> bind_solver(const ProblemEntry& problem, const std::string& id, ProblemInstance& instance,
                                         const Parameters& parameters) {
  const SolverInfo* info = find_solver(problem, id);
  if (info == nullptr) throw std::logic_error("problem '" + problem.info.id + "' has no solver '" + id + "'");
  if (!info->unavailable.empty()) throw Unsupported(info->unavailable);
  info->validate(parameters);
  return families().at(problem.type).bind(id, instance, parameters);
}

bool detail::register_family(std::type_index problem, SolverFamily family) {
  families().try_emplace(problem, std::move(family));
  return true;
}

}  // namespace warpbench
