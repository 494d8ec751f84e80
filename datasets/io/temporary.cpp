#include "datasets/io/temporary.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

namespace warpbench::datasets {

Descriptor create_temporary(const std::filesystem::path& target, std::filesystem::path& name) {
  constexpr int kNames = 100;  // files of killed programs with the same process id may be left
  const std::string stem = target.string() + ".tmp." + std::to_string(::getpid());
  Descriptor file;
  for (int attempt = 0; attempt < kNames && !file.open(); ++attempt) {
    name = attempt == 0 ? stem : stem + '.' + std::to_string(attempt);
    file = Descriptor(::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (!file.open() && errno != EEXIST && errno != EINTR) break;
  }
  return file;
}

TemporaryFile::TemporaryFile(std::filesystem::path target) : target_(std::move(target)) {
  file_ = create_temporary(target_, path_);
  if (!file_.open()) fail("create");
}

TemporaryFile::~TemporaryFile() {
  if (!file_.open()) return;
  if (renamed_) return;
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

void TemporaryFile::write(std::span<const std::byte> bytes, std::uint64_t at) const {
  while (!bytes.empty()) {
    const ssize_t done = ::pwrite(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail("write");
    bytes = bytes.subspan(static_cast<std::size_t>(done));
    at += static_cast<std::uint64_t>(done);
  }
}

ArrayRoom TemporaryFile::map(std::uint64_t at, std::size_t bytes) const {
  // So that a full disk is an error here, not a signal while the memory is written.
  errno = ::posix_fallocate(file_.get(), static_cast<off_t>(at), static_cast<off_t>(bytes));
  if (errno != 0) fail("find space for");
  void* const data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), static_cast<off_t>(at));
  if (data == MAP_FAILED) fail("map");
  const auto unmap = [bytes](void* mapped) { static_cast<void>(::munmap(mapped, bytes)); };
  return {std::shared_ptr<void>(data, unmap), std::span(static_cast<std::byte*>(data), bytes)};
}

void TemporaryFile::resize(std::uint64_t size) const {
  if (::ftruncate(file_.get(), static_cast<off_t>(size)) != 0) fail("size");
}

void TemporaryFile::commit() {
  if (::fsync(file_.get()) != 0) fail("flush");
  if (std::rename(path_.c_str(), target_.c_str()) != 0) fail("rename");
  renamed_ = true;
  const Descriptor folder(::open(target_.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.open()) fail("open the folder of");
  if (::fsync(folder.get()) != 0) fail("flush the folder of");
}

void TemporaryFile::fail(const std::string& what) const {
  throw std::system_error(errno, std::generic_category(), "cannot " + what + ' ' + path_.string());
}

}  // namespace warpbench::datasets
