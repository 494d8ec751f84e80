// One file of a source: its format resolved, its SHA-256 checked, its content parsed.
#pragma once

#include <filesystem>
#include <string>

#include "datasets/source.hpp"

namespace warpbench::datasets {

/// The kind that the file's format gives; `options` become its resolved options. Throws InputError.
Kind resolve_file(const std::string& where, const FileSource& file, Options& options);

/// Throws InputError where the file at `path` has another SHA-256 than `file` declares. Where this build cannot compute
/// it, `options.notice` is told.
void check_sha256(const FileSource& file, const std::filesystem::path& path, const LoadOptions& options);

/// Checks and parses the file at `path`; `format_options` are resolved. Throws InputError.
[[nodiscard]] Content parse_file(const FileSource& file, const Options& format_options,
                                 const std::filesystem::path& path, const LoadOptions& options);

}  // namespace warpbench::datasets
