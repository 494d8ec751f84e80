// The temporary files that are written beside their final name and renamed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "datasets/array_room.hpp"
#include "datasets/io/descriptor.hpp"

namespace warpbench::datasets {

/// Creates a new, empty file beside `target`, open for reading and writing, and sets `name` to its path. It never opens
/// a file or follows a link that is already there: in a folder that others may write to, such a link could lead to a
/// file of this user. If that fails, the result is not open, errno says why, and `name` is the last name tried.
[[nodiscard]] Descriptor create_temporary(const std::filesystem::path& target, std::filesystem::path& name);

/// A file written under a temporary name, removed unless it was renamed: then the name may be another program's. Calls
/// throw std::system_error where they fail.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::filesystem::path target);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  void write(std::span<const std::byte> bytes, std::uint64_t at) const;
  /// `bytes` from `at` on, a whole page, as memory that is the file's. The disk has space for them.
  [[nodiscard]] ArrayRoom map(std::uint64_t at, std::size_t bytes) const;
  void resize(std::uint64_t size) const;
  /// Flushes the file to disk and gives it its name.
  void commit();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  [[noreturn]] void fail(const std::string& what) const;

  std::filesystem::path target_;
  std::filesystem::path path_;
  bool renamed_ = false;
  Descriptor file_;
};

}  // namespace warpbench::datasets
