// Plan: a validated spec with its sweeps expanded to trials, grouped for execution. A trial's identity is a hash of
// everything that decides its result (problem, task, dataset, solver, parameters, protocol), so that an interrupted
// suite resumes and a changed trial runs again. Making a plan runs nothing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/spec/protocol.hpp"
#include "harness/spec/spec.hpp"
#include "problems/parameters.hpp"

namespace warpbench::harness {

struct Trial {
  std::string id;  ///< 16 hex digits
  std::string problem;
  Parameters task;
  std::size_t dataset = 0;  ///< index into Plan::datasets
  std::string solver;
  Parameters parameters;
};

/// Trials that share dataset, solver, task and prepare-parameters; one child process runs them.
struct Group {
  std::vector<std::size_t> trials;  ///< indices into Plan::trials
};

struct Plan {
  std::string experiment;
  std::string title;
  std::string spec_file;  ///< as given
  std::string spec_text;  ///< copied into the run directory
  Protocol protocol;
  std::vector<NamedDataset> datasets;
  std::vector<Trial> trials;
  std::vector<Group> groups;
  std::int64_t left_out = 0;    ///< combinations of the sweeps that the solver or the problem rejects
  std::string left_out_reason;  ///< why the first of them was rejected
};

/// The trials of a spec: the product of its sweeps. Combinations that the validate() of the problem or of a solver
/// rejects are left out of a sweep (Plan::left_out says how many and why). Throws SpecError if nothing is left, if two
/// trials are equal, or if there are more than kMaxTrials.
[[nodiscard]] Plan expand(const Spec& spec);

/// A trial's description for people: dataset, solver, parameters.
[[nodiscard]] std::string label_of(const Plan& plan, const Trial& trial);

}  // namespace warpbench::harness
