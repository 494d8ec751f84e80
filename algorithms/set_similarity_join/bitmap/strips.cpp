#include "algorithms/set_similarity_join/bitmap/strips.hpp"

#include <algorithm>

namespace warpbench::similarity {

std::vector<Strip> strips_of(const SetRange& probes, std::int64_t capacity,
                             const std::function<SetRange(const SetRange&)>& sets_of) {
  std::vector<Strip> strips;
  std::int64_t begin = probes.begin;
  while (begin < probes.end) {
    const auto of_count = [&](std::int64_t count) {
      const SetRange some{begin, std::min(begin + count, probes.end)};
      return Strip{sets_of(some), some};
    };
    Strip strip = of_count(kStripUnit);
    while (strip.probes.end < probes.end) {
      const Strip larger = of_count(strip.probes.count() + kStripUnit);
      if (larger.pairs() > capacity) break;
      strip = larger;
    }
    begin = strip.probes.end;
    const std::int64_t sets_at_once = std::max(capacity / strip.probes.count(), std::int64_t{1});
    for (const SetRange& some : blocks_of(strip.sets, sets_at_once)) strips.push_back({some, strip.probes});
  }
  return strips;
}

SetRange similar_by_size(const BlockPair& pair, const SetRange& probes, const OrderedSets& sets, const Bounds& bounds) {
  const auto size = [&](std::int64_t set) { return static_cast<std::uint32_t>(sets.sets.size(set)); };
  const std::uint32_t least = bounds.min_size(size(probes.begin));
  SetRange similar{pair.smaller.begin, std::min(pair.smaller.end, probes.end)};
  for (std::int64_t count = similar.count(); count > 0;) {  // the first set that is large enough, by halving
    const std::int64_t half = count / 2;
    const bool is_small = size(similar.begin + half) < least;
    if (is_small) similar.begin += half + 1;
    count = is_small ? count - half - 1 : half;
  }
  return similar;
}

}  // namespace warpbench::similarity
