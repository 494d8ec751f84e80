// The file formats by name. A loader is one function from bytes to Content; a new format needs its own file and one
// line in formats.cpp.
//
// A loader parses, then validates, then builds: declared sizes are checked against the file's length before anything is
// allocated, ids are checked against their range, and everything unexpected is an InputError with file and line.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "datasets/dataset.hpp"
#include "datasets/loaders/text.hpp"
#include "datasets/parameters/declared.hpp"
#include "datasets/source.hpp"

namespace warpbench::datasets {

struct Format {
  std::string name;
  Kind kind;
  std::string meaning;  // one line
  std::vector<OptionDeclaration> options;
  Content (*parse)(const Text& text, const Options& resolved, int threads);
  bool binary = false;
};

/// Part of the cache key of read data: raise it whenever a loader makes other data of the same bytes, or refuses some
/// that it read.
inline constexpr std::uint64_t kLoaderVersion = 1;

/// All formats, sorted by name.
[[nodiscard]] std::span<const Format> formats();

/// The format of that name; otherwise throws InputError(where) with the nearest name.
[[nodiscard]] const Format& format_named(const std::string& where, const std::string& name);

/// Parses with resolved options. The byte order mark that a file of text may begin with is skipped.
[[nodiscard]] Content parse(const Format& format, const Text& text, const Options& resolved, int threads);

/// Resolves `options` and parses.
[[nodiscard]] Content parse(const Text& text, const std::string& format, const Options& options = {}, int threads = 0);

}  // namespace warpbench::datasets
