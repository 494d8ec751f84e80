// The rows of theta_join's select query, their digest, and the files that hold them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <type_traits>

#include "device/mix64.hpp"

namespace warpbench::theta {

/// A row of the select query, as Listing 3.6. Without initial values, so that memory for billions need not be written
/// twice.
struct Row {
  std::int32_t r_a;
  std::int32_t s_a;
  std::int32_t s_x;

  friend bool operator==(const Row&, const Row&) = default;
};
/// What a row takes in a file: its three numbers, little-endian.
inline constexpr std::uint64_t kRowBytes = 12;
static_assert(sizeof(Row) == kRowBytes && std::is_trivial_v<Row>);

/// The digest of rows is the sum of this over all of them, modulo 2^64, whatever their order.
[[nodiscard]] constexpr std::uint64_t digest_of_row(const Row& row) {
  const std::uint64_t r_a = static_cast<std::uint32_t>(row.r_a);
  return mix64(r_a << 32U | static_cast<std::uint32_t>(row.s_a), static_cast<std::uint32_t>(row.s_x));
}
/// O(rows), in parallel.
[[nodiscard]] std::uint64_t digest_of_rows(std::span<const Row> rows);

struct FileDigest {
  std::uint64_t bytes = 0;
  std::uint64_t digest = 0;  ///< of the whole rows among them
};
/// Reads the file piece by piece. Throws std::system_error where it cannot be read.
[[nodiscard]] FileDigest digest_of_file(const std::filesystem::path& file);

}  // namespace warpbench::theta
