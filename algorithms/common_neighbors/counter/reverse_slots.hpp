// Symmetric assignment on the CPU (che2019, "Parallelization on GPUs"): the GPU counts each edge at one of its two
// slots. The CPU finds the mirror of each slot, meanwhile or afterwards (AssignOffsetsOnCPU), and then copies the
// counts over. The document keeps the offsets in the count array itself, which unified memory lets both sides write;
// here they have an array of their own, because the counts arrive by one copy.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "datasets/graphs/csr.hpp"

namespace warpbench::common_neighbors {

/// mirror[e(v,u)] = e(u,v) for every slot e(u,v) whose end u comes first (degree_order.hpp); other elements are left
/// alone. `mirror` has one element a slot. O(edges log max_degree) over all threads.
void find_mirror_slots(const datasets::Csr& graph, std::span<std::uint32_t> mirror);

/// counts[s] = counts[mirror[s]] for the slots whose end u does not come first. O(slots) over all threads.
void assign_mirrored(const datasets::Csr& graph, std::span<const std::uint32_t> mirror,
                     std::span<std::uint32_t> counts);

}  // namespace warpbench::common_neighbors
