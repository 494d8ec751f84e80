#include "harness/spec.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/requests.hpp"
#include "harness/spec_file.hpp"
#include "harness/yaml_values.hpp"

namespace warpbench::harness {
namespace {

/// An experiment's name becomes a folder: words of letters, digits, '.', '_' and '-', joined by '/'.
std::string read_experiment(const YamlNode& node) {
  std::string name = read_text(node, "experiment");
  bool at_start = true;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    const bool allowed = letter || (!at_start && (c == '.' || c == '_' || c == '-' || c == '/'));
    if (!allowed)
      refuse(node.place, fmt::format("experiment: expected words such as che2019/table-4, found '{}'", name));
    at_start = c == '/';
  }
  if (at_start) refuse(node.place, fmt::format("experiment: expected words such as che2019/table-4, found '{}'", name));
  return name;
}

const ProblemEntry& read_problem(const YamlNode& node) {
  const std::string name = read_text(node, "problem");
  if (const ProblemEntry* problem = find_problem(name)) return *problem;
  std::vector<std::string> known;
  for (const ProblemEntry& problem : problems()) known.push_back(problem.info.id);
  refuse(node.place, fmt::format("unknown problem '{}'{}; known: {}", name, did_you_mean(name, known), listed(known)));
}

Spec read_spec(const Yaml& tree, const PlanOptions& options) {
  const Section section(
      tree, "spec", {"experiment", "title", "problem", "task", "datasets", "solvers", "protocol", "figure", "claims"});
  Spec spec;
  const YamlEntry& experiment = section.need("experiment");
  spec.experiment = read_experiment(*experiment.value);
  spec.title = spec.experiment;
  if (const YamlEntry* title = section.find("title")) spec.title = read_text(*title->value, "title");
  spec.problem = &read_problem(*section.need("problem").value);
  spec.task_place = experiment.place;
  if (const YamlEntry* task = section.find("task")) {
    spec.task = read_axes(*task->value, "task", spec.problem->info.task);
    spec.task_place = task->place;
  }
  spec.datasets = read_datasets(*section.need("datasets").value, *spec.problem, registry(options.home), options.data);
  spec.solvers = read_solvers(*section.need("solvers").value, *spec.problem);
  if (const YamlEntry* protocol = section.find("protocol")) spec.protocol = read_protocol(protocol->value);
  if (const YamlEntry* figure = section.find("figure")) check_figure(figure->value);
  if (const YamlEntry* claims = section.find("claims"))
    check_claims(*claims->value, options.home / "plots" / "data" / "claims.yaml");
  return spec;
}

/// `tree` with the command line's `--set path=value` applied.
Yaml with_overrides(Yaml tree, const std::vector<std::string>& overrides) {
  for (const std::string& text : overrides) {
    const std::string name = "--set " + text;
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      refuse({std::make_shared<const std::string>(name), 1, 1}, "expected path=value such as protocol.repetitions=3");
    }
    tree = with_value(tree, text.substr(0, equals), parse_yaml(text.substr(equals + 1), name));
  }
  return tree;
}

/// Of a suite's entry: `datasets` and `solvers` replace the spec's, `protocol` replaces key by key.
Yaml with_replacements(Yaml tree, const YamlNode& entry) {
  for (const YamlEntry& replacement : entry.entries) {
    if (replacement.key == "datasets" || replacement.key == "solvers")
      tree = with_value(tree, replacement.key, replacement.value);
    if (replacement.key == "protocol") {
      for (const YamlEntry& field : read_map(*replacement.value, "protocol"))
        tree = with_value(tree, "protocol." + field.key, field.value);
    }
  }
  return tree;
}

Yaml read_tree(const std::filesystem::path& file, std::string* text = nullptr) {
  std::string bytes = read_yaml_text(file);
  Yaml tree = parse_yaml(bytes, file.string());
  if (text != nullptr) *text = std::move(bytes);
  return tree;
}

Plan plan_of(const std::filesystem::path& file, const PlanOptions& options, const YamlNode* suite_entry) {
  std::string text;
  Yaml tree = read_tree(file, &text);
  const bool as_written = suite_entry == nullptr && options.overrides.empty();
  if (suite_entry != nullptr) tree = with_replacements(tree, *suite_entry);
  tree = with_overrides(tree, options.overrides);
  Plan plan = expand(read_spec(tree, options));
  plan.spec_file = file.string();
  plan.spec_text = as_written ? text : to_text(*tree);
  return plan;
}

PlanOptions with_home(PlanOptions options) {
  if (options.home.empty()) options.home = home();
  return options;
}

std::vector<Plan> plans_of_suite(const Yaml& tree, const PlanOptions& options) {
  const Section suite(tree, "suite", {"suite", "title", "experiments"});
  static_cast<void>(read_text(*suite.need("suite").value, "suite"));
  if (const YamlEntry* title = suite.find("title")) static_cast<void>(read_text(*title->value, "title"));
  std::vector<Plan> plans;
  for (const Yaml& item : read_list(*suite.need("experiments").value, "experiments")) {
    const Section entry(item, "experiment of a suite", {"spec", "datasets", "solvers", "protocol"});
    const YamlNode& name = *entry.need("spec").value;
    const auto file = find_experiment(read_text(name, "spec"), options.home);
    if (!file) {
      refuse(name.place, fmt::format("unknown experiment '{}'{}", name.text,
                                     did_you_mean(name.text, experiment_names(options.home))));
    }
    Plan plan = plan_of(*file, options, item.get());
    if (std::ranges::find(plans, plan.experiment, &Plan::experiment) != plans.end())
      refuse(name.place, fmt::format("experiment '{}' is listed twice", plan.experiment));
    plans.push_back(std::move(plan));
  }
  return plans;
}

}  // namespace

Plan load_plan(const std::filesystem::path& file, const PlanOptions& options) {
  return plan_of(file, with_home(options), nullptr);
}

std::vector<Plan> load_request(const std::string& request, const PlanOptions& given) {
  const PlanOptions options = with_home(given);
  const std::filesystem::path file = find_request(request, options.home);
  const Yaml tree = read_tree(file);
  if (tree->find("suite") != nullptr) return plans_of_suite(tree, options);
  std::vector<Plan> plans;
  plans.push_back(plan_of(file, options, nullptr));
  return plans;
}

}  // namespace warpbench::harness
