// environment.json: the machine and software of a run (results/schema/environment-1.0.json).
#pragma once

#include <filesystem>
#include <string>

#include "harness/machine/environment.hpp"

namespace warpbench::harness {

std::string to_json(const Environment& environment);
/// Throws RecordError.
Environment environment_from(const std::string& json);
/// The same of a file, which messages name. Throws FileError, too.
Environment read_environment(const std::filesystem::path& file);

}  // namespace warpbench::harness
