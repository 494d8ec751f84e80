// environment.json: what a run was made on and with (results/schema/environment-1.0.json).
#pragma once

#include <string>

#include "harness/machine/environment.hpp"

namespace warpbench::harness {

std::string to_json(const Environment& environment);
/// Throws RecordError.
Environment environment_from(const std::string& json);

}  // namespace warpbench::harness
