#include "algorithms/nearest_neighbors/auto/query_sample.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "datasets/generators/random.hpp"
#include "datasets/transforms/vectors.hpp"
#include "problems/nearest_neighbors/distance.hpp"

namespace warpbench::nearest_neighbors {
namespace {

constexpr std::uint64_t kSeed = 2023;
constexpr std::uint64_t kStream = 4;
constexpr std::int64_t kPointsForOneHeldOut = 10;
constexpr double kDeviations = 2.33;

}  // namespace

QuerySample::QuerySample(const Input& input, std::int64_t size, Solver<NearestNeighbors>& exact) : batch_(input) {
  if (input.queries() >= size) {
    const datasets::Permutation drawn(static_cast<std::uint64_t>(input.queries()), kSeed, kStream);
    for (std::int64_t i = 0; i < size; ++i) {
      rows_.push_back(static_cast<std::int64_t>(drawn(static_cast<std::uint64_t>(i))));
    }
  } else if (const std::int64_t held = std::min(size, input.points() / kPointsForOneHeldOut); held > 0) {
    held_out_ = datasets::hold_out({input.vectors->facts, input.vectors->points, {}}, held, kSeed);
    batch_.vectors = &held_out_;
    rows_.resize(static_cast<std::size_t>(held));
    std::iota(rows_.begin(), rows_.end(), 0);
  }
  if (!rows_.empty()) find_exact(exact);
}

void QuerySample::find_exact(Solver<NearestNeighbors>& exact) {
  const datasets::VectorSet& vectors = *batch_.vectors;
  std::vector<float> queries;
  for (const std::int64_t row : rows_) {
    const std::span<const float> query = vectors.query(row);
    queries.insert(queries.end(), query.begin(), query.end());
  }
  const datasets::VectorSet asked{vectors.facts, vectors.points, std::move(queries)};
  Input input = batch_;
  input.vectors = &asked;
  Phases phases;
  Answer answer;
  exact.prepare(input, phases);
  exact.solve_with_transfers(answer, phases);
  for (std::int64_t i = 0; i < input.queries(); ++i) {
    const std::uint32_t last = answer.neighbors[static_cast<std::size_t>(i * input.k + input.places() - 1)];
    farthest_.push_back(distance(input.metric, asked.query(i), asked.point(std::int64_t{last})));
  }
}

double QuerySample::recall(const Answer& answer) const {
  if (rows_.empty()) return 0;
  std::int64_t hits = 0;
#pragma omp parallel for reduction(+ : hits)
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const std::span<const float> query = batch_.vectors->query(rows_[i]);
    const auto row =
        answer.neighbors.subspan(static_cast<std::size_t>(rows_[i] * batch_.k), static_cast<std::size_t>(batch_.k));
    hits += std::ranges::count_if(row, [&](std::uint32_t id) {
      if (id == kNone<std::uint32_t>) return false;
      const std::span<const float> point = batch_.vectors->point(std::int64_t{id});
      return distance(batch_.metric, query, point) <= farthest_[i] + slack(batch_.metric, query, point, farthest_[i]);
    });
  }
  return static_cast<double>(hits) / static_cast<double>(places());
}

double demanded_recall(double wanted, std::int64_t places) {
  const double deviation = std::sqrt(wanted * (1 - wanted) / static_cast<double>(std::max<std::int64_t>(places, 1)));
  return std::min(1.0, wanted + kDeviations * deviation);
}

}  // namespace warpbench::nearest_neighbors
