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

struct Request {
  std::filesystem::path file;
  std::string experiment = {};  ///< the only one that is asked for of a suite; "" = all
};

/// Finds `request`: a path, otherwise a suite, an experiment, or one experiment of a suite such as
/// `paper/che2019/vectorization`. Throws datasets::InputError with the nearest name if it is none of them. Whether the
/// suite has that experiment is not checked.
[[nodiscard]] Request find_request(const std::string& request, const std::filesystem::path& home);

}  // namespace warpbench::harness
