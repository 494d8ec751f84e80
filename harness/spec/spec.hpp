// Spec: an experiment file, read and validated completely, before its sweeps are expanded. One function reads each
// part, in a file of its own: axes.cpp (parameters and sweeps), datasets.cpp, protocol.cpp and figure.cpp. All throw
// SpecError: one sentence with file, line and column, what was expected, what was found, and the nearest known name if
// there is one.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "datasets/source.hpp"
#include "harness/spec/protocol.hpp"
#include "harness/spec/registry.hpp"
#include "harness/spec/spec_error.hpp"
#include "harness/spec/yaml_tree.hpp"
#include "problems/problem.hpp"
#include "solvers/registry.hpp"

namespace warpbench::harness {

/// The maximum number of trials in a plan; a larger sweep is probably a mistake.
inline constexpr std::int64_t kMaxTrials = 100'000;

/// The key among a solver's parameters that names a point: `- ganns: {point: best, candidates: [32, 64]}`.
inline constexpr const char* kPointKey = "point";

/// One parameter and the values it takes: one, or a sweep.
struct Axis {
  std::string name;
  std::vector<Value> values;  ///< checked, aliases replaced, no duplicates
  Place place;                ///< place of the key
};

struct SolverRequest {
  const SolverInfo* solver = nullptr;
  std::vector<Axis> axes;
  Place place;
};

/// A dataset as a spec names it, resolved against the registry or described in place.
struct NamedDataset {
  std::string name;  ///< unique within the plan, e.g. `livejournal-like(scale=0.01)`
  datasets::Source source;
  std::map<std::string, Value> extra;  ///< further keys of a problem (queries, …)
};

struct DatasetRequest {
  NamedDataset dataset;
  std::vector<Axis> task;  ///< parameters of the task on this dataset, in place of the spec's
  std::string content;     ///< digest of a user's file that declares no SHA-256, if it exists: part of the identity
  Place place;
};

struct Spec {
  std::string experiment;
  std::string title;
  const ProblemEntry* problem = nullptr;
  std::vector<Axis> task;  ///< of datasets that say nothing else
  Place task_place;
  std::vector<DatasetRequest> datasets;
  std::vector<SolverRequest> solvers;
  Place solvers_place;
  Protocol protocol;
};

/// Reads a map of parameters as axes, each checked against `declared`. `what` names the owner in messages ("solver
/// 'ganns'"). A list is a sweep; so are `{from: 32, to: 256, times: 2}` and `{from: 1, to: 9, step: 2}`.
std::vector<Axis> read_axes(const YamlNode& map, const std::string& what, const std::vector<ParameterSpec>& declared);
/// `solvers:` of a problem. `- ganns` is the document's method, `- ganns: {candidates: [32, 64]}` a sweep of a
/// parameter. `- ganns: best` is our best variant (SolverInfo::best); `- ganns: {point: best, candidates: [32, 64]}`
/// starts from it and changes other parameters.
std::vector<SolverRequest> read_solvers(const YamlNode& list, const ProblemEntry& problem);
/// `datasets:`, with names resolved against the registry and files looked up under `data`. Refuses a dataset whose kind
/// the problem does not accept.
std::vector<DatasetRequest> read_datasets(const YamlNode& list, const ProblemEntry& problem, const Registry& registry,
                                          const std::filesystem::path& data);
Protocol read_protocol(const Yaml& map);
/// Checks `figure:`, one map or a list of maps. The plots read it from the run directory's spec.
void check_figure(const Yaml& node);
/// Checks `claims:` against the claims in `claims_file`; without that file, checks only that they are texts.
void check_claims(const YamlNode& node, const std::filesystem::path& claims_file);
/// Reads a spec from its tree; looks names up in `home` and dataset files under `data`.
Spec read_spec(const Yaml& tree, const std::filesystem::path& home, const std::filesystem::path& data);

}  // namespace warpbench::harness
