#include "datasets/loaders/vectors/idx.hpp"

#include <bit>
#include <cstdint>

#include "datasets/input_error.hpp"
#include "datasets/loaders/vectors/vector_rows.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

struct Header {
  unsigned type = 0;
  std::uint64_t value_bytes = 0;
  std::uint64_t rows = 0;
  std::uint64_t dimension = 1;
  std::uint64_t bytes = 0;  // size of the header
};

std::uint64_t big_endian(const Text& text, std::uint64_t offset, std::uint64_t size) {
  std::uint64_t value = 0;
  for (std::uint64_t i = 0; i < size; ++i) value = value << 8U | static_cast<unsigned char>(text.bytes[offset + i]);
  return value;
}

std::uint64_t bytes_of(unsigned type) {
  switch (type) {
    case 0x08:
    case 0x09:
      return 1;
    case 0x0b:
      return 2;
    case 0x0c:
    case 0x0d:
      return 4;
    case 0x0e:
      return 8;
    default:
      return 0;
  }
}

[[noreturn]] void fail(const Text& text, std::uint64_t offset, const std::string& expected, const std::string& found) {
  throw InputError::at_byte(text.file, offset, expected, found);
}

/// Reads the sizes after the first and multiplies them, checking each step for overflow.
void read_dimension(const Text& text, std::uint64_t sizes, Header& header) {
  for (std::uint64_t i = 1; i < sizes; ++i) {
    const std::uint64_t offset = 4 + 4 * i;
    const std::uint64_t size = big_endian(text, offset, 4);
    header.dimension *= size;
    if (size == 0 || header.dimension > static_cast<std::uint64_t>(kMaxDimension)) {
      fail(text, offset, "sizes whose product is from 1 to " + std::to_string(kMaxDimension),
           std::to_string(header.dimension) + " with size " + std::to_string(i));
    }
  }
}

Header read_header(const Text& text) {
  const std::uint64_t length = text.bytes.size();
  if (length < 4) fail(text, 0, "a magic of 4 bytes", std::to_string(length) + " bytes");
  if (const std::uint64_t zeros = big_endian(text, 0, 2); zeros != 0) {
    fail(text, 0, "two zero bytes, the magic of IDX", std::to_string(zeros));
  }
  Header header;
  header.type = static_cast<unsigned>(big_endian(text, 2, 1));
  header.value_bytes = bytes_of(header.type);
  if (header.value_bytes == 0) fail(text, 2, "type 8, 9, 11, 12, 13 or 14", std::to_string(header.type));
  const std::uint64_t sizes = big_endian(text, 3, 1);
  if (sizes == 0) fail(text, 3, "at least one size", "0");
  header.bytes = 4 + 4 * sizes;
  if (length < header.bytes) {
    fail(text, length, std::to_string(sizes) + " sizes of 4 bytes", "the end of the file");
  }
  header.rows = big_endian(text, 4, 4);
  read_dimension(text, sizes, header);
  check_rows(text, 4, header.rows);
  const std::uint64_t declared = header.rows * header.dimension * header.value_bytes;  // below 2^51
  if (length - header.bytes != declared) {
    fail(text, header.bytes,
         std::to_string(declared) + " bytes, " + std::to_string(header.rows) + " rows of " +
             std::to_string(header.dimension),
         std::to_string(length - header.bytes));
  }
  return header;
}

double value_at(const Text& text, const Header& header, std::uint64_t offset) {
  const std::uint64_t bits = big_endian(text, offset, header.value_bytes);
  switch (header.type) {
    case 0x08:
      return static_cast<double>(bits);
    case 0x09:
      return static_cast<double>(static_cast<std::int8_t>(bits));
    case 0x0b:
      return static_cast<double>(static_cast<std::int16_t>(bits));
    case 0x0c:
      return static_cast<double>(static_cast<std::int32_t>(bits));
    case 0x0d:
      return double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))};
    default:
      return std::bit_cast<double>(bits);
  }
}

}  // namespace

Content parse_idx(const Text& text, const Options& options, int threads) {
  const Header header = read_header(text);
  std::vector<float> points(header.rows * header.dimension);
  for_chunks(header.rows, kRowGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin * header.dimension; i < end * header.dimension; ++i) {
      const std::uint64_t offset = header.bytes + i * header.value_bytes;
      points[i] =
          finite_coordinate(text, offset, value_at(text, header, offset), i / header.dimension, i % header.dimension);
    }
  });
  return vectors_content(header.dimension, metric_of(options), std::move(points));
}

}  // namespace warpbench::datasets
