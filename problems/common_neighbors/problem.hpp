// All-edge common neighbour counting (che2019, slide "Problem: All-Edge Common Neighbor Counting").
//
// For an undirected graph in CSR form, count for every slot e(u,v) the common neighbours |N(u) ∩ N(v)|, in an array
// aligned with the slots. The answer is symmetric: both slots of an edge hold the same count. Counts are exact; the
// sum over all slots is six times the number of triangles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "datasets/csr.hpp"
#include "problems/rules.hpp"

namespace warpbench {

struct CommonNeighbors {
  struct Input {
    const datasets::Csr* graph = nullptr;
  };
  /// One count a slot. A count never exceeds a degree, so 32 bits hold it.
  struct Answer {
    std::span<std::uint32_t> counts;
  };
  using Reference = std::vector<std::uint32_t>;

  static ProblemInfo info();
  static Input input(const datasets::Dataset& dataset, const Parameters& task);
  /// For every edge, look each neighbour of the lower-degree end up in the other list by binary search:
  /// O(sum over edges of min(d_u, d_v) log max(d_u, d_v)), in parallel over vertices.
  static Reference reference(const Input& input);
  /// Exact, or wrong with the first slot that differs. Metric `total`: the sum over all slots.
  static Judgement judge(const Input& input, const Answer& answer, const Reference& reference);
  /// digest_of_places() of the counts.
  static std::uint64_t digest(const Answer& answer);
  static std::map<std::string, double> work(const Input& input);
  static std::vector<std::byte> to_bytes(const Reference& reference);
  static Reference from_bytes(const Input& input, std::span<const std::byte> bytes);
};

}  // namespace warpbench
