#include "datasets/transforms/relations.hpp"

#include <memory>
#include <string>

#include "datasets/input_error.hpp"

namespace warpbench::datasets {

Relation first_tuples(const Relation& relation, std::int64_t count) {
  // A view owns a copy of its array, which keeps the memory alive.
  const auto front_of = [count](const Array<std::int32_t>& column) {
    return Array<std::int32_t>(std::make_shared<const Array<std::int32_t>>(column),
                               column.span().first(static_cast<std::size_t>(count)));
  };
  return {front_of(relation.a), front_of(relation.x)};
}

Relations first_tuples(const Relations& relations, std::int64_t count) {
  if (count == 0) return relations;
  const auto first = [count](const Relation& relation, const char* name) {
    if (relation.count() < count) {
      throw InputError("transform first", 0, "at least " + std::to_string(count) + " tuples in " + name,
                       std::to_string(relation.count()));
    }
    return first_tuples(relation, count);
  };
  return {first(relations.r, "R"), first(relations.s, "S")};
}

}  // namespace warpbench::datasets
