// `warpbench list`.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "datasets/input_error.hpp"
#include "harness/cli/commands.hpp"
#include "harness/spec/home.hpp"
#include "harness/spec/registry.hpp"
#include "harness/spec/requests.hpp"
#include "harness/spec/yaml_values.hpp"
#include "problems/problem.hpp"
#include "solvers/registry.hpp"

namespace warpbench::harness {
namespace {

using Json = nlohmann::ordered_json;
using TextTable = std::vector<std::vector<std::string>>;

Json json_of(const Value& value) {
  return std::visit([](const auto& v) { return Json(v); }, value);
}

template <typename T>
Json json_of(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

template <typename Map>
Json json_of_map(const Map& values) {
  Json object = Json::object();
  for (const auto& [name, value] : values) object[name] = json_of(value);
  return object;
}

std::string type_of(const Value& value) {
  struct Type {
    std::string operator()(bool) const { return "boolean"; }
    std::string operator()(std::int64_t) const { return "integer"; }
    std::string operator()(double) const { return "number"; }
    std::string operator()(const std::string&) const { return "text"; }
  };
  return std::visit(Type{}, value);
}

/// The values that the document describes; null means all values.
Json document_values(const ParameterSpec& spec) {
  if (spec.document_values.empty()) return nullptr;
  Json array = Json::array();
  for (const Value& value : spec.document_values) array.push_back(json_of(value));
  return array;
}

Json json_of(const ParameterSpec& spec) {
  return {{"name", spec.name},
          {"type", type_of(spec.default_value)},
          {"default", json_of(spec.default_value)},
          {"minimum", json_of(spec.minimum)},
          {"maximum", json_of(spec.maximum)},
          {"choices", spec.choices()},
          {"aliases", json_of_map(spec.aliases)},
          {"document", document_values(spec)},
          {"unit", spec.unit},
          {"stage", spec.stage == Stage::prepare ? "prepare" : "solve"},
          {"meaning", spec.meaning}};
}

Json json_of(const std::vector<ParameterSpec>& specs) {
  Json array = Json::array();
  for (const ParameterSpec& spec : specs) array.push_back(json_of(spec));
  return array;
}

bool has_best(const SolverInfo& solver) {
  return solver.ours || !solver.best.empty();
}

Json json_of(const std::string& problem, const SolverInfo& solver) {
  return {{"problem", problem},
          {"solver", solver.id},
          {"title", solver.title},
          {"role", to_string(solver.role)},
          {"device", to_string(solver.device)},
          {"source", solver.source},
          {"unavailable", solver.unavailable.empty() ? Json(nullptr) : Json(solver.unavailable)},
          {"smoke", json_of_map(solver.smoke)},
          {"best", has_best(solver) ? json_of_map(solver.best) : Json(nullptr)},
          {"parameters", json_of(solver.parameters)}};
}

Json json_of(const ProblemInfo& problem) {
  Json accepts = Json::array();
  for (const datasets::Kind kind : problem.accepts) accepts.push_back(std::string(datasets::to_string(kind)));
  return {{"problem", problem.id}, {"title", problem.title},         {"source", problem.source},
          {"accepts", accepts},    {"work_unit", problem.work_unit}, {"task", json_of(problem.task)}};
}

void print(const Json& array, const TextTable& rows, bool json) {
  if (json) {
    std::cout << array.dump(2) << '\n';
  } else {
    std::cout << table(rows);
  }
}

std::vector<std::string> problem_names() {
  std::vector<std::string> names;
  for (const ProblemEntry& problem : problems()) names.push_back(problem.info.id);
  return names;
}

std::string parameters_text(const std::vector<ParameterSpec>& specs) {
  std::string text;
  for (const ParameterSpec& spec : specs)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", spec.name, warpbench::to_string(spec.default_value));
  return text;
}

std::string best_text(const SolverInfo& solver) {
  std::string text = has_best(solver) ? "" : "-";
  for (const auto& [name, value] : solver.best)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, to_string(value));
  return text.empty() ? "always" : text;
}

void list_solvers(const ListCommand& command) {
  Json array = Json::array();
  TextTable rows{{"problem", "solver", "role", "device", "source", "best", "parameters"}};
  for (const ProblemEntry& problem : problems()) {
    if (!command.problem.empty() && problem.info.id != command.problem) continue;
    for (const SolverInfo* solver : solvers_of(problem)) {
      array.push_back(json_of(problem.info.id, *solver));
      rows.push_back(
          {problem.info.id, solver->id, to_string(solver->role), to_string(solver->device), solver->source,
           best_text(*solver),
           solver->unavailable.empty() ? parameters_text(solver->parameters) : "unavailable: " + solver->unavailable});
    }
  }
  print(array, rows, command.json);
}

void list_problems(bool json) {
  Json array = Json::array();
  TextTable rows{{"problem", "source", "solvers", "title"}};
  for (const ProblemEntry& problem : problems()) {
    array.push_back(json_of(problem.info));
    rows.push_back(
        {problem.info.id, problem.info.source, std::to_string(solvers_of(problem).size()), problem.info.title});
  }
  print(array, rows, json);
}

/// docs/tasks.md shows the same.
void list_tasks(const ListCommand& command) {
  Json array = Json::array();
  TextTable rows{{"problem", "parameter", "default", "value", "meaning"}};
  for (const ProblemEntry& problem : problems()) {
    if (!command.problem.empty() && problem.info.id != command.problem) continue;
    for (const ParameterSpec& spec : problem.info.task) {
      const std::string value = spec.unit.empty() ? spec.expected() : spec.expected() + ", in " + spec.unit;
      rows.push_back({problem.info.id, spec.name, to_string(spec.default_value), value, spec.meaning});
      array.push_back({{"problem", problem.info.id},
                       {"parameter", spec.name},
                       {"default", json_of(spec.default_value)},
                       {"value", value},
                       {"meaning", spec.meaning}});
    }
  }
  print(array, rows, command.json);
}

void list_datasets(bool json) {
  Json array = Json::array();
  TextTable rows{{"dataset", "kind", "origin", "title"}};
  for (const auto& [name, source] : registry()) {
    const auto* file = std::get_if<datasets::FileSource>(&source.from);
    const std::string kind = kind_text(source);
    const std::string origin = file != nullptr ? "file" : source.stand_in ? "stand-in" : "generated";
    array.push_back({{"dataset", name},
                     {"kind", kind},
                     {"origin", origin},
                     {"stand_in", source.stand_in},
                     {"title", source.title}});
    rows.push_back({name, kind, origin, source.title});
  }
  print(array, rows, json);
}

void list_names(const std::string& heading, const std::vector<std::string>& names, bool json) {
  TextTable rows{{heading}};
  for (const std::string& name : names) rows.push_back({name});
  print(Json(names), rows, json);
}

}  // namespace

int list(const ListCommand& command) {
  if (!command.problem.empty() && find_problem(command.problem) == nullptr) {
    throw datasets::InputError("--problem", 0, "one of " + listed(problem_names()), '\'' + command.problem + '\'');
  }
  if (command.what == "solvers") list_solvers(command);
  if (command.what == "problems") list_problems(command.json);
  if (command.what == "tasks") list_tasks(command);
  if (command.what == "datasets") list_datasets(command.json);
  if (command.what == "suites") list_names("suite", suite_names(home()), command.json);
  if (command.what == "experiments") list_names("experiment", experiment_names(home()), command.json);
  return kAllWell;
}

std::string kind_text(const datasets::Source& source) {
  return source.kind ? std::string(datasets::to_string(*source.kind)) : "-";
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  const auto line = [&](const std::vector<std::string>& row) {
    std::string text;
    for (std::size_t c = 0; c < row.size(); ++c)
      text += c + 1 < row.size() ? fmt::format("{:<{}}  ", row[c], widths[c]) : row[c];
    text.erase(text.find_last_not_of(' ') + 1);
    return text + '\n';
  };
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    text += line(rows[r]);
    if (r > 0) continue;
    std::vector<std::string> rule;
    rule.reserve(widths.size());
    for (const std::size_t width : widths) rule.emplace_back(width, '-');
    text += line(rule);
  }
  return text;
}

}  // namespace warpbench::harness
