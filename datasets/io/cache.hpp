// The cache of converted datasets: one file per (content of the source, description of the source,
// format version), mapped into memory when it is used again.
//
// A file is written beside its final name, flushed to disk and renamed, so the final name never holds a half-written
// file. Header and payload have checksums, verified before first use: a truncated or altered file is reported and never
// served.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "datasets/array_room.hpp"
#include "datasets/dataset.hpp"

namespace warpbench::datasets {

/// The content of a cache file. `digest` is digest_of(content.data).
struct CacheEntry {
  Content content;
  std::string digest;
};

/// Raise whenever the layout of cache files or of a data model's arrays changes, or its properties.
inline constexpr std::uint64_t kCacheVersion = 8;

/// A cache file in the making, under a temporary name that is removed unless it is committed. Calls throw
/// std::system_error where they fail (disk full, …).
class CacheDraft {
 public:
  explicit CacheDraft(const std::filesystem::path& path);
  CacheDraft(const CacheDraft&) = delete;
  CacheDraft& operator=(const CacheDraft&) = delete;
  ~CacheDraft();

  /// Room in the file, for which the disk has space. Once filled, no array of it is copied by commit().
  [[nodiscard]] ArrayRoom room(std::size_t bytes);
  /// Adds what of `entry` has no room here, and gives the file its name. Once.
  void commit(const CacheEntry& entry);

 private:
  struct Rooms;
  std::unique_ptr<Rooms> rooms_;
};

/// Writes `entry` to `path`, atomically. Throws std::system_error if that fails (disk full, …), and removes the
/// temporary file.
void write_cache(const std::filesystem::path& path, const CacheEntry& entry);

/// Maps `path`; nothing if there is no such file. Throws InputError with the byte offset if the file is truncated or
/// altered. O(bytes), about 10 GB/s for the checksum.
[[nodiscard]] std::optional<CacheEntry> read_cache(const std::filesystem::path& path);

}  // namespace warpbench::datasets
