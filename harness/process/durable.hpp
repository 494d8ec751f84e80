// Durable files survive a killed process or a full disk. A file is either replaced as a whole (written beside, fsynced,
// renamed, folder fsynced) or grows by whole lines that are fsynced before anyone relies on them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "datasets/io/descriptor.hpp"

namespace warpbench::harness {

/// A file operation failed; what() is one sentence with the path, the operation and the system's reason.
class FileError : public std::runtime_error {
 public:
  FileError(const std::filesystem::path& path, const std::string& operation, int error);
  explicit FileError(const std::string& message) : std::runtime_error(message) {}
};

using datasets::Descriptor;

/// Writes all of `bytes` to `fd`. Throws FileError naming `path`.
void write_all(int fd, std::string_view bytes, const std::filesystem::path& path);

/// Replaces `path` by `bytes` atomically, even across a crash. Throws FileError and then leaves `path` as it was.
void replace_file(const std::filesystem::path& path, std::string_view bytes);

/// The whole of a regular file. Throws FileError, also for a directory, a device or a pipe.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

/// Makes new file names in `directory` durable. Throws FileError.
void sync_directory(const std::filesystem::path& directory);

/// The first of `path` and the folders above it that exists, if it is no folder: what keeps `path` from being created
/// as one. Else an empty path.
[[nodiscard]] std::filesystem::path in_the_way_of(const std::filesystem::path& path);

/// Holds an exclusive lock on a directory for its lifetime; the system releases it when the process dies.
class DirectoryLock {
 public:
  /// Waits up to half a second, since a killed predecessor's child may still hold the lock. Throws FileError if another
  /// process holds the lock or the directory cannot be opened.
  explicit DirectoryLock(const std::filesystem::path& directory);

 private:
  Descriptor directory_;
};

}  // namespace warpbench::harness
