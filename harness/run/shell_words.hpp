// Shell words: commands that a user can copy into a shell.
#pragma once

#include <string>

namespace warpbench::harness {

/// The word as a POSIX shell reads it back; in quotes only where it needs them.
[[nodiscard]] std::string quoted(const std::string& word);

}  // namespace warpbench::harness
