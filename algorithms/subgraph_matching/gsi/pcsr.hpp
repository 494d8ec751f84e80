// PCSR, GSI's structure for N(v, l) (gsi2020 §IV, Definition 4, Algorithm 1): for each edge label as many hash groups
// as the label has vertices. A group is `gpn` pairs of 8 bytes. Up to gpn - 1 of them hold a vertex and the place in
// the column index where its neighbours begin. The last is (GID, END): the group with the keys that this one has no
// room for, or kNone (the document's -1), and the place where the last key's neighbours end. Each pair's neighbours end
// where the next one's begin. That holds in groups that are not full, too: pairs without a vertex have END as their
// offset.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/subgraph_matching/label_partitions.hpp"
#include "device/integers.hpp"
#include "device/mix64.hpp"

namespace warpbench::matching::gsi {

/// The group that vertex v is hashed to, of `groups`.
constexpr std::uint32_t group_of(Vertex v, std::uint64_t groups) {
  return static_cast<std::uint32_t>((mix64(v) >> 32U) * groups >> 32U);
}

struct Pcsr {
  std::vector<std::uint32_t> pairs;  // of partition l: size(l) groups of 2 * gpn words from vertex_offsets[l] groups on
  std::vector<Vertex> column_index;  // of partition l from slot_offsets[l] on
  std::uint32_t longest_conflict = 0;  // most vertices hashed to one group
  std::uint64_t overflows = 0;         // groups that hold what others have no room for
};

/// Algorithm 1 for every partition, in parallel over them. 2 <= gpn <= 16. O(slots + gpn * vertices of partitions).
[[nodiscard]] Pcsr build_pcsr(const Graph& graph, const LabelPartitions& partitions, int gpn);

}  // namespace warpbench::matching::gsi
