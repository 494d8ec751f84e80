// What a problem can refuse before the data are read.
#pragma once

#include <functional>
#include <string>

#include "datasets/outline.hpp"
#include "problems/parameters.hpp"

namespace warpbench {

/// Why ProblemInstances of the data will be refused under a task, as far as their outline tells; "" if nothing is
/// known.
using Foresight = std::function<std::string(const datasets::Outline& outline, const Parameters& task)>;

/// Registers it for the problem of that id; to be called at static initialisation.
bool register_foresight(const std::string& problem, Foresight foresight);

/// What the problem's foresight says; "" without one.
[[nodiscard]] std::string foreseen_refusal(const std::string& problem, const datasets::Outline& outline,
                                           const Parameters& task);

}  // namespace warpbench
