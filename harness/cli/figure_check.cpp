#include "harness/cli/figure_check.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <variant>

#include "datasets/source.hpp"
#include "device/device.hpp"
#include "harness/process/command_output.hpp"
#include "harness/spec/home.hpp"
#include "harness/spec/yaml_tree.hpp"
#include "problems/problem.hpp"
#include "solvers/registry.hpp"

namespace warpbench::harness {
namespace {

using Json = nlohmann::ordered_json;

template <typename Map>
Json object_of(const Map& map) {
  Json object = Json::object();
  for (const auto& [name, value] : map) object[name] = std::visit([](const auto& held) { return Json(held); }, value);
  return object;
}

Json json_of(const NamedDataset& dataset) {
  const auto* generator = std::get_if<datasets::GeneratorSource>(&dataset.source.from);
  return {{"name", dataset.name},
          {"parameters", generator == nullptr ? Json::object() : object_of(generator->parameters)}};
}

Json solver_of(const Trial& trial) {
  Json json{{"name", trial.solver}, {"role", ""}, {"device", ""}, {"point", nullptr}};
  const ProblemEntry* problem = find_problem(trial.problem);
  if (const SolverInfo* info = problem == nullptr ? nullptr : find_solver(*problem, trial.solver); info != nullptr) {
    json["role"] = to_string(info->role);
    json["device"] = to_string(info->device);
    json["point"] = to_string(point_of(*info, trial.parameters));
  }
  json["parameters"] = object_of(trial.parameters.values());
  return json;
}

bool has_figures(const Plan& plan) {
  return parse_yaml(plan.spec_text, plan.spec_file)->find("figure") != nullptr;
}

}  // namespace

std::string plan_as_json(const Plan& plan) {
  // A byte that is no UTF-8, in a file's name for instance, must not cost the check.
  const auto line = [](const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n'; };
  std::string text = line({{"file", plan.spec_file}, {"text", plan.spec_text}, {"backend", backend_name()}});
  for (const Trial& trial : plan.trials) {
    text += line({{"trial", trial.id},
                  {"dataset", json_of(plan.datasets.at(trial.dataset))},
                  {"solver", solver_of(trial)},
                  {"task", object_of(trial.task.values())}});
  }
  return text;
}

FigureFaults faults_of_figures(const std::vector<Plan>& plans, std::chrono::duration<double> limit,
                               const std::filesystem::path& python) {
  std::string input;
  for (const Plan& plan : plans) {
    if (has_figures(plan)) input += plan_as_json(plan);
  }
  FigureFaults faults;
  if (input.empty()) return faults;
  const std::filesystem::path program = python.empty() ? home() / ".venv" / "bin" / "python" : python;
  const auto start = std::chrono::steady_clock::now();
  const std::optional<std::string> output =
      output_of({program.string(), "-m", "warpbench_plots", "check"}, input, limit);
  if (!output) {
    faults.unchecked =
        std::chrono::steady_clock::now() - start < limit
            ? "the plots' Python is missing or fails (`make setup` installs it)"
            : fmt::format("that was not done after {:g} s (`run --no-figures` leaves it out)", limit.count());
    faults.unchecked.insert(0, "figures: not checked, as ");
    return faults;
  }
  std::istringstream lines(*output);
  for (std::string line; std::getline(lines, line);) faults.sentences.push_back(line);
  return faults;
}

}  // namespace warpbench::harness
