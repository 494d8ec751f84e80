// SignatureFilter: which pairs of sets are candidates (bellas2022 §4.1.2, §5.1.1), by length and by signature.
#pragma once

#include <cstdint>

#include "algorithms/set_similarity_join/bitmap/signatures.cuh"
#include "algorithms/set_similarity_join/engine/device_sets.hpp"
#include "device/kernel.hpp"
#include "solvers/set_similarity_join/bounds.hpp"

namespace warpbench::similarity {

struct SignatureFilter {
  SetsView sets;
  SignaturesView signatures;
  Bounds bounds;

  /// Whether a set has enough tokens to be similar to `probe`, which is no smaller.
  [[nodiscard]] __device__ bool is_long_enough(std::int64_t set, std::int64_t probe) const {
    return sets.size(set) >= bounds.min_size(sets.size(probe));
  }
  /// Whether the signatures leave room for an overlap that suffices.
  [[nodiscard]] __device__ bool may_overlap(std::int64_t set, std::int64_t probe) const {
    const std::uint32_t a = sets.size(set);
    const std::uint32_t b = sets.size(probe);
    const std::uint64_t most = (std::uint64_t{a} + b - signatures.difference(set, probe)) / 2;
    return bounds.similar(static_cast<std::uint32_t>(most), a, b);
  }
};

}  // namespace warpbench::similarity
