// fetch(): downloads a dataset file so that an interrupted or altered download never looks whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace warpbench::datasets {

/// Whether this build can download (it was built with libcurl).
[[nodiscard]] bool has_fetch() noexcept;

/// Called now and then with bytes so far and bytes in all (0 = unknown).
using FetchProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// Downloads `url` to `destination`: into destination.part, which a later call resumes; checked against
/// `sha256` (empty: not known, the found one is returned for the record); flushed; renamed. Only https://
/// and file:// are followed, redirects included. Returns the file's SHA-256 (empty without OpenSSL, and
/// then a given sha256 is an error: what cannot be verified is not installed). Throws InputError for
/// another scheme or a digest that differs (the .part is removed then), std::runtime_error for network
/// and file system failures (the .part stays).
[[nodiscard]] std::string fetch(const std::string& url, const std::filesystem::path& destination,
                                const std::string& sha256, const FetchProgress& progress = {});

}  // namespace warpbench::datasets
