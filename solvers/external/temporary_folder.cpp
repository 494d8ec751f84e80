#include "solvers/external/temporary_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string>
#include <system_error>
#include <thread>

#include "solvers/registry.hpp"

namespace warpbench {
namespace {

namespace fs = std::filesystem;
using datasets::Descriptor;

constexpr const char* kPrefix = "warpbench-external-";
constexpr const char* kLock = "lock";

/// The machine has no place for temporary files, as none can be made at `path`.
[[noreturn]] void refuse(int error, const fs::path& path) {
  throw Unsupported(
      fmt::format("expected room for temporary files, found none for {}: {}; set TMPDIR to a folder with room",
                  path.string(), std::generic_category().message(error)));
}

/// Gives the folder a file that is locked. It is locked before it has its name, so that nobody finds it open. Closed
/// where the folder is gone: as long as it was empty, others took it for one that was left.
Descriptor lock_of(const fs::path& folder) {
  const fs::path unnamed = folder / "lock.new";
  Descriptor lock(::open(unnamed.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock.open() && errno == ENOENT) return lock;
  if (!lock.open() || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) refuse(errno, unnamed);
  fs::rename(unnamed, folder / kLock);
  return lock;
}

/// Whether the folder has a lock that nobody holds.
bool abandoned(const fs::path& folder) {
  const Descriptor lock(::open((folder / kLock).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  return lock.open() && ::flock(lock.get(), LOCK_EX | LOCK_NB) == 0;
}

/// The lock goes last: by it a folder is found whose removal was cut short.
std::error_code tried_to_remove(const fs::path& folder) {
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (entry->path().filename() != kLock) fs::remove_all(entry->path(), error);
    if (error) return error;
  }
  if (!error) fs::remove_all(folder, error);
  return error;
}

/// A program that is ending may add files meanwhile: tries again for a while.
void remove_folder(const fs::path& folder) {
  constexpr std::chrono::milliseconds kRemovalPatience(1000);
  constexpr std::chrono::milliseconds kPause(5);
  const auto end = std::chrono::steady_clock::now() + kRemovalPatience;
  while (tried_to_remove(folder) && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(kPause);
  // What is left then lies among temporary files.
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  remove_abandoned_folders();
  while (!lock_.open()) {
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);
    if (error) refuse(error.value(), "TMPDIR");
    std::string name = (parent / (std::string(kPrefix) + "XXXXXX")).string();
    if (::mkdtemp(name.data()) == nullptr) refuse(errno, name);
    path_ = name;
    lock_ = lock_of(path_);
  }
}

TemporaryFolder::~TemporaryFolder() {
  remove_folder(path_);
}

void remove_abandoned_folders() {
  std::error_code error;
  fs::directory_iterator entry(fs::temp_directory_path(error), fs::directory_options::skip_permission_denied, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (!entry->path().filename().string().starts_with(kPrefix)) continue;
    std::error_code ignored;
    if (!fs::is_directory(entry->symlink_status(ignored))) continue;
    // Empty, as a killed process leaves it that has not made its lock yet, or has removed it already.
    if (::rmdir(entry->path().c_str()) == 0) continue;
    if (abandoned(entry->path())) remove_folder(entry->path());
  }
}

}  // namespace warpbench
