// Registers solvers that are programs of their own: an environment variable holds the command that starts one.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "solvers/solver.hpp"

namespace warpbench {

/// The command that the environment variable holds; "" if there is none.
[[nodiscard]] std::string external_command(const char* variable);

/// Why the variable's command cannot be started: `needs` where there is none, its program where there is no such file;
/// "" if it can.
[[nodiscard]] std::string why_unavailable(const char* variable, const std::string& needs);

/// Registers `Class`, constructible from the command and Parameters, where the environment variable holds a command
/// whose program exists, else as unavailable. `needs` says what to install.
template <typename Problem, typename Class>
bool register_external(SolverInfo info, const char* variable, const std::string& needs) {
  std::string why = why_unavailable(variable, needs);
  if (!why.empty()) return detail::register_unavailable<Problem>(std::move(info), std::move(why));
  return detail::register_entry<Problem>({std::move(info), [variable](const Parameters& parameters) {
                                            return std::make_unique<Class>(external_command(variable), parameters);
                                          }});
}

}  // namespace warpbench
