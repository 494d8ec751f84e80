// What the CPU solvers of nearest_neighbors share: the number of threads and the answer's memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "problems/nearest_neighbors/problem.hpp"
#include "solvers/threads.hpp"

namespace warpbench::nearest_neighbors {

/// The ids of an answer, queries × k.
class AnswerRows {
 public:
  AnswerRows() = default;
  explicit AnswerRows(const NearestNeighbors::Input& input)
      : k_(static_cast<std::size_t>(input.k)), ids_(static_cast<std::size_t>(input.queries()) * k_) {}

  /// Query `query` found `ids`, the nearest first: the first k of them, then kNone.
  template <typename Ids>
  void store(std::int64_t query, const Ids& ids) {
    const std::span<std::uint32_t> row = std::span(ids_).subspan(static_cast<std::size_t>(query) * k_, k_);
    std::size_t place = 0;
    for (const std::uint32_t id : ids) {
      if (place == k_) return;
      row[place++] = id;
    }
    std::ranges::fill(row.subspan(place), NearestNeighbors::kNone);
  }
  [[nodiscard]] std::span<std::uint32_t> all() { return ids_; }

 private:
  std::size_t k_ = 0;
  std::vector<std::uint32_t> ids_;
};

}  // namespace warpbench::nearest_neighbors
