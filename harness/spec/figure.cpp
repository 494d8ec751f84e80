// `figure:` and `claims:` of a spec: what the plots draw from its results and check against them. The harness only
// makes sure that the plots will know the names.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/spec/spec.hpp"
#include "harness/spec/yaml_values.hpp"

namespace warpbench::harness {
namespace {

const std::vector<std::string> kFigureKinds{"bars",      "lines", "pareto", "table",
                                            "breakdown", "boxes", "curves", "speedup"};

void check_one_figure(const Yaml& node) {
  for (const YamlEntry& entry : read_map(*node, "figure")) {
    if (entry.value->type == YamlNode::Type::null)
      refuse(entry.place, fmt::format("figure, {}: expected a value, found nothing", entry.key));
  }
  const YamlEntry* kind = node->find("kind");
  if (kind == nullptr) refuse(node->place, "figure: expected a key 'kind', found none");
  const std::string name = read_text(*kind->value, "figure, kind");
  if (std::ranges::find(kFigureKinds, name) == kFigureKinds.end()) {
    refuse(kind->value->place, fmt::format("figure: unknown kind '{}'{}; known: {}", name,
                                           did_you_mean(name, kFigureKinds), listed(kFigureKinds)));
  }
}

/// The ids that a claims file lists; none if there is no such file.
std::vector<std::string> known_claims(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return {};
  const Yaml tree = parse_yaml(read_yaml_text(file), file.string());
  std::vector<std::string> ids;
  const YamlEntry* claims = tree->find("claims");
  if (claims == nullptr) return {};
  for (const Yaml& claim : claims->value->items) {
    if (const YamlEntry* id = claim->find("id")) ids.push_back(id->value->text);
  }
  return ids;
}

}  // namespace

void check_figure(const Yaml& node) {
  if (node->type != YamlNode::Type::list) return check_one_figure(node);
  for (const Yaml& figure : read_list(*node, "figure")) check_one_figure(figure);
}

void check_claims(const YamlNode& node, const std::filesystem::path& claims_file) {
  const std::vector<std::string> known = known_claims(claims_file);
  std::set<std::string> given;
  for (const Yaml& item : read_list(node, "claims")) {
    const std::string id = read_text(*item, "claims");
    if (!given.insert(id).second) refuse(item->place, fmt::format("claim '{}' is listed twice", id));
    if (known.empty() || std::ranges::find(known, id) != known.end()) continue;
    refuse(item->place, fmt::format("unknown claim '{}'{}", id, did_you_mean(id, known)));
  }
}

}  // namespace warpbench::harness
