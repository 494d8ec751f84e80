#include "harness/record/runs/run_folders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "harness/process/durable.hpp"
#include "harness/record/results_file.hpp"

namespace warpbench::harness {

bool is_run_directory(const std::filesystem::path& folder) {
  constexpr std::array kFiles{kResultsFile, "environment.json", "spec.yaml"};
  // A folder that may not be read has no run that could be.
  std::error_code error;
  return std::ranges::any_of(kFiles, [&](const char* name) { return std::filesystem::exists(folder / name, error); });
}

std::vector<std::filesystem::path> run_directories_below(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> found;
  const std::filesystem::recursive_directory_iterator end;
  std::error_code error;
  std::filesystem::recursive_directory_iterator entry(
      folder, std::filesystem::directory_options::skip_permission_denied, error);
  for (; !error && entry != end; entry.increment(error)) {
    std::error_code unreadable;
    if (!entry->is_directory(unreadable)) continue;
    if (entry->path().filename().string().starts_with('.')) {
      entry.disable_recursion_pending();  // what a killed merge leaves is hidden
    } else if (is_run_directory(entry->path())) {
      found.push_back(entry->path());
    }
  }
  std::ranges::sort(found);
  return found;
}

std::vector<std::filesystem::path> run_directories(const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder))
    throw FileError(fmt::format("{}: expected a run directory or a folder of them, found none", folder.string()));
  if (is_run_directory(folder)) return {folder};
  std::vector<std::filesystem::path> found = run_directories_below(folder);
  if (found.empty()) {
    throw FileError(
        fmt::format("{}: expected a run directory (results.jsonl, environment.json, spec.yaml) or a folder of them, "
                    "found neither",
                    folder.string()));
  }
  return found;
}

}  // namespace warpbench::harness
