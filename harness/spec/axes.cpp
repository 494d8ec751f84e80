// Reads the parameters and sweeps of a solver or a task as axes of checked values.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/spec/spec.hpp"
#include "harness/spec/yaml_values.hpp"
#include "solvers/registry.hpp"

namespace warpbench::harness {
namespace {

/// One value of a parameter as the spec gives it.
struct GivenValue {
  Value value;
  Place place;
  std::string found;  ///< the value for messages: the text "32" is not the number 32
};

/// Turns the text 256MiB into 268435456 if bytes are declared; a text without a unit stays a text.
Value in_bytes(const ParameterSpec& declared, const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr || declared.unit != "B" || !text->ends_with('B')) return value;
  const std::optional<std::int64_t> bytes = size_of(*text);
  return bytes && *bytes >= 1 ? Value(*bytes) : value;
}

/// The value as the declaration stores it: aliases and sizes are replaced, whole numbers become real if a real one is
/// declared.
Value checked_value(const ParameterSpec& declared, const GivenValue& given, const std::string& what) {
  try {
    const Parameters one({declared}, {{declared.name, in_bytes(declared, given.value)}});
    return one.values().at(declared.name);
  } catch (const ParameterError& error) {
    if (declared.normal_form && std::holds_alternative<std::string>(given.value))
      refuse(given.place, fmt::format("{}: {}", what, error.what()));
    std::vector<std::string> words = declared.choices();
    for (const auto& [word, value] : declared.aliases) words.push_back(word);
    refuse(given.place, fmt::format("{}: expected {}, found {}{}", what, declared.expected(), given.found,
                                    did_you_mean(warpbench::to_string(given.value), words)));
  }
}

struct Range {
  double from = 0;
  double to = 0;
  double step = 0;    // step to add, or 0
  double factor = 0;  // factor to multiply by, or 0
};

/// The number of points of a range, before any is made; at most kMaxTrials + 1.
std::int64_t points(const Range& range) {
  const double count = range.factor == 0 ? (range.to - range.from) / range.step
                                         : std::log(range.to / range.from) / std::log(range.factor);
  return static_cast<std::int64_t>(std::min(std::floor(count + 1e-9), static_cast<double>(kMaxTrials))) + 1;
}

/// The i-th point, rounded to 12 digits so that 0.1 + 2 * 0.1 is written 0.3.
double point(const Range& range, std::int64_t i) {
  const auto steps = static_cast<double>(i);
  const double exact = range.factor == 0 ? range.from + steps * range.step : range.from * std::pow(range.factor, steps);
  return std::stod(fmt::format("{:.12g}", exact));
}

Range read_range(const Yaml& node, const std::string& what) {
  constexpr double kLimit = 9e15;  // doubles represent whole numbers exactly up to here
  const Section section(node, what, {"from", "to", "step", "times"});
  Range range;
  range.from = read_real(*section.need("from").value, what + ", from", -kLimit, kLimit);
  range.to = read_real(*section.need("to").value, what + ", to", -kLimit, kLimit);
  const YamlEntry* step = section.find("step");
  const YamlEntry* times = section.find("times");
  if ((step == nullptr) == (times == nullptr))
    refuse(node->place, what + ": expected a range with either 'step' or 'times'");
  if (range.from > range.to)
    refuse(node->place, fmt::format("{}: expected a range that rises, found {} to {}", what, range.from, range.to));
  if (step != nullptr) {
    range.step = read_real(*step->value, what + ", step", -kLimit, kLimit);
    if (range.step <= 0)
      refuse(step->value->place, fmt::format("{}, step: expected a number above 0, found {}", what, range.step));
  } else {
    range.factor = read_real(*times->value, what + ", times", -kLimit, kLimit);
    if (range.factor <= 1)
      refuse(times->value->place, fmt::format("{}, times: expected a number above 1, found {}", what, range.factor));
    if (range.from <= 0)
      refuse(node->place,
             fmt::format("{}: expected a range with 'times' to start above 0, found {}", what, range.from));
  }
  return range;
}

std::vector<GivenValue> range_candidates(const Yaml& node, const std::string& what, const ParameterSpec& declared) {
  const Range range = read_range(node, what);
  const std::int64_t count = points(range);
  if (count > kMaxTrials) refuse(node->place, fmt::format("{}: more than {} values", what, kMaxTrials));
  const bool whole = std::holds_alternative<std::int64_t>(declared.default_value);
  std::vector<GivenValue> candidates;
  for (std::int64_t i = 0; i < count; ++i) {
    const double number = point(range, i);
    Value value = number;
    if (whole && number == std::floor(number)) value = static_cast<std::int64_t>(number);
    candidates.push_back({value, node->place, fmt::format("'{}'", warpbench::to_string(value))});
  }
  return candidates;
}

std::vector<GivenValue> read_candidates(const Yaml& node, const std::string& what, const ParameterSpec& declared) {
  if (node->type == YamlNode::Type::map) return range_candidates(node, what, declared);
  if (node->type != YamlNode::Type::list) return {{read_value(*node, what), node->place, found(*node)}};
  std::vector<GivenValue> candidates;
  for (const Yaml& item : read_list(*node, what))
    candidates.push_back({read_value(*item, what), item->place, found(*item)});
  return candidates;
}

Axis read_axis(const YamlEntry& entry, const std::string& what, const ParameterSpec& declared) {
  Axis axis{entry.key, {}, entry.place};
  std::set<Value> seen;
  const std::string full = fmt::format("{}, {}", what, entry.key);
  for (const GivenValue& candidate : read_candidates(entry.value, full, declared)) {
    Value value = checked_value(declared, candidate, full);
    if (!seen.insert(value).second)
      refuse(candidate.place, fmt::format("{}: value {} is given twice", full, warpbench::to_string(value)));
    axis.values.push_back(std::move(value));
  }
  return axis;
}

/// The values of a point as axes of one value each. `document` has none: its values are the defaults.
std::vector<Axis> axes_of_point(const YamlNode& word, const std::string& what, const SolverInfo& solver) {
  const std::string full = fmt::format("{}, {}", what, kPointKey);
  const std::string point = read_text(word, full);
  if (point == to_string(Point::document)) return {};
  if (point != to_string(Point::best))
    refuse(word.place, fmt::format("{}: expected document or best, found '{}'", full, point));
  if (solver.best.empty()) refuse(word.place, fmt::format("{}: the solver has no point best", full));
  const Parameters best(solver.parameters, solver.best);
  std::vector<Axis> axes;
  for (const auto& [name, given] : solver.best) axes.push_back({name, {best.values().at(name)}, word.place});
  return axes;
}

/// Reads `best`, or a map of parameters whose key `point` names the point they start from.
std::vector<Axis> read_solver_axes(const Yaml& node, const std::string& what, const SolverInfo& solver) {
  if (node->type == YamlNode::Type::scalar) return axes_of_point(*node, what, solver);
  YamlNode own = *node;
  std::erase_if(own.entries, [](const YamlEntry& entry) { return entry.key == kPointKey; });
  const YamlEntry* point = node->find(kPointKey);
  std::vector<Axis> axes;
  if (point == nullptr || !own.entries.empty()) axes = read_axes(own, what, solver.parameters);
  if (point == nullptr) return axes;
  for (Axis& axis : axes_of_point(*point->value, what, solver)) {
    if (std::ranges::find(axes, axis.name, &Axis::name) == axes.end()) axes.push_back(std::move(axis));
  }
  return axes;
}

}  // namespace

std::vector<Axis> read_axes(const YamlNode& map, const std::string& what, const std::vector<ParameterSpec>& declared) {
  std::vector<Axis> axes;
  for (const YamlEntry& entry : read_map(map, what)) {
    const auto known = std::ranges::find(declared, entry.key, &ParameterSpec::name);
    if (known == declared.end()) {
      std::vector<std::string> names;
      names.reserve(declared.size());
      for (const ParameterSpec& spec : declared) names.push_back(spec.name);
      refuse(entry.place, fmt::format("{}: unknown parameter '{}'{}; known: {}", what, entry.key,
                                      did_you_mean(entry.key, names), listed(names)));
    }
    axes.push_back(read_axis(entry, what, *known));
  }
  return axes;
}

std::vector<SolverRequest> read_solvers(const YamlNode& list, const ProblemEntry& problem) {
  std::vector<std::string> names;
  for (const SolverInfo* solver : solvers_of(problem)) names.push_back(solver->id);
  std::vector<SolverRequest> requests;
  for (const Yaml& item : read_list(list, "solvers")) {
    const bool named = item->type == YamlNode::Type::map;
    if (named && item->entries.size() != 1) {
      refuse(item->place, fmt::format("solvers: expected a name or a map with one key, the solver, found {} keys",
                                      item->entries.size()));
    }
    const std::string name = named ? item->entries[0].key : read_text(*item, "solvers");
    const Place& place = named ? item->entries[0].place : item->place;
    SolverRequest request{find_solver(problem, name), {}, place};
    if (request.solver == nullptr) {
      refuse(place, fmt::format("unknown solver '{}' of problem {}{}; known: {}", name, problem.info.id,
                                did_you_mean(name, names), listed(names)));
    }
    if (named)
      request.axes = read_solver_axes(item->entries[0].value, fmt::format("solver '{}'", name), *request.solver);
    requests.push_back(std::move(request));
  }
  return requests;
}

}  // namespace warpbench::harness
