// The cache of converted datasets: one file per (content of the source, description of the source,
// format version), mapped into memory when it is used again.
//
// A file is written beside its final name, flushed to disk and renamed, so a half-written one never
// carries the name. Header and payload have checksums that are verified before the first use: a cut
// or altered file is reported and never served.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "datasets/dataset.hpp"

namespace warpbench::datasets {

/// The content of a cache file. `digest` is digest_of(content.data).
struct CacheEntry {
  Content content;
  std::string digest;
};

/// Raise with any change to the layout of cache files or of a data model's arrays.
inline constexpr std::uint64_t kCacheVersion = 4;

/// Writes `entry` to `path`, atomically. Throws std::system_error when it cannot (disk full, …); the
/// temporary file is gone then.
void write_cache(const std::filesystem::path& path, const CacheEntry& entry);

/// Maps `path`; nothing when there is no such file. Throws InputError (with the byte offset) when the file is
/// not whole and unaltered. O(bytes), about 10 GB/s: the checksum.
[[nodiscard]] std::optional<CacheEntry> read_cache(const std::filesystem::path& path);

}  // namespace warpbench::datasets
