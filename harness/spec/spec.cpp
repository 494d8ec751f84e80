#include "harness/spec/spec.hpp"

#include <fmt/format.h>

#include "harness/spec/yaml_values.hpp"

namespace warpbench::harness {
namespace {

/// Reads an experiment's name. It becomes a folder, so it must be words of letters, digits, '.', '_' and '-', joined by
/// '/'.
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

}  // namespace

Spec read_spec(const Yaml& tree, const std::filesystem::path& home, const std::filesystem::path& data) {
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
  spec.datasets = read_datasets(*section.need("datasets").value, *spec.problem, registry(home), data);
  spec.solvers = read_solvers(*section.need("solvers").value, *spec.problem);
  if (const YamlEntry* protocol = section.find("protocol")) spec.protocol = read_protocol(protocol->value);
  if (const YamlEntry* figure = section.find("figure")) check_figure(figure->value);
  if (const YamlEntry* claims = section.find("claims"))
    check_claims(*claims->value, home / "plots" / "data" / "claims.yaml");
  return spec;
}

}  // namespace warpbench::harness
