#include "harness/process/durable.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <system_error>
#include <thread>

#include "datasets/io/temporary.hpp"

namespace warpbench::harness {
namespace {

Descriptor open_file(const std::filesystem::path& path, int flags) {
  int fd = -1;
  do {
    fd = ::open(path.c_str(), flags | O_CLOEXEC, 0644);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) throw FileError(path, "open", errno);
  return Descriptor(fd);
}

void sync_descriptor(int fd, const std::filesystem::path& path) {
  if (::fsync(fd) != 0) throw FileError(path, "fsync", errno);
}

}  // namespace

FileError::FileError(const std::filesystem::path& path, const std::string& operation, int error)
    : std::runtime_error(fmt::format("{}: {} failed: {}", path.string(), operation,
                                     std::error_code(error, std::generic_category()).message())) {}

void write_all(int fd, std::string_view bytes, const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw FileError(path, "write", errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void replace_file(const std::filesystem::path& path, std::string_view bytes) {
  std::filesystem::path temporary;
  const Descriptor file = datasets::create_temporary(path, temporary);
  if (!file.open()) throw FileError(temporary, "open", errno);
  try {
    write_all(file.get(), bytes, temporary);
    sync_descriptor(file.get(), temporary);
    if (::rename(temporary.c_str(), path.c_str()) != 0) throw FileError(path, "rename", errno);
  } catch (...) {
    std::error_code ignored_because_the_first_error_is_thrown;
    std::filesystem::remove(temporary, ignored_because_the_first_error_is_thrown);
    throw;
  }
  sync_directory(path.has_parent_path() ? path.parent_path() : std::filesystem::path("."));
}

std::string read_file(const std::filesystem::path& path) {
  // O_NONBLOCK: a FIFO must be refused below; opening it must not wait for a writer.
  const Descriptor file = open_file(path, O_RDONLY | O_NONBLOCK);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) throw FileError(path, "stat", errno);
  if (!S_ISREG(status.st_mode)) throw FileError(fmt::format("{}: is no regular file", path.string()));
  std::string content;
  std::array<char, 65536> block{};
  for (;;) {
    const ssize_t got = ::read(file.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw FileError(path, "read", errno);
    if (got == 0) return content;
    content.append(block.data(), static_cast<std::size_t>(got));
  }
}

void sync_directory(const std::filesystem::path& directory) {
  const Descriptor handle = open_file(directory, O_RDONLY | O_DIRECTORY);
  sync_descriptor(handle.get(), directory);
}

std::filesystem::path in_the_way_of(const std::filesystem::path& path) {
  std::error_code ignored;
  std::filesystem::path at = path;
  while (at.has_relative_path() && !std::filesystem::exists(at, ignored)) at = at.parent_path();
  return at.empty() || std::filesystem::is_directory(at, ignored) ? std::filesystem::path() : at;
}

DirectoryLock::DirectoryLock(const std::filesystem::path& directory)
    : directory_(open_file(directory, O_RDONLY | O_DIRECTORY)) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
  while (::flock(directory_.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) throw FileError(directory, "flock", errno);
    if (std::chrono::steady_clock::now() > give_up) {
      throw FileError(
          fmt::format("{}: another warpbench is writing to this run directory; wait for it to end or "
                      "choose another --out",
                      directory.string()));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace warpbench::harness
