// Loads plans: reads a spec file or a suite, validates it completely and expands it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/plan/plan.hpp"

namespace warpbench::harness {

struct PlanOptions {
  std::filesystem::path data;          ///< folder of relative dataset files
  std::vector<std::string> overrides;  ///< such as `protocol.repetitions=3`, from the command line
  std::filesystem::path home = {};     ///< folder of registry, configs and claims; "" = harness::home()
};

/// Reads one spec file and expands it. Throws SpecError.
Plan load_plan(const std::filesystem::path& file, const PlanOptions& options);

/// Loads the plans of a suite (configs/suites/NAME.yaml: title and a list of specs, each with optional datasets and
/// protocol that replace the spec's own), of one of its experiments (NAME/che2019/table-4), of an experiment id
/// (`che2019/table-4`) or of a path. Throws SpecError, or InputError with the nearest name.
std::vector<Plan> load_request(const std::string& request, const PlanOptions& options);

}  // namespace warpbench::harness
