// All-edge common neighbour counting (che2019, "Problem: All-Edge Common Neighbor Counting").
//
// For an undirected graph in CSR form, count for every slot e(u,v) the common neighbours |N(u) ∩ N(v)|, in an array
// aligned with the slots. The answer is symmetric: both slots of an edge hold the same count. Counts are exact; the
// sum over all slots is six times the number of triangles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "datasets/graphs/csr.hpp"
#include "problems/rules.hpp"

namespace warpbench {

struct CommonNeighbors {
  static ProblemInfo info();

  struct Input {
    const datasets::Csr* graph = nullptr;

    /// `edges` and `slots`.
    [[nodiscard]] std::map<std::string, double> work() const;
  };
  /// One count a slot. A count never exceeds a degree, so 32 bits hold it.
  struct Answer {
    std::span<std::uint32_t> counts;

    /// digest_of_places() of the counts.
    [[nodiscard]] std::uint64_t digest() const;
    void poison() { std::ranges::fill(counts, kPoison); }
  };
  using Reference = std::vector<std::uint32_t>;

  static Input input(const datasets::Dataset& dataset, const Parameters& task);
  /// An edge is counted once, from its end of the higher degree: that vertex's neighbours are marked, and the other's
  /// looked up among the marks. O(sum over edges of min(d_u, d_v)), in parallel over vertices, with a bit a vertex for
  /// each thread.
  static Reference reference(const Input& input);
  /// Exact, or wrong with the first slot that differs. Metric `total`: the sum over all slots.
  static Judgement judge(const Input& input, const Answer& answer, const Reference& reference);
  static Reference read_reference(const Input& input, ReferenceReader& stored);
};

}  // namespace warpbench
