// The check of a request's figures before its trials run. The plots' Python alone knows what it can draw.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/plan/plan.hpp"

namespace warpbench::harness {

struct FigureFaults {
  std::vector<std::string> sentences;
  std::string
      unchecked;  ///< why nothing is known: the plots' Python is not there, fails or takes too long; "" otherwise
};

/// The check takes some tenths of a second; of a large suite, on a busy machine, some seconds.
inline constexpr std::chrono::seconds kFigurePatience{60};

/// The faults that the plots find in the figures of the plans' specs, a sentence each: grammar, names that no record
/// will have, trials that would fall on one place. Starts `python` (default: that of the plots), which is killed after
/// `limit`; nothing where no spec has a figure.
[[nodiscard]] FigureFaults faults_of_figures(const std::vector<Plan>& plans,
                                             std::chrono::duration<double> limit = kFigurePatience,
                                             const std::filesystem::path& python = {});

/// The plan as the plots read it: lines of JSON, of the spec and of each trial, with the names of records.
[[nodiscard]] std::string plan_as_json(const Plan& plan);

}  // namespace warpbench::harness
