#include "algorithms/nearest_neighbors/graph_search/search_method.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <stdexcept>
#include <utility>

namespace warpbench::nearest_neighbors {
namespace {

std::map<std::string, SearchMethod, std::less<>>& table() {
  static std::map<std::string, SearchMethod, std::less<>> methods;
  return methods;
}

int power_of_two_from(std::int64_t minimum) {
  return static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>(minimum)));
}

}  // namespace

SearchShape SearchMethod::shape(std::int64_t wanted, std::int64_t degree, int stride) const {
  SearchShape shape;
  shape.candidates = power_of_two_from(std::max<std::int64_t>(wanted, min_candidates));
  shape.explore = static_cast<int>(wanted);
  shape.list = power_of_two_from(std::max<std::int64_t>(degree, 2));
  shape.stride = stride;
  shape.visited = visited == nullptr ? 0 : visited(shape.candidates);
  return shape;
}

void add_search_method(SearchMethod method) {
  std::string name = method.name;
  table().insert_or_assign(std::move(name), std::move(method));
}

const SearchMethod& search_method(std::string_view name) {
  const auto found = table().find(name);
  if (found == table().end()) throw std::logic_error("no graph search '" + std::string(name) + "'");
  return found->second;
}

std::vector<std::string> search_method_names() {
  std::vector<std::string> names;
  for (const auto& [name, method] : table()) names.push_back(name);
  return names;
}

}  // namespace warpbench::nearest_neighbors
