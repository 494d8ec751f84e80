// k nearest neighbours (yu2023 §4.1.1, Definition 1).
//
// For each query the k points nearest to it, ascending by distance. Answers may be approximate: recall@k is the share
// of the min(k, points) places that hold a point no farther than the k-th nearest one, decided by distances in double
// precision with a relative tolerance, so that a tie or the rounding of a float is no miss.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "datasets/vectors.hpp"
#include "device/integers.hpp"
#include "problems/rules.hpp"

namespace warpbench {

struct NearestNeighbors {
  static ProblemInfo info();

  struct Input {
    const datasets::VectorSet* vectors = nullptr;
    datasets::Metric metric = datasets::Metric::euclidean;
    std::int64_t k = 10;

    [[nodiscard]] std::int64_t points() const { return vectors->count(); }
    [[nodiscard]] std::int64_t queries() const { return vectors->query_count(); }
    [[nodiscard]] std::int64_t dimension() const { return vectors->dimension(); }
    /// Neighbours that there are for a query: k, or all points.
    [[nodiscard]] std::int64_t places() const { return k < points() ? k : points(); }
    /// `queries`, `points` and `dimension`.
    [[nodiscard]] std::map<std::string, double> work() const;
  };
  /// queries × k ids, row by row, ascending by distance; kNone<std::uint32_t> fills a row that is too short.
  struct Answer {
    std::span<std::uint32_t> neighbors;

    /// digest_of_places() of the ids.
    [[nodiscard]] std::uint64_t digest() const;
    void poison() { std::ranges::fill(neighbors, kPoison); }
  };
  /// Row by row the min(k, points) nearest points, ascending by (distance, id), and their distances.
  struct Reference {
    std::vector<std::uint32_t> neighbors;
    std::vector<double> distances;

    [[nodiscard]] auto parts() const { return std::tie(neighbors, distances); }
  };

  static Input input(const datasets::Dataset& dataset, const Parameters& task);
  /// Brute force in double precision (ground_truth.hpp): O(queries × points × dimension), in parallel over queries.
  static Reference reference(const Input& input);
  /// Wrong: an id out of range, or twice in a row, or points nearer than the reference's, which then is wrong itself.
  /// Else exact where recall is 1, approximate below. Metrics: `recall`, the mean over queries; `recall_minimum`, of
  /// the worst query.
  static Judgement judge(const Input& input, const Answer& answer, const Reference& reference);
  static Reference read_reference(const Input& input, ReferenceReader& stored);
};

}  // namespace warpbench
