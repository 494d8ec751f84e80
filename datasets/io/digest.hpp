// Digests: XXH3 (fast, for contents and caches) and SHA-256 (for downloaded files).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace warpbench::datasets {

/// Incremental XXH3-128. hex() gives 32 lower-case digits, the same on every machine.
class Digest {
 public:
  Digest();
  ~Digest();
  Digest(const Digest&) = delete;
  Digest& operator=(const Digest&) = delete;

  void add(std::span<const std::byte> bytes);
  /// Adds a text with its length before it, so that ("ab", "c") and ("a", "bc") differ.
  void add(std::string_view text);
  /// Adds the number as eight little-endian bytes.
  void add(std::uint64_t number);
  [[nodiscard]] std::string hex() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// XXH3-64 of a block: the checksum of cache files.
[[nodiscard]] std::uint64_t checksum(std::span<const std::byte> bytes) noexcept;

/// Whether this build can compute SHA-256 (it was built with OpenSSL).
[[nodiscard]] bool has_sha256() noexcept;

/// SHA-256 of a file, 64 lower-case hex digits. Throws InputError if it is no regular file or cannot be read,
/// std::logic_error if has_sha256() is false.
[[nodiscard]] std::string sha256_file(const std::filesystem::path& path);

}  // namespace warpbench::datasets
