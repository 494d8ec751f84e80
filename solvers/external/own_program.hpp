// The solver `external`: a program of the user's own, which speaks the protocol of docs/external-programs.md. A spec
// names it by a word, and the environment says what to start, so that a spec holds no path of a machine.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "solvers/external/registration.hpp"

namespace warpbench {

/// The environment variable of a program's name: WARPBENCH_EXTERNAL_MY_INDEX of `my-index`.
[[nodiscard]] std::string own_program_variable(const std::string& name);

/// The facts of the solver, `unavailable` where no variable names a program.
[[nodiscard]] SolverInfo own_program_info();

/// The command of the program that the parameters name. Throws Unsupported where its variable holds none, or one whose
/// program is not there.
[[nodiscard]] std::string own_program_command(const Parameters& parameters);

/// Why the solver's own program cannot be started here, such as a variable that is not set; "" if it can, and for
/// solvers that are no programs of the user's own.
[[nodiscard]] std::string why_no_own_program(const std::string& solver, const Parameters& parameters);

/// Registers `external` for a problem; `Class` as in register_external().
template <typename Problem, typename Class>
bool register_own_program() {
  SolverInfo info = own_program_info();
  if (std::string why = info.unavailable; !why.empty())
    return detail::register_unavailable<Problem>(std::move(info), std::move(why));
  return detail::register_entry<Problem>({std::move(info), [](const Parameters& parameters) {
                                            return std::make_unique<Class>(own_program_command(parameters), parameters);
                                          }});
}

}  // namespace warpbench
