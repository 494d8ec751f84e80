#include "solvers/set_similarity_join/ordered_sets.hpp"

#include <algorithm>

#include "datasets/transforms/sets.hpp"

namespace warpbench::similarity {

OrderedSets ordered(const SetSimilarityJoin::Input& input, int threads) {
  using datasets::Order;
  const datasets::SetCollection ranked = datasets::tokens_by_frequency(*input.sets, Order::ascending, threads);
  OrderedSets made;
  made.originals = datasets::sets_by_size(ranked, Order::ascending);
  const auto filled = std::ranges::find_if(made.originals, [&](std::uint32_t set) { return ranked.size(set) > 0; });
  made.originals.erase(made.originals.begin(), filled);
  made.sets = datasets::take_sets(ranked, made.originals, threads);
  made.distinct_tokens = ranked.universe();
  if (input.left == 0) return made;
  made.sides.reserve(made.originals.size());
  for (const std::uint32_t set : made.originals) made.sides.push_back(std::int64_t{set} < input.left ? 0 : 1);
  return made;
}

}  // namespace warpbench::similarity
