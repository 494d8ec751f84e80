// Names for addresses in error messages: kernels by their symbol, instructions by file and line. Slow (it runs
// addr2line), so it is called only once an error is certain.
#pragma once

#include <string>

namespace warpbench::simt {

/// The demangled name of the function at `function`, or its address.
std::string kernel_name(const void* function);

/// "file:line" of the call that returns to `return_address`, innermost inlined function first; or the address.
std::string place_of(const void* return_address);

}  // namespace warpbench::simt
