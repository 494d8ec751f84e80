#include "solvers/external/registration.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "solvers/external/program.hpp"

namespace warpbench {

std::string external_command(const char* variable) {
  const char* const command = std::getenv(variable);
  return command == nullptr ? "" : command;
}

std::string why_unavailable(const char* variable, const std::string& needs) {
  const std::string program = program_of(external_command(variable));
  if (program.empty()) return needs;
  if (is_program(program)) return "";
  return fmt::format("{} names {}, which is no program here: correct its path", variable, program);
}

}  // namespace warpbench
