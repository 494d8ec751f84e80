// fetch(): downloads a dataset file. An interrupted or altered download never looks complete.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace warpbench::datasets {

/// Whether this build can download (it was built with libcurl).
[[nodiscard]] bool has_fetch() noexcept;

/// Called from time to time with the bytes so far and the total (0 = unknown).
using FetchProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// Downloads `url` to `destination`: first into destination.part, which a later call resumes; then checks it against
/// `sha256` (empty: not known), flushes and renames it. A second download to the same place meanwhile is refused. Only
/// https:// and file:// are followed, redirects included. Returns the file's SHA-256 for the record. Without OpenSSL it
/// returns "", and a given sha256 is an error: a file that cannot be verified is not installed. Throws InputError for
/// another scheme or a different digest (the .part is then removed), std::runtime_error for network and file system
/// failures (the .part stays).
[[nodiscard]] std::string fetch(const std::string& url, const std::filesystem::path& destination,
                                const std::string& sha256, const FetchProgress& progress = {});

}  // namespace warpbench::datasets
