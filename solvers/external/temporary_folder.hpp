// TemporaryFolder: where a solver leaves files for an external program, or a run its references. It goes with the
// object, or, where a signal ended the process, with the next call of remove_abandoned_folders().
#pragma once

#include <filesystem>

#include "datasets/io/descriptor.hpp"

namespace warpbench {

/// A folder of its own in the folder for temporary files. It has a file that is locked as long as the object lives.
class TemporaryFolder {
 public:
  /// Throws std::system_error.
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  datasets::Descriptor lock_;
};

/// Removes the folders whose processes have ended, empty ones too. What cannot be removed, such as another user's,
/// stays. O(files in the folder for temporary files).
void remove_abandoned_folders();

}  // namespace warpbench
