// Requests: names of suites and experiments, the files under configs/ in `home`, that the command line accepts instead
// of a file. `home` is the folder of Warpbench's own files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace warpbench::harness {

/// Names of all suites, sorted: `quick` for configs/suites/quick.yaml.
[[nodiscard]] std::vector<std::string> suite_names(const std::filesystem::path& home);
/// Names of all experiments, sorted: `che2019/table-4-techniques` for configs/che2019/table-4-techniques.yaml.
[[nodiscard]] std::vector<std::string> experiment_names(const std::filesystem::path& home);
/// The file of an experiment, if there is one.
[[nodiscard]] std::optional<std::filesystem::path> find_experiment(const std::string& name,
                                                                   const std::filesystem::path& home);
/// The file that `request` means: a path, otherwise a suite, otherwise an experiment. Throws datasets::InputError with
/// the nearest name if it is none of them.
[[nodiscard]] std::filesystem::path find_request(const std::string& request, const std::filesystem::path& home);

}  // namespace warpbench::harness
