#include "problems/nearest_neighbors/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "datasets/input_error.hpp"
#include "problems/first_failure.hpp"
#include "problems/nearest_neighbors/distance.hpp"
#include "problems/nearest_neighbors/ground_truth.hpp"

namespace warpbench {
namespace {

using datasets::Metric;
using nearest_neighbors::distance;
using Input = NearestNeighbors::Input;

constexpr const char* kWithQueries = "vectors with queries";
constexpr const char* kToQueries = "name a file of them as `queries`, or add the transform hold_out";

std::string foresee(const datasets::Outline& outline, const Parameters& /*task*/) {
  if (outline.queries != 0) return {};
  return fmt::format("expected {}, found points only ({})", kWithQueries, kToQueries);
}

std::span<const float> point_of(const Input& input, std::uint32_t id) {
  return input.vectors->point(static_cast<std::int64_t>(id));
}

/// How much nearer than the reference's a neighbour may be, in the same measure: what another compiler rounds
/// otherwise.
constexpr double kRounding = 1e-12;

/// nearest_neighbors::slack() by the input's metric.
double slack(const Input& input, std::span<const float> query, std::span<const float> x, double kth,
             double tolerance = nearest_neighbors::kTolerance) {
  return nearest_neighbors::slack(input.metric, query, x, kth, tolerance);
}

// ---- judge ----

/// The first place of a row that holds no point's id, or an id that stands before it; k where there is none.
struct Fault {
  std::size_t place;
  std::size_t same_as;  ///< == place: out of range
};
Fault fault_in(const Input& input, std::span<const std::uint32_t> row) {
  std::vector<std::pair<std::uint32_t, std::size_t>> sorted;
  Fault fault{row.size(), row.size()};
  for (std::size_t place = 0; place < row.size(); ++place) {
    if (row[place] == kNone<std::uint32_t>) continue;
    if (static_cast<std::int64_t>(row[place]) >= input.points()) {
      fault = {place, place};
      break;
    }
    sorted.emplace_back(row[place], place);
  }
  std::ranges::sort(sorted);
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i].first == sorted[i - 1].first && sorted[i].second < fault.place) {
      fault = {sorted[i].second, sorted[i - 1].second};
    }
  }
  return fault;
}

std::span<const std::uint32_t> row_of(const Input& input, const NearestNeighbors::Answer& answer, std::int64_t query) {
  return answer.neighbors.subspan(static_cast<std::size_t>(query * input.k), static_cast<std::size_t>(input.k));
}

Judgement faulty_row(const Input& input, std::int64_t query, std::span<const std::uint32_t> row) {
  const Fault fault = fault_in(input, row);
  if (fault.place == fault.same_as) {
    return wrong(fmt::format("query {}, place {}: expected the id of one of {} points, found {}", query, fault.place,
                             input.points(), row[fault.place]));
  }
  return wrong(fmt::format("query {}, place {}: expected another point than at place {}, found {} again", query,
                           fault.place, fault.same_as, row[fault.place]));
}

/// A point of an answer.
struct Found {
  double distance;
  std::uint32_t id;
};

/// The points of a row, the nearest first.
std::vector<Found> sorted_row(const Input& input, std::int64_t query, std::span<const std::uint32_t> row) {
  std::vector<Found> points;
  for (const std::uint32_t id : row) {
    if (id == kNone<std::uint32_t>) continue;
    points.push_back({distance(input.metric, input.vectors->query(query), point_of(input, id)), id});
  }
  std::ranges::sort(points, {}, &Found::distance);
  return points;
}

/// Those of them that are no farther than `kth`.
std::int64_t hits_in(const Input& input, std::int64_t query, std::span<const Found> points, double kth) {
  const std::span<const float> q = input.vectors->query(query);
  return std::ranges::count_if(points, [&](const Found& found) {
    return found.distance <= kth + slack(input, q, point_of(input, found.id), kth);
  });
}

/// The first place at which they are nearer than the reference's `nearest`, or their number. No answer can be, so the
/// reference misses a neighbour.
std::size_t first_nearer(const Input& input, std::int64_t query, std::span<const Found> points,
                         std::span<const double> nearest) {
  const std::span<const float> q = input.vectors->query(query);
  for (std::size_t place = 0; place < points.size(); ++place) {
    const double least = nearest[place] - slack(input, q, point_of(input, points[place].id), nearest[place], kRounding);
    if (points[place].distance < least) return place;
  }
  return points.size();
}

Judgement nearer_row(const Input& input, std::int64_t query, std::span<const std::uint32_t> row,
                     std::span<const double> nearest) {
  const std::vector<Found> points = sorted_row(input, query, row);
  const std::size_t place = first_nearer(input, query, points, nearest);
  return wrong(fmt::format(
      "query {}: expected no point nearer than the reference's, at {} on place {}, found point {} at {}: the reference "
      "is wrong",
      query, nearest[place], place, points[place].id, points[place].distance));
}

// ---- stored references ----

/// Refuses a row of a stored reference that does not fit the input.
void check_row(const Input& input, std::int64_t query, std::span<const std::uint32_t> ids,
               std::span<const double> distances, const ReferenceReader& stored) {
  for (std::size_t place = 0; place < ids.size(); ++place) {
    const std::uint32_t id = ids[place];
    if (static_cast<std::int64_t>(id) >= input.points()) {
      stored.refuse(
          fmt::format("query {}, place {} holds the id {}, but there are {} points", query, place, id, input.points()));
    }
    const double expected = distance(input.metric, input.vectors->query(query), point_of(input, id));
    const double allowed = slack(input, input.vectors->query(query), point_of(input, id), expected);
    if (!(std::abs(distances[place] - expected) <= allowed)) {
      stored.refuse(fmt::format("query {}, place {} holds the distance {}, but point {} is at {}", query, place,
                                distances[place], id, expected));
    }
    if (place > 0 && !(std::pair(distances[place - 1], ids[place - 1]) < std::pair(distances[place], id))) {
      stored.refuse(fmt::format("query {}, place {} is not farther than the place before it", query, place));
    }
  }
  const Fault fault = fault_in(input, ids);
  if (fault.place < ids.size()) {
    stored.refuse(fmt::format("query {} holds the point {} twice", query, ids[fault.place]));
  }
}

}  // namespace

ProblemInfo NearestNeighbors::info() {
  ProblemInfo info;
  info.id = "nearest_neighbors";
  info.title = "k nearest neighbour search";
  info.source = "yu2023, §4.1.1, Definition 1";
  info.task = {parameter("k", 10).range(1, 1024).means("neighbours of each query"),
               parameter("metric", "published")
                   .one_of({"published", "euclidean", "cosine", "inner_product"})
                   .means("distance; published: the one the vectors are published with")};
  info.accepts = {datasets::Kind::Vectors};
  info.work_unit = "queries";
  // Construction of an index by several threads moves the recall by less.
  info.quality = {{.name = "recall", .label = "recall", .tolerance = 0.005}};
  info.foresee = foresee;
  return info;
}

std::map<std::string, double> NearestNeighbors::Input::work() const {
  return {{"queries", static_cast<double>(queries())},
          {"points", static_cast<double>(points())},
          {"dimension", static_cast<double>(dimension())}};
}

std::uint64_t NearestNeighbors::Answer::digest() const {
  return digest_of_places(neighbors);
}

NearestNeighbors::Input NearestNeighbors::input(const datasets::Dataset& dataset, const Parameters& task) {
  const auto& vectors = dataset.as<datasets::VectorSet>();
  if (vectors.count() == 0) {
    throw datasets::InputError(dataset.name, 0, "at least one point to search among", "none");
  }
  if (vectors.query_count() == 0) {
    throw datasets::InputError(dataset.name, 0, kWithQueries, "points only", kToQueries);
  }
  const std::string& metric = task.text("metric");
  return {.vectors = &vectors,
          .metric = datasets::metric_from_string(metric).value_or(vectors.metric()),
          .k = task.integer("k")};
}

NearestNeighbors::Reference NearestNeighbors::reference(const Input& input) {
  return nearest_neighbors::ground_truth(input);
}

Judgement NearestNeighbors::judge(const Input& input, const Answer& answer, const Reference& reference) {
  const std::int64_t queries = input.queries();
  if (answer.neighbors.size() != static_cast<std::size_t>(queries * input.k)) {
    return wrong(fmt::format("expected {} ids, {} for each of {} queries, found {}", queries * input.k, input.k,
                             queries, answer.neighbors.size()));
  }
  const auto width = static_cast<std::size_t>(input.places());
  const auto nearest_of = [&](std::int64_t query) {
    return std::span(reference.distances).subspan(static_cast<std::size_t>(query) * width, width);
  };
  std::int64_t first_faulty = queries;
  std::int64_t first_too_near = queries;
  std::int64_t hits = 0;
  std::int64_t fewest = input.places();
  FirstFailure failure;
#pragma omp parallel for schedule(dynamic, 16) reduction(min : first_faulty, first_too_near, fewest) reduction(+ : hits)
  for (std::int64_t query = 0; query < queries; ++query) {
    failure.guard([&] {
      const std::span<const std::uint32_t> row = row_of(input, answer, query);
      if (fault_in(input, row).place < row.size()) {
        first_faulty = std::min(first_faulty, query);
        return;
      }
      const std::vector<Found> points = sorted_row(input, query, row);
      if (first_nearer(input, query, points, nearest_of(query)) < points.size()) {
        first_too_near = std::min(first_too_near, query);
      }
      const std::int64_t of_query = hits_in(input, query, points, nearest_of(query).back());
      hits += of_query;
      fewest = std::min(fewest, of_query);
    });
  }
  failure.rethrow();
  if (first_faulty < queries) return faulty_row(input, first_faulty, row_of(input, answer, first_faulty));
  if (first_too_near < queries) {
    return nearer_row(input, first_too_near, row_of(input, answer, first_too_near), nearest_of(first_too_near));
  }
  Judgement judgement;
  judgement.verdict = fewest == input.places() ? Verdict::exact : Verdict::approximate;
  judgement.metrics["recall"] = static_cast<double>(hits) / static_cast<double>(queries * input.places());
  judgement.metrics["recall_minimum"] = static_cast<double>(fewest) / static_cast<double>(input.places());
  return judgement;
}

NearestNeighbors::Reference NearestNeighbors::read_reference(const Input& input, ReferenceReader& stored) {
  const auto width = static_cast<std::size_t>(input.places());
  const std::size_t size = static_cast<std::size_t>(input.queries()) * width;
  Reference reference;
  reference.neighbors = stored.take<std::uint32_t>(size);
  reference.distances = stored.take<double>(size);
  for (std::int64_t query = 0; query < input.queries(); ++query) {
    const std::size_t first = static_cast<std::size_t>(query) * width;
    check_row(input, query, std::span(reference.neighbors).subspan(first, width),
              std::span(reference.distances).subspan(first, width), stored);
  }
  return reference;
}

WARPBENCH_PROBLEM(NearestNeighbors)

}  // namespace warpbench
