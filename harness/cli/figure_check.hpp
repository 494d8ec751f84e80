// The check of a request's figures before its trials run. The plots' Python alone knows what it can draw.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/plan/plan.hpp"

namespace warpbench::harness {

/// Sentences; nothing if the plots' Python is not there or fails.
using FigureFaults = std::optional<std::vector<std::string>>;

inline constexpr const char* kFiguresUnchecked =
    "figures: not checked, as the plots' Python is missing or fails (`make setup` installs it)";

/// The faults that the plots find in the figures of the plans' specs, a sentence each: grammar, names that no record
/// will have, trials that would fall on one place. Takes some tenths of a second.
[[nodiscard]] FigureFaults faults_of_figures(const std::vector<Plan>& plans);

/// The plan as the plots read it: lines of JSON, of the spec and of each trial, with the names of records.
[[nodiscard]] std::string plan_as_json(const Plan& plan);

}  // namespace warpbench::harness
