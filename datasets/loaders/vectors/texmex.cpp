#include "datasets/loaders/vectors/texmex.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "datasets/input_error.hpp"
#include "datasets/loaders/vectors/vector_rows.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

template <typename T>
T read_at(const Text& text, std::uint64_t offset) {
  T value{};
  std::memcpy(&value, text.bytes.data() + offset, sizeof value);
  return value;
}

std::size_t first_dimension(const Text& text) {
  if (text.bytes.size() < sizeof(std::int32_t)) {
    throw InputError::at_byte(text.file, 0, "a dimension of 4 bytes", std::to_string(text.bytes.size()) + " bytes");
  }
  const auto dimension = read_at<std::int32_t>(text, 0);
  if (dimension < 1 || dimension > kMaxDimension) {
    throw InputError::at_byte(text.file, 0, "a dimension from 1 to " + std::to_string(kMaxDimension),
                              std::to_string(dimension));
  }
  return static_cast<std::size_t>(dimension);
}

template <typename T>
Content parse_rows(const Text& text, const Options& options, int threads) {
  const std::size_t dimension = first_dimension(text);
  const std::size_t row_bytes = sizeof(std::int32_t) + dimension * sizeof(T);
  const std::size_t rows = text.bytes.size() / row_bytes;
  const auto check_dimension = [&](std::size_t row) {
    const auto found = read_at<std::int32_t>(text, row * row_bytes);
    if (found == static_cast<std::int32_t>(dimension)) return;
    throw InputError::at_byte(
        text.file, row * row_bytes,
        "dimension " + std::to_string(dimension) + ", as row 0 has, before row " + std::to_string(row),
        std::to_string(found));
  };
  for_chunks(rows, kRowGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t row = begin; row < end; ++row) check_dimension(row);
  });
  if (const std::size_t left = text.bytes.size() - rows * row_bytes; left != 0) {
    throw InputError::at_byte(text.file, rows * row_bytes,
                              "a whole row of " + std::to_string(row_bytes) + " bytes or the end of the file",
                              std::to_string(left) + " bytes");
  }
  check_rows(text, 0, rows);
  std::vector<float> points(rows * dimension);
  for_chunks(rows, kRowGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t row = begin; row < end; ++row) {
      for (std::size_t j = 0; j < dimension; ++j) {
        const std::uint64_t offset = row * row_bytes + sizeof(std::int32_t) + j * sizeof(T);
        const T value = read_at<T>(text, offset);
        points[row * dimension + j] = std::is_integral_v<T>
                                          ? static_cast<float>(value)
                                          : finite_coordinate(text, offset, static_cast<double>(value), row, j);
      }
    }
  });
  return vectors_content(dimension, metric_of(options), std::move(points));
}

}  // namespace

Content parse_fvecs(const Text& text, const Options& options, int threads) {
  return parse_rows<float>(text, options, threads);
}

Content parse_bvecs(const Text& text, const Options& options, int threads) {
  return parse_rows<std::uint8_t>(text, options, threads);
}

Content parse_ivecs(const Text& text, const Options& options, int threads) {
  return parse_rows<std::int32_t>(text, options, threads);
}

}  // namespace warpbench::datasets
