// Text: the plain bytes of a data file that is stored plain, as .gz, or inside a .tar(.gz).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/source.hpp"

namespace warpbench::datasets {

struct Text {
  std::shared_ptr<const void> owner;  // keeps bytes alive
  std::string_view bytes;
  std::string file;  // name in messages: "graphs/x.txt.gz", "queries.tar.gz:q1.graph"
};

/// Maps `path`; inflates it if it starts with the gzip magic; extracts `member` (ustar or GNU tar) unless that is
/// empty. Peak memory is the mapping plus the inflated bytes. Throws InputError for a missing or empty file, a damaged
/// or truncated gzip stream (with the compressed offset), an inflated size above half of the usable memory or above
/// `max_inflation` times the compressed one (16 MiB are always allowed), or a missing tar member.
[[nodiscard]] Text read_text(const std::filesystem::path& path, const std::string& member = {},
                             std::int64_t max_inflation = kMaxInflation);

/// Inflates a whole gzip stream, of one or more members; `file` is for messages.
[[nodiscard]] std::string inflate(std::string_view compressed, const std::string& file, std::uint64_t max_bytes);

/// Whether the bytes begin like a tar archive (ustar or GNU tar).
[[nodiscard]] bool is_tar(std::string_view bytes) noexcept;

inline constexpr std::size_t kTarBlock = 512;  // of headers; contents are padded to it

struct TarHeader {
  std::string name;
  std::uint64_t size = 0;  // of the content that follows
  bool regular = false;
};

/// The header in a block of kTarBlock bytes, `at` of `file`. Throws InputError if it is malformed.
[[nodiscard]] TarHeader tar_header(std::string_view block, const std::string& file, std::uint64_t at);

/// Throws the InputError for an archive of files with these names, without `member`.
[[noreturn]] void throw_no_member(const std::string& file, const std::string& member,
                                  const std::vector<std::string>& names);

/// Calls visit(name, bytes) for each regular file of a tar archive in order, until a call returns false; `bytes` is a
/// view into the archive. Throws InputError at the first malformed header.
void visit_tar(std::string_view archive, const std::string& file,
               const std::function<bool(const std::string& name, std::string_view bytes)>& visit);

/// The bytes of one member of a tar archive, a view into `archive`.
[[nodiscard]] std::string_view tar_member(std::string_view archive, const std::string& member, const std::string& file);

}  // namespace warpbench::datasets
