#include "solvers/theta_join/row_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <system_error>

#include "solvers/registry.hpp"

namespace warpbench::theta {
namespace {

static_assert(std::endian::native == std::endian::little);

[[noreturn]] void fail(int error, const std::filesystem::path& path) {
  throw std::system_error(error, std::generic_category(), path.string());
}

bool is_lack_of_room(int error) {
  return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

}  // namespace

RowFile::RowFile()
    : path_(folder_.path() / "rows.bin"), file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) {
  if (!file_.open()) give_up(errno);
}

void RowFile::start_over() {
  bytes_ = 0;
  error_ = 0;
  if (::ftruncate(file_.get(), 0) != 0) fail(errno, path_);
}

void RowFile::append(std::span<const Row> rows) {
  const std::span<const std::byte> bytes = std::as_bytes(rows);
  write(bytes, bytes_.fetch_add(bytes.size()));
  // A thread that gave up may have emptied the file before this piece was written.
  if (error_ != 0) give_up(error_);
}

void RowFile::write(std::span<const std::byte> bytes, std::uint64_t at) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) give_up(errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    at += static_cast<std::uint64_t>(written);
  }
}

void RowFile::give_up(int error) {
  error_ = error;
  const std::uint64_t wanted = bytes_;
  if (file_.open() && ::ftruncate(file_.get(), 0) != 0) fail(errno, path_);
  if (!is_lack_of_room(error)) fail(error, path_);
  throw Unsupported(fmt::format(
      "expected room for a file of {} bytes of rows or more in {}, found less: {}; set TMPDIR to a folder with room",
      wanted, folder_.path().parent_path().string(), std::generic_category().message(error)));
}

}  // namespace warpbench::theta
