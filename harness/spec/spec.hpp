// Spec: an experiment file as read and checked whole, before its sweeps are expanded. The pieces are read by one
// function each, in files of their own: axes.cpp (parameters and sweeps), datasets.cpp, protocol.cpp and figure.cpp.
// All throw SpecError: one sentence with file, line and column, what was expected, what was found, and the nearest
// known name where there is one.
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

/// The trials of one plan; a larger sweep is a slip.
inline constexpr std::int64_t kMaxTrials = 100'000;

/// The key among a solver's parameters that names a point: `- ganns: {point: best, candidates: [32, 64]}`.
inline constexpr const char* kPointKey = "point";

/// One parameter and the values it takes: one, or a sweep.
struct Axis {
  std::string name;
  std::vector<Value> values;  ///< checked, aliases replaced, no value twice
  Place place;                ///< of the key
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
  std::map<std::string, Value> extra;  ///< what a problem asks besides (queries, …)
};

struct DatasetRequest {
  NamedDataset dataset;
  std::string content;  ///< digest of an own file that declares no SHA-256, where it exists: part of the identity
  Place place;
};

struct Spec {
  std::string experiment;
  std::string title;
  const ProblemEntry* problem = nullptr;
  std::vector<Axis> task;
  Place task_place;
  std::vector<DatasetRequest> datasets;
  std::vector<SolverRequest> solvers;
  Place solvers_place;
  Protocol protocol;
};

/// The axes of a map of parameters, checked one by one against `declared`. `what` names the owner in messages
/// ("solver 'ganns'"). A list is a sweep, and so is `{from: 32, to: 256, times: 2}` or `{from: 1, to: 9, step: 2}`.
std::vector<Axis> read_axes(const YamlNode& map, const std::string& what, const std::vector<ParameterSpec>& declared);
/// `solvers:` of a problem. `- ganns` is the document's method; `- ganns: {candidates: [32, 64]}` sweeps a parameter;
/// `- ganns: best` is what is ours at its best (SolverInfo::best); `- ganns: {point: best, candidates: [32, 64]}` is
/// that but for the parameters that follow.
std::vector<SolverRequest> read_solvers(const YamlNode& list, const ProblemEntry& problem);
/// `datasets:`, names resolved against the registry, files looked up under `data`. Refuses a dataset of a kind that
/// the problem does not accept.
std::vector<DatasetRequest> read_datasets(const YamlNode& list, const ProblemEntry& problem, const Registry& registry,
                                          const std::filesystem::path& data);
Protocol read_protocol(const Yaml& map);
/// Checks `figure:`, one map or a list of them; plots read it from the run directory's spec.
void check_figure(const Yaml& node);
/// Checks `claims:` against the claims that `claims_file` lists; without that file, only that they are texts.
void check_claims(const YamlNode& node, const std::filesystem::path& claims_file);
/// A spec from its tree; names are looked up in `home`, dataset files under `data`.
Spec read_spec(const Yaml& tree, const std::filesystem::path& home, const std::filesystem::path& data);

}  // namespace warpbench::harness
