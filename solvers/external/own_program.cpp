#include "solvers/external/own_program.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "solvers/external/command.hpp"

namespace warpbench {
namespace {

constexpr const char* kOwnProgram = "external";
constexpr std::string_view kVariablePrefix = "WARPBENCH_EXTERNAL_";

/// The names of the variables that hold a command, as specs write them.
std::set<std::string> names() {
  std::set<std::string> found;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (!text.starts_with(kVariablePrefix) || equals == std::string_view::npos || equals + 1 == text.size()) continue;
    std::string name(text.substr(kVariablePrefix.size(), equals - kVariablePrefix.size()));
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return c == '_' ? '-' : std::tolower(c); });
    found.insert(std::move(name));
  }
  return found;
}

std::string how_to_name_it(const std::string& variable) {
  return fmt::format("export {}='/…/PROGRAM ARGUMENT…', as docs/external-programs.md explains", variable);
}

std::string as_specs_name_it(const std::string& name) {
  return fmt::format("{}: {{program: {}}}", kOwnProgram, name);
}

}  // namespace

std::string own_program_variable(const std::string& name) {
  std::string variable(kVariablePrefix);
  for (const unsigned char c : name) variable += std::isalnum(c) != 0 ? static_cast<char>(std::toupper(c)) : '_';
  return variable;
}

SolverInfo own_program_info() {
  const std::set<std::string> known = names();
  SolverInfo info{.id = kOwnProgram,
                  .title = "a program of your own",
                  .source = "docs/external-programs.md",
                  .role = Role::peer,
                  .device = Target::cpu,
                  .parameters = {parameter("program", known.empty() ? "" : *known.begin())
                                     .at(Stage::prepare)
                                     .means("its name; `my-index` is what WARPBENCH_EXTERNAL_MY_INDEX starts"),
                                 parameter("options", "").at(Stage::prepare).means("for its preparation, as it is"),
                                 parameter("settings", "").means("for a request, as it is")}};
  if (known.empty()) info.unavailable = "needs a program: " + how_to_name_it(own_program_variable("name"));
  return info;
}

std::string why_no_own_program(const std::string& solver, const Parameters& parameters) {
  if (solver != kOwnProgram) return {};
  const std::string& name = parameters.text("program");
  if (name.empty()) {
    return fmt::format("expected the name of a program, as in {}, found none: give it one, and {}",
                       as_specs_name_it("name"), how_to_name_it(own_program_variable("name")));
  }
  const std::string variable = own_program_variable(name);
  if (program_of(external_command(variable.c_str())).empty())
    return fmt::format("{} has no command here: {}", as_specs_name_it(name), how_to_name_it(variable));
  const std::string why = why_unavailable(variable.c_str(), "");
  return why.empty() ? "" : fmt::format("{}: {}", as_specs_name_it(name), why);
}

std::string own_program_command(const Parameters& parameters) {
  if (const std::string why = why_no_own_program(kOwnProgram, parameters); !why.empty()) throw Unsupported(why);
  return external_command(own_program_variable(parameters.text("program")).c_str());
}

}  // namespace warpbench
