// Shell words: commands that a user can copy into a shell.
#pragma once

#include <span>
#include <string>

namespace warpbench::harness {

/// The word as a POSIX shell reads it back; in quotes only where it needs them.
[[nodiscard]] std::string quoted(const std::string& word);

/// A command line of this program that means the same on another machine: without the folders that --out, --cache and
/// --data name, and with `warpbench` for the program, whatever its file is called. `words` begin with the program.
[[nodiscard]] std::string portable_command(std::span<const std::string> words);

}  // namespace warpbench::harness
