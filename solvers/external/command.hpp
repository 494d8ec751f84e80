// The command that starts an external program: words between blanks.
#pragma once

#include <string>
#include <vector>

namespace warpbench {

[[nodiscard]] std::vector<std::string> words_of(const std::string& command);
/// The first word of a command; "" if it has none.
[[nodiscard]] std::string program_of(const std::string& command);
/// Whether a file of that name may be executed; without a slash, in a folder of PATH.
[[nodiscard]] bool is_program(const std::string& name);
/// `NAME SHA-256` of each file that the command names, such as a script's interpreter and the script; "" where this
/// build cannot compute them.
[[nodiscard]] std::string digests_of(const std::string& command);

}  // namespace warpbench
