// Chunk: candidates on their way to the device and their verdicts on the way back, in host memory (bellas2022 §4.2.2,
// Figure 4.9).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/set_similarity_join/verification/verification.hpp"
#include "device/buffer.hpp"
#include "problems/parameters.hpp"
#include "solvers/set_similarity_join/bounds.hpp"
#include "solvers/set_similarity_join/ordered_sets.hpp"

namespace warpbench::similarity {

/// How candidates are kept until a chunk is full (§4.3.1).
enum class Serialization : std::uint8_t {
  arrays,    ///< where the device copies them from
  vector,    ///< in a std::vector that grows
  reserved,  ///< in a std::vector with room for all
  map        ///< in a map from a probing set to the vector of its candidates, which is then written to arrays
};
[[nodiscard]] Serialization serialization_from(const std::string& name);

/// The sizes of a chunk.
struct ChunkPlan {
  std::int64_t candidates = 0;
  std::int64_t probes = 0;  ///< entries of C_off; a probing set is in a chunk once, with candidates
  bool has_flags = false;   ///< whether there is OUT

  /// What `bytes` hold of C, and of OUT where it `has_flags`: one candidate at least, and no more than `most`.
  [[nodiscard]] static ChunkPlan of(std::int64_t bytes, std::int64_t most, std::int64_t sets, bool has_flags);
  friend bool operator==(const ChunkPlan&, const ChunkPlan&) = default;
};

struct Chunk {
  PinnedBuffer<std::uint32_t> array;  ///< C
  std::vector<std::uint32_t> vector;  ///< C, where it is serialized to a vector
  PinnedBuffer<ProbeEntry> probes;    ///< C_off
  PinnedBuffer<std::uint8_t> flags;   ///< OUT
  std::int64_t candidate_count = 0;   ///< of those in `array`
  std::int64_t probe_count = 0;

  Chunk() = default;
  /// Throws DeviceError.
  Chunk(const ChunkPlan& plan, Serialization serialization);

  [[nodiscard]] std::span<const std::uint32_t> candidates() const {
    if (!vector.empty()) return vector;
    return array.span().first(static_cast<std::size_t>(candidate_count));
  }
  [[nodiscard]] std::span<const ProbeEntry> entries() const {
    return probes.span().first(static_cast<std::size_t>(probe_count));
  }
};

/// No filter leaves more candidates: pairs of sets that pass the length filter and may share a token of their prefixes.
/// O(tokens of prefixes).
[[nodiscard]] std::int64_t most_candidates(const OrderedSets& sets, const Bounds& bounds);

}  // namespace warpbench::similarity
