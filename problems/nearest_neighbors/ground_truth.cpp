#include "problems/nearest_neighbors/ground_truth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "problems/nearest_neighbors/cpu_distances.hpp"
#include "problems/nearest_neighbors/distance.hpp"
#include "problems/nearest_neighbors/top_k.hpp"

namespace warpbench::nearest_neighbors {
namespace {

using datasets::Metric;
using Input = NearestNeighbors::Input;
using Reference = NearestNeighbors::Reference;
using Best = TopK<double>;

// ---- brute force ----

/// Rows widened to double and, for cosine, the inverse of their lengths (0 for the zero vector).
struct Widened {
  std::vector<double> values;
  std::vector<double> inverse_lengths;

  void clear() {
    values.clear();
    inverse_lengths.clear();
  }
  void add(std::span<const float> row) {
    values.insert(values.end(), row.begin(), row.end());
    const double squared = inner_product(row, row);
    inverse_lengths.push_back(squared == 0 ? 0 : 1 / std::sqrt(squared));
  }
};

/// Rows per block, 8 to 64: a block of doubles fits in 256 KiB of L2.
std::int64_t rows_per_block(std::int64_t dimension) {
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a vector set has a dimension
  return std::clamp<std::int64_t>((256 << 10) / (8 * dimension), 8, 64);
}

/// The neighbours of a query into the reference.
void store(const Input& input, std::int64_t query, std::span<const Neighbor<double>> nearest, Reference& reference) {
  auto place = static_cast<std::size_t>(query * input.places());
  for (const auto& neighbor : nearest) {
    reference.neighbors[place] = neighbor.id;
    reference.distances[place] = neighbor.distance;
    ++place;
  }
}

/// One thread's share of the brute force: a block of queries against all points.
class BlockSearch {
 public:
  explicit BlockSearch(const Input& input)
      : input_(input),
        block_(rows_per_block(input.dimension())),
        distances_(static_cast<std::size_t>(block_ * block_)),
        best_(static_cast<std::size_t>(block_), Best(input.places())) {}

  void operator()(std::span<const std::int64_t> queries, Reference& reference) {
    queries_.clear();
    for (const std::int64_t query : queries) queries_.add(input_.vectors->query(query));
    for (Best& best : best_) best.clear();
    for (std::int64_t point = 0; point < input_.points(); point += block_) offer(queries.size(), point);
    for (std::size_t i = 0; i < queries.size(); ++i) measure_again(queries[i], best_[i], reference);
  }

 private:
  void offer(std::size_t query_count, std::int64_t first_point) {
    const std::int64_t dimension = input_.dimension();
    const std::int64_t count = std::min(block_, input_.points() - first_point);
    points_.clear();
    for (std::int64_t p = 0; p < count; ++p) points_.add(input_.vectors->point(first_point + p));
    const Form form = input_.metric == Metric::euclidean ? Form::squared_difference : Form::inner_product;
    block_distances(form,
                    VectorBlock<double>{queries_.values.data(), static_cast<std::int64_t>(query_count), dimension},
                    VectorBlock<double>{points_.values.data(), count, dimension}, distances_.data());
    const double* value = distances_.data();
    for (std::size_t q = 0; q < query_count; ++q) {
      for (std::int64_t p = 0; p < count; ++p, ++value) {
        double distance = *value;
        if (input_.metric == Metric::inner_product) distance = -distance;
        if (input_.metric == Metric::cosine) {
          distance = 1 - distance * queries_.inverse_lengths[q] * points_.inverse_lengths[static_cast<std::size_t>(p)];
        }
        best_[q].offer(distance, static_cast<std::uint32_t>(first_point + p));
      }
    }
  }

  /// Distances as distance() has them, which does not depend on the CPU's instruction set.
  void measure_again(std::int64_t query, Best& best, Reference& reference) {
    Best again(input_.places());
    for (const auto& [unused, id] : best.sorted()) {
      again.offer(distance(input_.metric, input_.vectors->query(query), input_.vectors->point(id)), id);
    }
    store(input_, query, again.sorted(), reference);
  }

  const Input& input_;
  std::int64_t block_;
  Widened queries_;
  Widened points_;
  std::vector<double> distances_;
  std::vector<Best> best_;
};

void search_by_brute_force(const Input& input, std::span<const std::int64_t> queries, Reference& reference) {
  const auto block = static_cast<std::size_t>(rows_per_block(input.dimension()));
#pragma omp parallel
  {
    BlockSearch search(input);
#pragma omp for schedule(dynamic)
    for (std::size_t first = 0; first < queries.size(); first += block) {
      search(queries.subspan(first, std::min(block, queries.size() - first)), reference);
    }
  }
}

// ---- candidates ----

constexpr std::int64_t kSpare = 16;          ///< candidates beyond k: their distances prove the k complete
constexpr std::int64_t kSampledQueries = 8;  ///< of those proved, searched by brute force too

/// The relative error that rounding may bring to a float distance, by the standard model of floating-point arithmetic
/// (N. J. Higham, Accuracy and Stability of Numerical Algorithms, §3.1): a sum of n terms of which each is rounded m
/// times is off by at most (n + m) u / (1 - (n + m) u) times the sum of the terms' absolute values; u = 2^-24.
double rounding(std::int64_t dimension) {
  constexpr double kUnit = 0x1p-24;
  const double operations = static_cast<double>(dimension) + 16;  // padding, the difference, its square, the scale
  return operations * kUnit / (1 - operations * kUnit);
}

/// Proves the candidates of one query complete, or not.
class Certifier {
 public:
  explicit Certifier(const Input& input) : input_(input), rounding_(rounding(input.dimension())) {
    if (input.metric != Metric::inner_product) return;
    for (std::int64_t p = 0; p < input.points(); ++p) {
      longest_ = std::max(longest_, std::sqrt(inner_product(input.vectors->point(p), input.vectors->point(p))));
    }
  }

  /// The places() nearest of `candidates` into the reference; false: some point that is not among them may be as near.
  [[nodiscard]] bool operator()(std::int64_t query, std::span<const std::uint32_t> candidates,
                                Reference& reference) const {
    std::vector<std::uint32_t> ids(candidates.begin(), candidates.end());
    std::erase(ids, kNone<std::uint32_t>);
    std::ranges::sort(ids);
    if (std::ranges::adjacent_find(ids) != ids.end()) return false;
    if (ids.empty() || ids.back() >= input_.points() || std::ssize(ids) < input_.places()) return false;
    const std::span<const float> q = input_.vectors->query(query);
    Best best(input_.places());
    double farthest = -std::numeric_limits<double>::infinity();
    for (const std::uint32_t id : ids) {
      const double d = distance(input_.metric, q, input_.vectors->point(id));
      best.offer(d, id);
      farthest = std::max(farthest, d);
    }
    const std::span<const Neighbor<double>> nearest = best.sorted();
    const double kth = nearest.back().distance;
    if (std::ssize(ids) < input_.points() && !(kth < minimum_outside(q, farthest))) return false;
    store(input_, query, nearest, reference);
    return true;
  }

 private:
  /// A lower bound of the distances of all points but the candidates, of which the farthest is at `farthest`.
  [[nodiscard]] double minimum_outside(std::span<const float> query, double farthest) const {
    // Beyond the range of floats the model of rounding does not hold; below it each term may lose kTiny.
    constexpr double kTiny = 0x1p-126;
    if (std::abs(farthest) > 0x1p120) return -std::numeric_limits<double>::infinity();
    return by_rounding(query, farthest) - 2 * static_cast<double>(input_.dimension()) * kTiny;
  }

  [[nodiscard]] double by_rounding(std::span<const float> query, double farthest) const {
    switch (input_.metric) {
      case Metric::euclidean:
        return farthest * (1 - rounding_) / (1 + rounding_);
      case Metric::cosine:
        return farthest - 2 * rounding_;
      case Metric::inner_product:
        return farthest - 2 * rounding_ * std::sqrt(inner_product(query, query)) * longest_;
    }
    return 0;
  }

  const Input& input_;
  double rounding_;
  double longest_ = 0;  ///< of the points, for inner products
};

/// Searches some of the proved queries by brute force; throws where it finds other neighbours.
void check_sample(const Input& input, std::span<const std::int64_t> proved, const Reference& reference) {
  std::vector<std::int64_t> sample;
  const auto count = std::min<std::int64_t>(kSampledQueries, std::ssize(proved));
  for (std::int64_t i = 0; i < count; ++i) {
    sample.push_back(proved[static_cast<std::size_t>(i * std::ssize(proved) / count)]);
  }
  Reference expected = reference;
  search_by_brute_force(input, sample, expected);
  // Blocks are summed in another order than single rows: equal but for the last bits.
  const auto same = [](double a, double b) { return std::abs(a - b) <= 1e-12 * (std::abs(a) + std::abs(b)); };
  if (std::ranges::equal(expected.distances, reference.distances, same)) return;
  throw std::logic_error("the search that offers candidates for the reference of nearest_neighbors misses some");
}

CandidateSearch& offered() {
  static CandidateSearch search;
  return search;
}

}  // namespace

bool offer_candidate_search(CandidateSearch search) {
  offered() = std::move(search);
  return true;
}

Reference ground_truth(const Input& input) {
  return ground_truth(input, offered());
}

Reference ground_truth(const Input& input, const CandidateSearch& search) {
  const auto size = static_cast<std::size_t>(input.queries() * input.places());
  Reference reference{std::vector<std::uint32_t>(size), std::vector<double>(size)};
  Input wider = input;
  wider.k = input.k + kSpare;
  const std::vector<std::uint32_t> candidates = search ? search(wider) : std::vector<std::uint32_t>{};
  if (candidates.size() != static_cast<std::size_t>(wider.queries() * wider.k)) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(input.queries()));
    std::iota(all.begin(), all.end(), 0);
    search_by_brute_force(input, all, reference);
    return reference;
  }
  const Certifier certify(input);
  std::vector<char> is_proved(static_cast<std::size_t>(input.queries()));
#pragma omp parallel for schedule(dynamic, 16)
  for (std::int64_t query = 0; query < input.queries(); ++query) {
    const auto row =
        std::span(candidates).subspan(static_cast<std::size_t>(query * wider.k), static_cast<std::size_t>(wider.k));
    is_proved[static_cast<std::size_t>(query)] = certify(query, row, reference) ? 1 : 0;
  }
  std::vector<std::int64_t> proved;
  std::vector<std::int64_t> doubtful;
  for (std::int64_t query = 0; query < input.queries(); ++query) {
    (is_proved[static_cast<std::size_t>(query)] != 0 ? proved : doubtful).push_back(query);
  }
  check_sample(input, proved, reference);
  search_by_brute_force(input, doubtful, reference);
  return reference;
}

}  // namespace warpbench::nearest_neighbors
