#include "datasets/io/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "datasets/input_error.hpp"
#include "datasets/io/descriptor.hpp"

namespace warpbench::datasets {
namespace {

std::string reason() {
  return std::strerror(errno);
}

}  // namespace

std::shared_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& path) {
  // O_NONBLOCK: a FIFO must be refused below; opening it must not wait for a writer.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) throw InputError(path.string(), 0, "a readable file", reason());
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) throw InputError(path.string(), 0, "a readable file", reason());
  if (!S_ISREG(status.st_mode)) {
    throw InputError(path.string(), 0, "a regular file",
                     S_ISDIR(status.st_mode) ? "a directory" : "a device, socket or pipe");
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return std::make_shared<const MappedFile>(Token{}, nullptr, 0);
  void* const data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (data == MAP_FAILED) throw InputError(path.string(), 0, "a file that can be mapped", reason());
  return std::make_shared<const MappedFile>(Token{}, static_cast<const std::byte*>(data), size);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) static_cast<void>(::munmap(const_cast<std::byte*>(data_), size_));
}

}  // namespace warpbench::datasets
