#include "datasets/kind.hpp"

#include <array>
#include <utility>

namespace warpbench::datasets {
namespace {

constexpr std::array<std::pair<Kind, std::string_view>, 9> kNames{{
    {Kind::None, "none"},
    {Kind::Graph, "graph"},
    {Kind::LabelledGraph, "labelled_graph"},
    {Kind::GraphQueries, "graph_queries"},
    {Kind::Ratings, "ratings"},
    {Kind::Vectors, "vectors"},
    {Kind::Sets, "sets"},
    {Kind::Relation, "relation"},
    {Kind::Text, "text"},
}};

}  // namespace

std::string_view to_string(Kind kind) noexcept {
  for (const auto& [value, name] : kNames) {
    if (value == kind) return name;
  }
  return "none";
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const auto& [kind, name] : kNames) {
    if (kind != Kind::None) names.emplace_back(name);
  }
  return names;
}

std::optional<Kind> kind_from_string(std::string_view name) noexcept {
  for (const auto& [value, known] : kNames) {
    if (known == name) return value;
  }
  return std::nullopt;
}

}  // namespace warpbench::datasets
