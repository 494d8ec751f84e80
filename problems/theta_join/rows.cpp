#include "problems/theta_join/rows.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <system_error>
#include <vector>

#include "datasets/io/descriptor.hpp"

namespace warpbench::theta {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t kRowsInPiece = std::size_t{1} << 20;
/// Other threads would begin later than one is done with as many.
constexpr std::int64_t kRowsOfOneThread = 10'000;

[[noreturn]] void fail(const std::filesystem::path& file) {
  throw std::system_error(errno, std::generic_category(), file.string());
}

/// Fills `bytes` as far as the file goes, and returns how far that is.
std::size_t read_piece(const datasets::Descriptor& descriptor, std::span<std::byte> bytes,
                       const std::filesystem::path& file) {
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t count = ::read(descriptor.get(), bytes.data() + filled, bytes.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(file);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  return filled;
}

}  // namespace

std::uint64_t digest_of_rows(std::span<const Row> rows) {
  const auto size = static_cast<std::int64_t>(rows.size());
  std::uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum) if (size > kRowsOfOneThread)
  for (std::int64_t i = 0; i < size; ++i) sum += digest_of_row(rows[static_cast<std::size_t>(i)]);
  return sum;
}

FileDigest digest_of_file(const std::filesystem::path& file) {
  const datasets::Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor.open()) fail(file);
  const std::uint64_t rows = std::filesystem::file_size(file) / kRowBytes;
  std::vector<Row> piece(std::min<std::uint64_t>(kRowsInPiece, rows + 1));  // one more, so that the last read is short
  FileDigest all;
  std::size_t bytes = 0;
  do {
    bytes = read_piece(descriptor, std::as_writable_bytes(std::span(piece)), file);
    all.bytes += bytes;
    all.digest += digest_of_rows(std::span(piece).first(bytes / kRowBytes));
  } while (bytes == piece.size() * kRowBytes);
  return all;
}

}  // namespace warpbench::theta
