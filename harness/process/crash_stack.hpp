// Stacks of crashes: a process that crashes writes where it was, as addresses; another one, which is sound, names them.
#pragma once

#include <string>

namespace warpbench::harness {

/// From now on a line of addresses, those of this program's frames, innermost first, goes to standard error before a
/// signal such as SIGSEGV ends the process; not where a thread other than the caller has run out of stack. Signals with
/// a handler, a sanitizer's, keep it.
void write_stack_on_crash();

/// What a process of this program printed, with functions and places of the source in the place of such addresses. As
/// it was where it has none, and where addr2line (binutils) is missing.
[[nodiscard]] std::string with_named_stack(const std::string& output);

}  // namespace warpbench::harness
