// Registry: the solvers that are linked into this program, by problem, as the harness sees them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "problems/problem.hpp"
#include "solvers/bound_solver.hpp"

namespace warpbench {

enum class Role { proposed, gpu_baseline, cpu_baseline, peer };
enum class Target { cpu, gpu, hybrid };
/// The method that a trial runs: as the document describes it, this project's best, or anything else.
enum class Point { document, best, other };
const char* to_string(Role role);
const char* to_string(Target target);
const char* to_string(Point point);

/// Thrown by a solver's constructor or prepare() where this machine or build cannot do what was asked
/// (no AVX-512, an input beyond the algorithm's limits): the trial's status is `unsupported`, with this reason.
class Unsupported : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The facts of a solver: `warpbench list` prints them, and specs are checked against them.
struct SolverInfo {
  std::string id;      ///< the fixed name specs use
  std::string title;   ///< one line
  std::string source;  ///< document and section
  Role role = Role::proposed;
  Target device = Target::cpu;
  std::vector<ParameterSpec> parameters = {};
  std::map<std::string, Value> smoke = {};  ///< the point that ends in seconds on two cores without a GPU
  std::map<std::string, Value> best = {};   ///< what is ours at its best: `- ganns: best` in a spec; empty: nothing
  bool ours = false;                        ///< no document describes the solver at all
  bool exact = false;                       ///< its answers are exact: one that is only approximate is wrong
  /// Refuses combinations that make no sense, by throwing ParameterError.
  std::function<void(const Parameters&)> validate = [](const Parameters&) {};
  std::string unavailable = {};  ///< "" or why this build lacks it
};

/// Looks only at parameters that declare which values are the document's. `document`: all of them have such a value.
/// `best`: they have the values of SolverInfo::best, defaults where it names none. Otherwise `other`. Thread counts,
/// list lengths and whatever else a document varies itself do not matter. A solver that is ours is always at `best`.
Point point_of(const SolverInfo& solver, const Parameters& parameters);

/// The judgement on an answer of `solver`, which is `wrong` where it is `approximate` and the solver is exact.
Judgement judged_for(const SolverInfo& solver, Judgement judgement);

/// The solvers of `problem`, sorted by id.
std::vector<const SolverInfo*> solvers_of(const ProblemEntry& problem);
/// nullptr where the problem has no solver of that name.
const SolverInfo* find_solver(const ProblemEntry& problem, const std::string& id);
/// A new solver for `instance`, which is of `problem` and outlives it. Throws Unsupported where this build lacks the
/// solver, ParameterError where it refuses the combination, std::logic_error for an unknown id.
std::unique_ptr<BoundSolver> bind_solver(const ProblemEntry& problem, const std::string& id, ProblemInstance& instance,
                                         const Parameters& parameters);

namespace detail {
/// The solvers of one problem struct, behind functions that know its type.
struct SolverFamily {
  std::function<std::vector<const SolverInfo*>()> infos;
  std::function<std::unique_ptr<BoundSolver>(const std::string& id, ProblemInstance&, const Parameters&)> bind;
};
/// Keeps the first family that is registered for a type.
bool register_family(std::type_index problem, SolverFamily family);
}  // namespace detail

}  // namespace warpbench
