// Each pair's terms are added in the order of the coordinates, as distance() adds them: a lane of a vector is a point.
// For Euclidean distances sums in float come first, and distance() itself computes those that may be small enough.
#include "problems/nearest_neighbors/ground_truth.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <queue>
#include <random>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "problems/first_failure.hpp"
#include "problems/nearest_neighbors/distance.hpp"
#include "problems/nearest_neighbors/float_tile.hpp"

namespace warpbench::nearest_neighbors {
namespace {

using datasets::Metric;
using Input = NearestNeighbors::Input;
using Reference = NearestNeighbors::Reference;

constexpr int kSampledQueries = 16;
constexpr std::int64_t kWorthThreads = 1 << 20;  ///< coordinates to be compared, from which on threads pay off
constexpr std::size_t kSortedPoints = 1 << 16;   ///< at once, in the sample
constexpr std::uint64_t kSampleSeed = 20230413;

// ---- sums of a tile ----

// Four doubles. 2 queries × 16 points have 8 vectors of sums, which fit in AVX2's registers. In memory they lie at any
// address: the alignment of a type is that of the instructions of this file, not of a function's own.
using Vector [[gnu::vector_size(32)]] = double;
using StoredVector [[gnu::vector_size(32), gnu::aligned(8)]] = double;
constexpr int kVectors = 4;
constexpr int kTilePoints = 4 * kVectors;
constexpr int kTileQueries = 2;

/// Coordinate d of the tile's points is points[kTilePoints d .. kTilePoints (d + 1)).
struct Tile {
  const double* points;
  const double* queries[kTileQueries];
  std::int64_t dimension;
};

/// sums[q][p]: of products.
[[gnu::always_inline]] inline void sum_tile(const Tile& tile, double (&sums)[kTileQueries][kTilePoints]) {
  Vector totals[kTileQueries][kVectors] = {};
  for (std::int64_t d = 0; d < tile.dimension; ++d) {
#pragma GCC unroll 2
    for (int q = 0; q < kTileQueries; ++q) {
      const double of_query = tile.queries[q][d];
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        totals[q][v] += of_query * reinterpret_cast<const StoredVector*>(tile.points + d * kTilePoints)[v];
      }
    }
  }
  for (int q = 0; q < kTileQueries; ++q) {
    for (int p = 0; p < kTilePoints; ++p) sums[q][p] = totals[q][p / 4][p % 4];
  }
}

using SumTile = void (*)(const Tile&, double (&)[kTileQueries][kTilePoints]);

void sum_tile_plain(const Tile& tile, double (&sums)[kTileQueries][kTilePoints]) {
  sum_tile(tile, sums);
}
#if defined(__x86_64__)
// Without FMA, which would round otherwise than distance() does.
[[gnu::target("avx2")]] void sum_tile_avx2(const Tile& tile, double (&sums)[kTileQueries][kTilePoints]) {
  sum_tile(tile, sums);
}
#endif

SumTile sum_function() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return sum_tile_avx2;
#endif
  return sum_tile_plain;
}

// ---- brute force ----

using Neighbor = std::pair<double, std::uint32_t>;  ///< ordered by distance, then by id
using Nearest = std::priority_queue<Neighbor>;      ///< the farthest on top

/// Of a query: empties `nearest`, of which the farthest is on top, into its row.
void store_row(const Input& input, std::int64_t query, Nearest& nearest, Reference& reference) {
  for (auto place = static_cast<std::size_t>((query + 1) * input.places()); !nearest.empty(); nearest.pop()) {
    --place;
    std::tie(reference.distances[place], reference.neighbors[place]) = nearest.top();
  }
}

/// One thread's share for products: a block of queries against all points.
class ProductSearch {
 public:
  ProductSearch(const Input& input, std::int64_t block)
      : input_(input),
        sum_(sum_function()),
        points_(static_cast<std::size_t>(input.dimension() * kTilePoints)),
        queries_(static_cast<std::size_t>(input.dimension() * round_up(block, kTileQueries))) {}

  void operator()(std::int64_t first, std::int64_t count, Reference& reference) {
    load_queries(first, count);
    for (std::int64_t point = 0; point < input_.points(); point += kTilePoints) {
      load_points(point);
      for (std::int64_t q = 0; q < count; q += kTileQueries) offer(q, std::min<std::int64_t>(kTileQueries, count - q));
    }
    for (std::int64_t q = 0; q < count; ++q) {
      store_row(input_, first + q, nearest_[static_cast<std::size_t>(q)], reference);
    }
  }

 private:
  void load_queries(std::int64_t first, std::int64_t count) {
    nearest_.assign(static_cast<std::size_t>(count), {});
    query_lengths_.clear();
    for (std::int64_t q = 0; q < count; ++q) {
      const std::span<const float> row = input_.vectors->query(first + q);
      std::ranges::copy(row, queries_.begin() + q * input_.dimension());
      query_lengths_.push_back(inner_product(row, row));
    }
  }

  /// A tile that hangs over the end repeats the last point, which is not offered again.
  void load_points(std::int64_t first) {
    first_point_ = first;
    point_count_ = static_cast<int>(std::min<std::int64_t>(kTilePoints, input_.points() - first));
    for (int p = 0; p < kTilePoints; ++p) {
      const std::span<const float> row = input_.vectors->point(first + std::min(p, point_count_ - 1));
      for (std::size_t d = 0; d < row.size(); ++d)
        points_[d * kTilePoints + static_cast<std::size_t>(p)] = static_cast<double>(row[d]);
      if (input_.metric == Metric::cosine) point_lengths_[p] = inner_product(row, row);
    }
  }

  void offer(std::int64_t first_query, std::int64_t count) {
    const double* const query = queries_.data() + first_query * input_.dimension();
    double sums[kTileQueries][kTilePoints];
    sum_({points_.data(), {query, query + input_.dimension()}, input_.dimension()}, sums);
    for (std::int64_t q = 0; q < count; ++q) {
      Nearest& nearest = nearest_[static_cast<std::size_t>(first_query + q)];
      for (int p = 0; p < point_count_; ++p) {
        const double far = distance_of(sums[q][p], query_lengths_[static_cast<std::size_t>(first_query + q)], p);
        const Neighbor candidate{far, static_cast<std::uint32_t>(first_point_ + p)};
        const bool full = static_cast<std::int64_t>(nearest.size()) == input_.places();
        if (full && !(candidate < nearest.top())) continue;
        if (full) nearest.pop();
        nearest.push(candidate);
      }
    }
  }

  [[nodiscard]] double distance_of(double sum, double query_length, int p) const {
    if (input_.metric == Metric::inner_product) return -sum;
    const double lengths = std::sqrt(query_length * point_lengths_[p]);
    return lengths == 0 ? 1.0 : 1.0 - sum / lengths;
  }

  const Input& input_;
  SumTile sum_;
  std::vector<double> points_;              ///< a tile of them
  double point_lengths_[kTilePoints] = {};  ///< squared; for cosine alone
  std::int64_t first_point_ = 0;
  int point_count_ = 0;
  std::vector<double> queries_;
  std::vector<double> query_lengths_;  ///< squared
  std::vector<Nearest> nearest_;
};

/// The same for Euclidean distances.
class EuclideanSearch {
 public:
  EuclideanSearch(const Input& input, std::int64_t block)
      : input_(input),
        sum_(float_tile_function()),
        points_(static_cast<std::size_t>(input.dimension() * kFloatTilePoints)),
        nearest_(static_cast<std::size_t>(block)),
        bounds_(static_cast<std::size_t>(block)) {}

  void operator()(std::int64_t first, std::int64_t count, Reference& reference) {
    first_query_ = first;
    nearest_.assign(nearest_.size(), {});
    bounds_.assign(bounds_.size(), std::numeric_limits<float>::infinity());
    for (std::int64_t point = 0; point < input_.points(); point += kFloatTilePoints) {
      const auto points = static_cast<int>(std::min<std::int64_t>(kFloatTilePoints, input_.points() - point));
      load_points(point, points);
      for (std::int64_t q = 0; q < count; q += kFloatTileQueries) {
        offer(q, std::min<std::int64_t>(kFloatTileQueries, count - q), point, points);
      }
    }
    for (std::int64_t q = 0; q < count; ++q) {
      store_row(input_, first + q, nearest_[static_cast<std::size_t>(q)], reference);
    }
  }

 private:
  /// What hangs over the end is not offered.
  void load_points(std::int64_t first, int count) {
    for (int p = 0; p < count; ++p) {
      const std::span<const float> row = input_.vectors->point(first + p);
      for (std::size_t d = 0; d < row.size(); ++d) points_[d * kFloatTilePoints + static_cast<std::size_t>(p)] = row[d];
    }
  }

  void offer(std::int64_t first_query, std::int64_t queries, std::int64_t first_point, int points) {
    const float* const query = input_.vectors->query(first_query_ + first_query).data();
    const float* const last = query + (queries - 1) * input_.dimension();
    float sums[kFloatTileQueries][kFloatTilePoints];
    sum_({points_.data(), {query, last}, input_.dimension()}, sums);
    for (std::int64_t q = 0; q < queries; ++q) {
      const auto place = static_cast<std::size_t>(first_query + q);
      for (int p = 0; p < points; ++p) {
        if (!(sums[q][p] > bounds_[place])) offer_exactly(place, first_point + p);
      }
    }
  }

  void offer_exactly(std::size_t place, std::int64_t point) {
    const std::span<const float> query = input_.vectors->query(first_query_ + static_cast<std::int64_t>(place));
    const Neighbor candidate{squared_distance(query, input_.vectors->point(point)), static_cast<std::uint32_t>(point)};
    Nearest& nearest = nearest_[place];
    const auto full = [&] { return static_cast<std::int64_t>(nearest.size()) == input_.places(); };
    if (full() && !(candidate < nearest.top())) return;
    if (full()) nearest.pop();
    nearest.push(candidate);
    if (full()) bounds_[place] = bound_of_float(nearest.top().first, input_.dimension());
  }

  const Input& input_;
  SumFloatTile sum_;
  std::vector<float> points_;  ///< a tile of them
  std::int64_t first_query_ = 0;
  std::vector<Nearest> nearest_;
  std::vector<float> bounds_;  ///< of the sums that matter
};

template <typename Search>
void search_all(const Input& input, Reference& reference) {
  // Large blocks read the points less often; small ones keep all threads busy.
  const std::int64_t block = std::clamp<std::int64_t>(input.queries() / (2 * omp_get_max_threads()), 2, 64);
  FirstFailure failure;
#pragma omp parallel if (input.queries() * input.points() * input.dimension() > kWorthThreads)
  {
    std::optional<Search> search;
    failure.guard([&] { search.emplace(input, block); });
#pragma omp for schedule(dynamic)
    for (std::int64_t first = 0; first < input.queries(); first += block) {
      failure.guard([&] { (*search)(first, std::min(block, input.queries() - first), reference); });
    }
  }
  failure.rethrow();
}

}  // namespace

Reference ground_truth(const Input& input) {
  const auto size = static_cast<std::size_t>(input.queries() * input.places());
  Reference reference{std::vector<std::uint32_t>(size), std::vector<double>(size)};
  if (input.metric == Metric::euclidean) {
    search_all<EuclideanSearch>(input, reference);
  } else {
    search_all<ProductSearch>(input, reference);
  }
  check_sample(input, reference, kSampleSeed);
  return reference;
}

void check_sample(const Input& input, const Reference& reference, std::uint64_t seed) {
  std::vector<std::int64_t> sample{input.queries() - 1};
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<std::int64_t> any(0, input.queries() - 1);
  while (std::ssize(sample) < std::min<std::int64_t>(kSampledQueries, input.queries())) sample.push_back(any(random));

  const auto width = static_cast<std::size_t>(input.places());
  const auto points = static_cast<std::size_t>(input.points());
  // Made before threads start: want of memory must not end in a parallel region.
  std::vector<std::vector<double>> distances_of(sample.size());
  for (std::vector<double>& one : distances_of) one.reserve(width + std::min(points, kSortedPoints));
  std::int64_t wrong = -1;
#pragma omp parallel for schedule(dynamic) \
    reduction(max                          \
              : wrong) if (kSampledQueries * input.points() * input.dimension() > kWorthThreads)
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const std::int64_t query = sample[i];
    std::vector<double>& nearest = distances_of[i];
    for (std::size_t first = 0; first < points; first += kSortedPoints) {
      for (std::size_t p = first; p < std::min(points, first + kSortedPoints); ++p) {
        const std::span<const float> point = input.vectors->point(static_cast<std::int64_t>(p));
        nearest.push_back(distance(input.metric, input.vectors->query(query), point));
      }
      const std::size_t kept = std::min(nearest.size(), width);
      std::ranges::partial_sort(nearest, nearest.begin() + static_cast<std::ptrdiff_t>(kept));
      nearest.resize(kept);
    }
    // Compilers may round one of the two sums otherwise, by FMA.
    const auto same = [](double a, double b) { return std::abs(a - b) <= 1e-12 * (1 + std::abs(a) + std::abs(b)); };
    const auto found = std::span(reference.distances).subspan(static_cast<std::size_t>(query) * width, width);
    if (!std::ranges::equal(found, nearest, same)) wrong = std::max(wrong, query);
  }
  if (wrong < 0) return;
  throw std::logic_error(fmt::format(
      "the reference of nearest_neighbors misses neighbours of query {} (of a sample by seed {})", wrong, seed));
}

}  // namespace warpbench::nearest_neighbors
