// UTF-8: checks whether bytes are text. Control characters other than tab and line ends are refused too: YAML forbids
// them, and yaml-cpp mistakes two of them for the end of the file.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace warpbench::harness {

/// The position of the first byte of `text` that is not part of a well-formed UTF-8 sequence (RFC 3629: no overlong
/// forms, no surrogates, nothing above U+10FFFF) or is a control character. O(bytes).
[[nodiscard]] std::optional<std::size_t> first_bad_byte(std::string_view text);

}  // namespace warpbench::harness
