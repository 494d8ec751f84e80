#include "harness/spec/requests.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "datasets/input_error.hpp"
#include "problems/parameters.hpp"

namespace warpbench::harness {
namespace {

namespace fs = std::filesystem;

/// The *.yaml files under `folder`, as relative names without the suffix.
std::vector<std::string> yaml_names(const fs::path& folder) {
  std::vector<std::string> names;
  if (!fs::is_directory(folder)) return names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().extension() != ".yaml") continue;
    names.push_back(entry.path().lexically_relative(folder).replace_extension().generic_string());
  }
  std::ranges::sort(names);
  return names;
}

/// The file called `name`. Only listed names count, so "../x" finds nothing.
std::optional<fs::path> find_listed(const fs::path& folder, const std::string& name,
                                    const std::vector<std::string>& known) {
  if (std::ranges::find(known, name) == known.end()) return std::nullopt;
  return folder / (name + ".yaml");
}

}  // namespace

std::vector<std::string> suite_names(const fs::path& home) {
  return yaml_names(home / "configs" / "suites");
}

std::vector<std::string> experiment_names(const fs::path& home) {
  std::vector<std::string> names = yaml_names(home / "configs");
  std::erase_if(names, [](const std::string& name) { return name.starts_with("suites/"); });
  return names;
}

std::optional<fs::path> find_experiment(const std::string& name, const fs::path& home) {
  return find_listed(home / "configs", name, experiment_names(home));
}

Request find_request(const std::string& request, const fs::path& home) {
  if (fs::path path = request; path.extension() == ".yaml" || fs::is_regular_file(path)) return {path};
  const fs::path folder = home / "configs" / "suites";
  const std::vector<std::string> suites = suite_names(home);
  if (const auto suite = find_listed(folder, request, suites)) return {*suite};
  if (const auto experiment = find_experiment(request, home)) return {*experiment};
  if (const std::size_t slash = request.find('/'); slash != std::string::npos && slash + 1 < request.size()) {
    if (const auto suite = find_listed(folder, request.substr(0, slash), suites))
      return {*suite, request.substr(slash + 1)};
  }
  std::vector<std::string> known = experiment_names(home);
  known.insert(known.end(), suites.begin(), suites.end());
  const std::string near = nearest_name(request, known);
  throw datasets::InputError(
      request, 0, "a spec file, an experiment or a suite", "nothing of that name",
      near.empty() ? "`warpbench list experiments` names them" : fmt::format("did you mean '{}'?", near));
}

}  // namespace warpbench::harness
