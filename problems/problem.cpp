#include "problems/problem.hpp"

#include <algorithm>

namespace warpbench {
namespace {

std::vector<ProblemEntry>& registered() {
  static std::vector<ProblemEntry> entries;
  return entries;
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

const SolverInfo* ProblemEntry::solver(const std::string& id) const {
  for (const SolverInfo* candidate : solvers()) {
    if (candidate->id == id) return candidate;
  }
  return nullptr;
}

const std::vector<ProblemEntry>& problems() {
  return registered();
}

const ProblemEntry* find_problem(const std::string& id) {
  const auto found = std::ranges::find_if(registered(), [&](const ProblemEntry& entry) { return entry.info.id == id; });
  return found == registered().end() ? nullptr : &*found;
}

bool detail::register_problem(ProblemEntry entry) {
  std::vector<ProblemEntry>& entries = registered();
  entries.push_back(std::move(entry));
  std::ranges::sort(entries, {}, [](const ProblemEntry& e) { return e.info.id; });
  return true;
}

}  // namespace warpbench
