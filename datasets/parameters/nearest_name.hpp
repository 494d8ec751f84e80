// Finds the known name that a misspelt one most likely means.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warpbench {

/// The known word with the smallest edit distance to `word`, or "" if none is near enough to be a likely typo. O(known
/// · length²).
[[nodiscard]] std::string nearest_name(std::string_view word, std::span<const std::string> known);

}  // namespace warpbench
