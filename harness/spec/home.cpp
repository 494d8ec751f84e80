#include <cstdlib>
#include <memory>

#include "build_info.hpp"
#include "harness/spec/home.hpp"
#include "harness/spec/yaml_tree.hpp"

namespace warpbench::harness {
namespace {

namespace fs = std::filesystem;

bool is_home(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(folder / "datasets" / "registry", error);
}

fs::path find_home() {
  if (const char* given = std::getenv("WARPBENCH_HOME"); given != nullptr && *given != '\0') {
    if (is_home(given)) return given;
    refuse({std::make_shared<const std::string>(given), 1, 1},
           "WARPBENCH_HOME: expected a folder that holds datasets/registry, found none there");
  }
  if (is_home(build_info::kSourceDirectory)) return build_info::kSourceDirectory;
  std::error_code error;
  for (fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path(); !folder.empty();
       folder = folder.parent_path()) {
    if (is_home(folder)) return folder;
    if (folder == folder.root_path()) break;
  }
  refuse({std::make_shared<const std::string>(build_info::kSourceDirectory), 1, 1},
         "expected a folder that holds datasets/registry, found none; set WARPBENCH_HOME to Warpbench's source tree");
}

}  // namespace

fs::path home() {
  static const fs::path found = find_home();
  return found;
}

}  // namespace warpbench::harness
