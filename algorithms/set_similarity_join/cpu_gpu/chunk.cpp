#include "algorithms/set_similarity_join/cpu_gpu/chunk.hpp"

#include <algorithm>
#include <numeric>

#include "device/integers.hpp"

namespace warpbench::similarity {

Serialization serialization_from(const std::string& name) {
  if (name == "vector") return Serialization::vector;
  if (name == "reserved") return Serialization::reserved;
  return name == "map" ? Serialization::map : Serialization::arrays;
}

ChunkPlan ChunkPlan::of(std::int64_t bytes, std::int64_t most, std::int64_t sets, bool has_flags) {
  const std::int64_t candidate_bytes = has_flags ? 5 : 4;  // an id and a flag
  const std::int64_t addressable = kNone<std::uint32_t>;   // by the offsets of C_off
  const std::int64_t candidates = std::max<std::int64_t>(1, std::min({bytes / candidate_bytes, most, addressable}));
  return {candidates, std::min(candidates, sets), has_flags};
}

Chunk::Chunk(const ChunkPlan& plan, Serialization serialization)
    : probes(plan.probes), flags(plan.has_flags ? plan.candidates : 0) {
  const bool in_array = serialization == Serialization::arrays || serialization == Serialization::map;
  if (in_array) array = PinnedBuffer<std::uint32_t>(plan.candidates);
  if (serialization == Serialization::reserved) vector.reserve(static_cast<std::size_t>(plan.candidates));
}

std::int64_t most_candidates(const OrderedSets& sets, const Bounds& bounds) {
  std::vector<std::uint32_t> postings(static_cast<std::size_t>(sets.distinct_tokens), 0);
  std::int64_t most = 0;
  std::int64_t smallest = 0;
  for (std::int64_t i = 0; i < sets.count(); ++i) {
    const std::span<const datasets::Token> tokens = sets.sets.set(i);
    const auto size = static_cast<std::uint32_t>(tokens.size());
    while (sets.sets.size(smallest) < std::int64_t{bounds.min_size(size)}) ++smallest;
    const auto probing = tokens.first(bounds.probe_prefix(size));
    const std::int64_t in_lists =
        std::accumulate(probing.begin(), probing.end(), std::int64_t{0},
                        [&](std::int64_t sum, datasets::Token token) { return sum + std::int64_t{postings[token]}; });
    most += std::min(in_lists, i - smallest);
    for (const datasets::Token token : tokens.first(bounds.index_prefix(size))) ++postings[token];
  }
  return most;
}

}  // namespace warpbench::similarity
