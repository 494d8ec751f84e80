#include "harness/process/child_end.hpp"

#include <fmt/format.h>

#include <cstring>

namespace warpbench::harness {

std::string ChildEnd::describe() const {
  if (!signalled) return fmt::format("exit code {}", code);
  const char* abbreviation = ::sigabbrev_np(code);
  return fmt::format("SIG{} ({})", abbreviation == nullptr ? std::to_string(code) : abbreviation, ::strsignal(code));
}

}  // namespace warpbench::harness
