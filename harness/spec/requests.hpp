// Requests: what may be named on the command line instead of a file: the suites and experiments under configs/
// in `home`, the folder that holds Warpbench's own files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace warpbench::harness {

/// `quick` for configs/suites/quick.yaml, sorted.
[[nodiscard]] std::vector<std::string> suite_names(const std::filesystem::path& home);
/// `che2019/table-4` for configs/che2019/table-4.yaml, sorted.
[[nodiscard]] std::vector<std::string> experiment_names(const std::filesystem::path& home);
/// The file of an experiment, or nothing.
[[nodiscard]] std::optional<std::filesystem::path> find_experiment(const std::string& name,
                                                                   const std::filesystem::path& home);
/// The file that `request` means: a path, a suite or an experiment, in this order. Throws datasets::InputError with
/// the nearest name where it is none of them.
[[nodiscard]] std::filesystem::path find_request(const std::string& request, const std::filesystem::path& home);

}  // namespace warpbench::harness
