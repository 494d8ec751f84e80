#include "datasets/loaders/sets/set_rows.hpp"

#include <utility>

namespace warpbench::datasets {

Content sets_content(std::vector<std::uint64_t> offsets, std::vector<Token> tokens, int threads) {
  std::int64_t duplicates = 0;
  SetCollection sets = build_sets(std::move(offsets), std::move(tokens), threads, &duplicates);
  return {std::move(sets), {{"duplicates_merged", duplicates}}, {}};
}

}  // namespace warpbench::datasets
