// The points of a solver's parameter space that the conformance suite visits besides its smoke point, its defaults and
// its best: every declared parameter at each of its extremes, one at a time.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "solvers/solver.hpp"

namespace warpbench::testing {

/// The values at the edge of what `spec` allows: both flags, every choice, both ends of the range, every alias.
inline std::vector<Value> extremes(const ParameterSpec& spec) {
  std::vector<Value> values;
  if (std::holds_alternative<bool>(spec.default_value)) {
    values = {false, true};
  } else if (std::holds_alternative<std::string>(spec.default_value)) {
    for (const std::string& choice : spec.choices()) values.emplace_back(choice);
  } else {
    for (const std::optional<double>& end : {spec.minimum, spec.maximum}) {
      if (!end) continue;
      if (std::holds_alternative<double>(spec.default_value)) {
        values.emplace_back(*end);
      } else {
        values.emplace_back(static_cast<std::int64_t>(*end));
      }
    }
  }
  for (const auto& [word, value] : spec.aliases) values.emplace_back(word);
  return values;
}

/// The values at `given`, or nothing where the solver refuses the combination.
inline std::optional<Parameters> accepted(const SolverInfo& info, const std::map<std::string, Value>& given) {
  Parameters parameters(info.parameters, given);
  try {
    info.validate(parameters);
  } catch (const ParameterError&) {
    return std::nullopt;
  }
  return parameters;
}

/// A point with one parameter at an extreme and the others as in the smoke point.
struct ExtremePoint {
  std::string parameter;
  Parameters values;
};

/// Every one that the solver's rules accept. Solve-parameters only where `only_solve`: the points that configure() must
/// reach on one prepared index.
inline std::vector<ExtremePoint> extreme_points(const SolverInfo& info, bool only_solve = false) {
  std::vector<ExtremePoint> points;
  for (const ParameterSpec& spec : info.parameters) {
    if (only_solve && spec.stage != Stage::solve) continue;
    for (const Value& value : extremes(spec)) {
      std::map<std::string, Value> given = info.smoke;
      given[spec.name] = value;
      if (std::optional<Parameters> point = accepted(info, given)) points.push_back({spec.name, *std::move(point)});
    }
  }
  return points;
}

}  // namespace warpbench::testing
