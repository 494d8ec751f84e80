#include "problems/nearest_neighbors/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "datasets/input_error.hpp"
#include "problems/nearest_neighbors/cpu_distances.hpp"
#include "problems/nearest_neighbors/distance.hpp"
#include "problems/nearest_neighbors/top_k.hpp"

namespace warpbench {
namespace {

using datasets::Metric;
using nearest_neighbors::distance;
using nearest_neighbors::Form;
using nearest_neighbors::Rows;
using Input = NearestNeighbors::Input;
using TopK = nearest_neighbors::TopK<double>;

/// How much farther than the k-th nearest point a neighbour may be, as a share of kth_distance (Euclidean) or of
/// |q| |x|: what float arithmetic may confuse.
constexpr double kTolerance = 1e-6;

std::int64_t places(const Input& input) {
  return std::min(input.k, input.points());
}

std::span<const float> point_of(const Input& input, std::uint32_t id) {
  return input.vectors->point(static_cast<std::int64_t>(id));
}

/// The slack of point `x` at `query`, for a distance near `kth`.
double slack(const Input& input, std::span<const float> query, std::span<const float> x, double kth) {
  switch (input.metric) {
    case Metric::euclidean:
      return kTolerance * kth;
    case Metric::cosine:
      return kTolerance;
    case Metric::inner_product:
      return kTolerance *
             std::sqrt(nearest_neighbors::inner_product(query, query) * nearest_neighbors::inner_product(x, x));
  }
  return 0;
}

// ---- reference ----

/// Rows widened to double and, for cosine, the inverse of their lengths (0 for the zero vector).
struct Widened {
  std::vector<double> values;
  std::vector<double> inverse_lengths;

  void take(const datasets::Array<float>& all, std::int64_t first, std::int64_t count, std::int64_t dimension) {
    const float* const begin = all.data() + first * dimension;
    values.assign(begin, begin + count * dimension);
    inverse_lengths.resize(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
      const std::span<const float> row(begin + i * dimension, static_cast<std::size_t>(dimension));
      const double squared = nearest_neighbors::inner_product(row, row);
      inverse_lengths[static_cast<std::size_t>(i)] = squared == 0 ? 0 : 1 / std::sqrt(squared);
    }
  }
};

/// So many rows that 256 KiB of doubles hold them, 8 to 64.
std::int64_t rows_per_block(std::int64_t dimension) {
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a vector set has a dimension
  return std::clamp<std::int64_t>((256 << 10) / (8 * dimension), 8, 64);
}

/// One thread's share of the reference: the queries of one block against all points.
class BlockSearch {
 public:
  explicit BlockSearch(const Input& input)
      : input_(input),
        block_(rows_per_block(input.dimension())),
        distances_(static_cast<std::size_t>(block_ * block_)),
        best_(static_cast<std::size_t>(block_), TopK(places(input))) {}

  void operator()(std::int64_t first, NearestNeighbors::Reference& reference) {
    const std::int64_t count = std::min(block_, input_.queries() - first);
    queries_.take(input_.vectors->queries, first, count, input_.dimension());
    for (TopK& best : best_) best.clear();
    for (std::int64_t point = 0; point < input_.points(); point += block_) offer(count, point);
    for (std::int64_t i = 0; i < count; ++i) store(first + i, best_[static_cast<std::size_t>(i)], reference);
  }

 private:
  void offer(std::int64_t query_count, std::int64_t first_point) {
    const std::int64_t dimension = input_.dimension();
    const std::int64_t count = std::min(block_, input_.points() - first_point);
    points_.take(input_.vectors->points, first_point, count, dimension);
    const Form form = input_.metric == Metric::euclidean ? Form::squared_difference : Form::inner_product;
    nearest_neighbors::block_distances(form, Rows<double>{queries_.values.data(), query_count, dimension},
                                       Rows<double>{points_.values.data(), count, dimension}, distances_.data());
    const double* value = distances_.data();
    for (std::int64_t q = 0; q < query_count; ++q) {
      TopK& best = best_[static_cast<std::size_t>(q)];
      const double inverse_length = queries_.inverse_lengths[static_cast<std::size_t>(q)];
      for (std::int64_t p = 0; p < count; ++p, ++value) {
        double distance = *value;
        if (input_.metric == Metric::inner_product) distance = -distance;
        if (input_.metric == Metric::cosine) {
          distance = 1 - distance * inverse_length * points_.inverse_lengths[static_cast<std::size_t>(p)];
        }
        best.offer(distance, static_cast<std::uint32_t>(first_point + p));
      }
    }
  }

  /// Distances as distance() has them, which does not depend on the CPU's instruction set.
  void store(std::int64_t query, TopK& best, NearestNeighbors::Reference& reference) {
    TopK again(places(input_));
    for (const auto& [unused, id] : best.sorted()) {
      again.offer(distance(input_.metric, input_.vectors->query(query), point_of(input_, id)), id);
    }
    auto place = static_cast<std::size_t>(query * places(input_));
    for (const auto& neighbor : again.sorted()) {
      reference.neighbors[place] = neighbor.id;
      reference.distances[place] = neighbor.distance;
      ++place;
    }
  }

  const Input& input_;
  std::int64_t block_;
  Widened queries_;
  Widened points_;
  std::vector<double> distances_;
  std::vector<TopK> best_;
};

// ---- judge ----

Judgement wrong(std::string difference) {
  Judgement judgement;
  judgement.verdict = Verdict::wrong;
  judgement.difference = std::move(difference);
  return judgement;
}

/// The first place of a row that holds no point's id, or an id that stands before it; k where there is none.
struct Fault {
  std::size_t place;
  std::size_t same_as;  ///< == place: out of range
};
Fault fault_in(const Input& input, std::span<const std::uint32_t> row) {
  std::vector<std::pair<std::uint32_t, std::size_t>> sorted;
  Fault fault{row.size(), row.size()};
  for (std::size_t place = 0; place < row.size(); ++place) {
    if (row[place] == NearestNeighbors::kNone) continue;
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

Judgement wrong_row(const Input& input, std::int64_t query, std::span<const std::uint32_t> row) {
  const Fault fault = fault_in(input, row);
  if (fault.place == fault.same_as) {
    return wrong(fmt::format("query {}, place {}: expected the id of one of {} points, found {}", query, fault.place,
                             input.points(), row[fault.place]));
  }
  return wrong(fmt::format("query {}, place {}: expected another point than at place {}, found {} again", query,
                           fault.place, fault.same_as, row[fault.place]));
}

/// The places of the row that hold a point no farther than `kth`.
std::int64_t hits_in(const Input& input, std::int64_t query, std::span<const std::uint32_t> row, double kth) {
  const std::span<const float> q = input.vectors->query(query);
  return std::ranges::count_if(row, [&](std::uint32_t id) {
    if (id == NearestNeighbors::kNone) return false;
    const std::span<const float> x = point_of(input, id);
    return distance(input.metric, q, x) <= kth + slack(input, q, x, kth);
  });
}

// ---- stored references ----

[[noreturn]] void refuse(const std::string& difference) {
  throw std::runtime_error("a stored reference of nearest_neighbors: " + difference);
}

void check_row(const Input& input, std::int64_t query, std::span<const std::uint32_t> ids,
               std::span<const double> distances) {
  for (std::size_t place = 0; place < ids.size(); ++place) {
    const std::uint32_t id = ids[place];
    if (static_cast<std::int64_t>(id) >= input.points()) {
      refuse(
          fmt::format("query {}, place {} holds the id {}, but there are {} points", query, place, id, input.points()));
    }
    const double expected = distance(input.metric, input.vectors->query(query), point_of(input, id));
    const double allowed = slack(input, input.vectors->query(query), point_of(input, id), expected);
    if (!(std::abs(distances[place] - expected) <= allowed)) {
      refuse(fmt::format("query {}, place {} holds the distance {}, but point {} is at {}", query, place,
                         distances[place], id, expected));
    }
    if (place > 0 && !(std::pair(distances[place - 1], ids[place - 1]) < std::pair(distances[place], id))) {
      refuse(fmt::format("query {}, place {} is not farther than the place before it", query, place));
    }
  }
  const Fault fault = fault_in(input, ids);
  if (fault.place < ids.size()) refuse(fmt::format("query {} holds the point {} twice", query, ids[fault.place]));
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
  return info;
}

NearestNeighbors::Input NearestNeighbors::input(const datasets::Dataset& dataset, const Parameters& task) {
  const auto& vectors = dataset.as<datasets::VectorSet>();
  if (vectors.count() == 0) {
    throw datasets::InputError(dataset.name, 0, "at least one point to search among", "none");
  }
  if (vectors.query_count() == 0) {
    throw datasets::InputError(dataset.name, 0, "vectors with queries", "points only",
                               "give a file of queries, or split some of the points off as queries");
  }
  const std::string& metric = task.text("metric");
  return {.vectors = &vectors,
          .metric = datasets::metric_from_string(metric).value_or(vectors.metric()),
          .k = task.integer("k")};
}

NearestNeighbors::Reference NearestNeighbors::reference(const Input& input) {
  const auto size = static_cast<std::size_t>(input.queries() * places(input));
  Reference reference{std::vector<std::uint32_t>(size), std::vector<double>(size)};
#pragma omp parallel
  {
    BlockSearch search(input);
#pragma omp for schedule(dynamic)
    for (std::int64_t first = 0; first < input.queries(); first += rows_per_block(input.dimension())) {
      search(first, reference);
    }
  }
  return reference;
}

Judgement NearestNeighbors::judge(const Input& input, const Answer& answer, const Reference& reference) {
  const std::int64_t queries = input.queries();
  if (answer.neighbors.size() != static_cast<std::size_t>(queries * input.k)) {
    return wrong(fmt::format("expected {} ids, {} for each of {} queries, found {}", queries * input.k, input.k,
                             queries, answer.neighbors.size()));
  }
  std::int64_t first_wrong = queries;
  std::int64_t hits = 0;
  std::int64_t fewest = places(input);
#pragma omp parallel for schedule(dynamic, 16) reduction(min : first_wrong, fewest) reduction(+ : hits)
  for (std::int64_t query = 0; query < queries; ++query) {
    const std::span<const std::uint32_t> row = row_of(input, answer, query);
    if (fault_in(input, row).place < row.size()) {
      first_wrong = std::min(first_wrong, query);
      continue;
    }
    const double kth = reference.distances[static_cast<std::size_t>((query + 1) * places(input) - 1)];
    const std::int64_t of_query = hits_in(input, query, row, kth);
    hits += of_query;
    fewest = std::min(fewest, of_query);
  }
  if (first_wrong < queries) return wrong_row(input, first_wrong, row_of(input, answer, first_wrong));
  Judgement judgement;
  judgement.verdict = fewest == places(input) ? Verdict::exact : Verdict::approximate;
  judgement.metrics["recall"] = static_cast<double>(hits) / static_cast<double>(queries * places(input));
  judgement.metrics["recall_minimum"] = static_cast<double>(fewest) / static_cast<double>(places(input));
  return judgement;
}

std::uint64_t NearestNeighbors::digest(const Answer& answer) {
  const auto size = static_cast<std::int64_t>(answer.neighbors.size());
  std::uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::int64_t place = 0; place < size; ++place) {
    const auto at = static_cast<std::size_t>(place);
    sum += mix64(mix64(at) ^ answer.neighbors[at]);
  }
  return sum + answer.neighbors.size();
}

std::map<std::string, double> NearestNeighbors::work(const Input& input) {
  return {{"queries", static_cast<double>(input.queries())},
          {"points", static_cast<double>(input.points())},
          {"dimension", static_cast<double>(input.dimension())}};
}

std::vector<std::byte> NearestNeighbors::to_bytes(const Reference& reference) {
  const std::span<const std::byte> ids = std::as_bytes(std::span(reference.neighbors));
  const std::span<const std::byte> distances = std::as_bytes(std::span(reference.distances));
  std::vector<std::byte> bytes(ids.begin(), ids.end());
  bytes.insert(bytes.end(), distances.begin(), distances.end());
  return bytes;
}

NearestNeighbors::Reference NearestNeighbors::from_bytes(const Input& input, std::span<const std::byte> bytes) {
  const auto width = static_cast<std::size_t>(places(input));
  const std::size_t size = static_cast<std::size_t>(input.queries()) * width;
  const std::size_t expected = size * (sizeof(std::uint32_t) + sizeof(double));
  if (bytes.size() != expected) {
    refuse(fmt::format("expected {} bytes for {} queries with {} neighbours, found {}", expected, input.queries(),
                       width, bytes.size()));
  }
  Reference reference{std::vector<std::uint32_t>(size), std::vector<double>(size)};
  const std::span<const std::byte> ids = bytes.first(size * sizeof(std::uint32_t));
  const std::span<const std::byte> distances = bytes.subspan(ids.size());
  std::memcpy(reference.neighbors.data(), ids.data(), ids.size());
  std::memcpy(reference.distances.data(), distances.data(), distances.size());
  for (std::int64_t query = 0; query < input.queries(); ++query) {
    const std::size_t first = static_cast<std::size_t>(query) * width;
    check_row(input, query, std::span(reference.neighbors).subspan(first, width),
              std::span(reference.distances).subspan(first, width));
  }
  return reference;
}

void NearestNeighbors::corrupt(Answer& answer) {
  // No set has a point of this id: there are fewer than 2^32 - 1 points, and kNone is only a miss.
  constexpr std::uint32_t kNoPoint = kNone - 1;
  static thread_local std::uint32_t one_too_many = kNoPoint;
  if (answer.neighbors.empty()) {
    answer.neighbors = {&one_too_many, 1};
  } else {
    answer.neighbors[answer.neighbors.size() / 2] = kNoPoint;
  }
}

WARPBENCH_PROBLEM(NearestNeighbors)

}  // namespace warpbench
