#include "datasets/relations.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "datasets/input_error.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

using Column = std::vector<std::int32_t>;

void check(const Relation& relation, const std::string& name) {
  if (relation.x.size() != relation.a.size()) {
    throw InputError("relations", 0, "as many values of " + name + ".x as of " + name + ".a",
                     std::to_string(relation.x.size()) + " and " + std::to_string(relation.a.size()));
  }
  if (relation.count() > kMaxTuples) {
    throw InputError("relations", 0, "at most " + std::to_string(kMaxTuples) + " tuples in " + name,
                     std::to_string(relation.count()));
  }
}

std::int64_t count_distinct(const Column& sorted) {
  std::int64_t runs = sorted.empty() ? 0 : 1;
  for (std::size_t i = 1; i < sorted.size(); ++i) runs += sorted[i] != sorted[i - 1] ? 1 : 0;
  return runs;
}

/// The pairs (r, s) with r > s. Below 2^62, as relations have fewer than 2^31 tuples.
std::uint64_t count_greater(const Column& sorted_r, const Column& sorted_s) {
  std::uint64_t pairs = 0;
  std::size_t below = 0;
  for (const std::int32_t key : sorted_r) {
    while (below < sorted_s.size() && sorted_s[below] < key) ++below;
    pairs += below;
  }
  return pairs;
}

}  // namespace

void Relations::validate() const {
  check(r, "R");
  check(s, "S");
}

Properties Relations::describe() const {
  const std::array columns{&r.a, &r.x, &s.a, &s.x};
  const std::array<std::string, 4> names{"r_a", "r_x", "s_a", "s_x"};
  std::array<Column, 4> sorted;
  for_chunks(columns.size(), 1, 0, [&](std::size_t column, std::size_t, std::size_t) {
    sorted[column].assign(columns[column]->begin(), columns[column]->end());
    std::ranges::sort(sorted[column]);
  });
  Properties facts{{"r_tuples", r.count()}, {"s_tuples", s.count()}};
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    facts[names[i] + "_smallest"] = sorted[i].empty() ? 0 : sorted[i].front();
    facts[names[i] + "_largest"] = sorted[i].empty() ? 0 : sorted[i].back();
    facts[names[i] + "_distinct"] = count_distinct(sorted[i]);
  }
  const auto pairs = static_cast<double>(r.count()) * static_cast<double>(s.count());
  facts["selectivity_greater"] = pairs == 0 ? 0.0 : static_cast<double>(count_greater(sorted[0], sorted[2])) / pairs;
  return facts;
}

}  // namespace warpbench::datasets
