#include "harness/plan/load_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "harness/spec/home.hpp"
#include "harness/spec/requests.hpp"
#include "harness/spec/yaml_values.hpp"

namespace warpbench::harness {
namespace {

/// The parameters of the task that are set by `--set path=value`.
std::vector<std::string> parameters_of_task(const std::string& path, const YamlNode& value) {
  constexpr std::string_view kTask = "task.";
  if (path.starts_with(kTask)) return {path.substr(kTask.size(), path.find('.', kTask.size()) - kTask.size())};
  std::vector<std::string> parameters;
  if (path == "task") std::ranges::transform(value.entries, std::back_inserter(parameters), &YamlEntry::key);
  return parameters;
}

/// `datasets:` without what their own `task` says of these parameters.
Yaml without_own(const Yaml& datasets, const std::vector<std::string>& parameters) {
  auto list = std::make_shared<YamlNode>(*datasets);
  for (Yaml& item : list->items) {
    const YamlEntry* const own = item->find("task");
    if (own == nullptr) continue;
    auto task = std::make_shared<YamlNode>(*own->value);
    const auto is_set = [&](const YamlEntry& entry) { return std::ranges::count(parameters, entry.key) > 0; };
    if (std::erase_if(task->entries, is_set) == 0) continue;
    auto dataset = std::make_shared<YamlNode>(*item);
    const auto at = own - item->entries.data();
    if (task->entries.empty())
      dataset->entries.erase(dataset->entries.begin() + at);
    else
      dataset->entries[static_cast<std::size_t>(at)].value = std::move(task);
    item = std::move(dataset);
  }
  return list;
}

/// `tree` with the command line's `--set path=value` applied. A parameter of the task holds for all datasets then, also
/// for those that have a `task` of their own.
Yaml with_overrides(Yaml tree, const std::vector<std::string>& overrides) {
  for (const std::string& text : overrides) {
    const std::string name = "--set " + text;
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      refuse({std::make_shared<const std::string>(name), 1, 1}, "expected path=value such as protocol.repetitions=3");
    }
    const std::string path = text.substr(0, equals);
    const Yaml value = parse_yaml(text.substr(equals + 1), name);
    tree = with_value(tree, path, value);
    const YamlEntry* const datasets = tree->find("datasets");
    const std::vector<std::string> parameters = parameters_of_task(path, *value);
    if (datasets != nullptr && !parameters.empty())
      tree = with_value(tree, "datasets", without_own(datasets->value, parameters));
  }
  return tree;
}

/// Applies a suite's entry to a spec: `datasets` and `solvers` replace the spec's, `protocol` replaces key by key.
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
  Plan plan = expand(read_spec(tree, options.home, options.data));
  plan.spec_file = file.string();
  plan.spec_text = as_written ? text : to_text(*tree);
  return plan;
}

PlanOptions with_home(PlanOptions options) {
  if (options.home.empty()) options.home = home();
  return options;
}

/// The plans of all experiments of a suite, or of the `only` one.
std::vector<Plan> plans_of_suite(const Yaml& tree, const std::string& only, const PlanOptions& options) {
  const Section suite(tree, "suite", {"suite", "title", "experiments"});
  static_cast<void>(read_text(*suite.need("suite").value, "suite"));
  if (const YamlEntry* title = suite.find("title")) static_cast<void>(read_text(*title->value, "title"));
  std::vector<Plan> plans;
  std::vector<std::string> names;
  for (const Yaml& item : read_list(*suite.need("experiments").value, "experiments")) {
    const Section entry(item, "experiment of a suite", {"spec", "datasets", "solvers", "protocol"});
    const YamlNode& name = *entry.need("spec").value;
    names.push_back(name.text);
    if (!only.empty() && name.text != only) continue;
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
  if (plans.empty() && !only.empty()) {
    refuse(tree->place, fmt::format("the suite has no experiment '{}'{}", only, did_you_mean(only, names)));
  }
  return plans;
}

}  // namespace

Plan load_plan(const std::filesystem::path& file, const PlanOptions& options) {
  return plan_of(file, with_home(options), nullptr);
}

std::vector<Plan> load_request(const std::string& request, const PlanOptions& given) {
  const PlanOptions options = with_home(given);
  const Request found = find_request(request, options.home);
  const Yaml tree = read_tree(found.file);
  if (tree->find("suite") != nullptr) return plans_of_suite(tree, found.experiment, options);
  std::vector<Plan> plans;
  plans.push_back(plan_of(found.file, options, nullptr));
  return plans;
}

}  // namespace warpbench::harness
