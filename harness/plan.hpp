// Plan: a validated spec with its sweeps expanded to trials, grouped for execution. A trial's identity is a hash of
// what decides its result (problem, task, dataset, solver, parameters, protocol), so that an interrupted suite
// resumes and a changed trial re-runs. Nothing has run yet when a plan exists.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "datasets/source.hpp"
#include "problems/parameters.hpp"
#include "problems/problem.hpp"

namespace warpbench::harness {

/// How trials are measured: `protocol:` in a spec.
struct Protocol {
  std::int64_t warmup = 1;               ///< untimed solves before the first sample
  std::int64_t repetitions = 10;         ///< samples at most
  std::int64_t minimum_repetitions = 3;  ///< samples before the stopping rule may end the trial
  double target_half_width = 0.02;       ///< of the median's 95 % interval, relative: reached → stop
  double timeout_seconds = 300.0;        ///< for a trial, preparation not counted
  double prepare_timeout_seconds = 3600.0;
  bool include_transfers = false;  ///< time covers upload + solve + download, or solve alone
  bool flush_l2 = false;
  bool pin_threads = false;
  bool profile = false;            ///< after a GPU solver's trial, its hardware counters are read with ncu
  double host_memory_bytes = 0;    ///< limit of the child process; 0 = none
  double device_memory_bytes = 0;  ///< limit of the device layer; 0 = none
};

/// A dataset as a spec names it, resolved against the registry or described in place.
struct PlannedDataset {
  std::string name;  ///< unique within the plan, e.g. `livejournal-like(scale=0.01)`
  datasets::Source source;
  std::map<std::string, Value> extra;  ///< what a problem asks besides (queries, …)
};

struct Trial {
  std::string id;  ///< 16 hex digits
  std::string problem;
  Parameters task;
  std::size_t dataset = 0;  ///< index into Plan::datasets
  std::string solver;
  Parameters parameters;
};

/// Trials that share dataset, solver, task and prepare-parameters: one child process.
struct Group {
  std::vector<std::size_t> trials;  ///< indices into Plan::trials
};

struct Plan {
  std::string experiment;
  std::string title;
  std::string spec_file;  ///< as given
  std::string spec_text;  ///< copied into the run directory
  Protocol protocol;
  std::vector<PlannedDataset> datasets;
  std::vector<Trial> trials;
  std::vector<Group> groups;
  std::int64_t left_out = 0;    ///< combinations of the sweeps that the solver or the problem refuses
  std::string left_out_reason;  ///< of the first of them
};

/// A trial for human readers: dataset, solver, parameters.
[[nodiscard]] std::string label_of(const Plan& plan, const Trial& trial);

}  // namespace warpbench::harness
