// Reads one file of a source: resolves its format, checks its SHA-256, parses its content.
#pragma once

#include <filesystem>
#include <string>

#include "datasets/source.hpp"

namespace warpbench::datasets {

/// The kind that the file's format gives; sets `options` to its resolved options. Throws InputError.
Kind resolve_file(const std::string& where, const FileSource& file, Options& options);

/// Throws InputError if the SHA-256 of the file at `path` is not the one that `file` declares. If this build cannot
/// compute it, calls `options.notice`.
void check_sha256(const FileSource& file, const std::filesystem::path& path, const LoadOptions& options);

/// Checks and parses the file at `path`; `format_options` are resolved. Throws InputError.
[[nodiscard]] Content parse_file(const FileSource& file, const Options& format_options,
                                 const std::filesystem::path& path, const LoadOptions& options);

}  // namespace warpbench::datasets
