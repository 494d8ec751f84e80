// A test's own folder, removed when the test ends.
#pragma once

#include <filesystem>

namespace warpbench::harness {

class TemporaryDirectory {
 public:
  /// Throws std::runtime_error.
  TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace warpbench::harness
