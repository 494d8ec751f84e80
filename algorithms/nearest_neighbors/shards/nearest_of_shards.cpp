#include "algorithms/nearest_neighbors/shards/nearest_of_shards.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>

#include "device/integers.hpp"
#include "problems/first_failure.hpp"
#include "solvers/nearest_neighbors/cpu_distances.hpp"
#include "solvers/nearest_neighbors/top_k.hpp"

namespace warpbench::nearest_neighbors {
namespace {

using datasets::Metric;
using Shard = NearestOfShards::Shard;

constexpr std::int64_t kQueriesWorthThreads = 8;

/// A vertex of some shard, by its distance in 8 bits.
struct Candidate {
  double distance;
  std::uint32_t shard;
  std::uint32_t vertex;

  friend bool operator<(const Candidate& a, const Candidate& b) {
    return std::tie(a.distance, a.shard, a.vertex) < std::tie(b.distance, b.shard, b.vertex);
  }
};

/// Orders points as seen from one vector as their distances do.
class ExactKeys {
 public:
  explicit ExactKeys(Metric metric)
      : metric_(metric),
        function_(pair_function(metric == Metric::euclidean ? Form::squared_difference : Form::inner_product)) {}

  [[nodiscard]] float operator()(std::span<const float> query, std::span<const float> point) const {
    const auto dimension = std::ssize(query);
    const float value = function_(query.data(), point.data(), dimension);
    if (metric_ == Metric::euclidean) return value;
    if (metric_ == Metric::inner_product) return -value;
    const float square = function_(point.data(), point.data(), dimension);
    return square > 0 ? -value / std::sqrt(square) : 0;
  }

 private:
  Metric metric_;
  PairFunction function_;
};

/// One thread's part, a query at a time.
class QueryOrder {
 public:
  QueryOrder(const NearestNeighbors::Input& input, std::span<const Shard> shards, std::int64_t length,
             std::int64_t rerank)
      : input_(input), shards_(shards), length_(length), rerank_(rerank), keys_(input.metric) {
    candidates_.reserve(shards.size() * static_cast<std::size_t>(length));
  }

  void operator()(std::int64_t query, std::span<const FoundVertex> found, std::span<std::uint32_t> answer) {
    gather(query, found);
    const std::size_t kept = std::min(candidates_.size(), static_cast<std::size_t>(rerank_));
    const auto end = candidates_.begin() + static_cast<std::ptrdiff_t>(kept);
    std::nth_element(candidates_.begin(), end, candidates_.end());
    candidates_.resize(kept);
    // Rows lie anywhere in host memory: all are on their way before the first is read.
    for (const Candidate& one : candidates_) prefetch(row_of(one));
    points_.clear();
    for (const Candidate& one : candidates_) add_points(one, keys_(input_.vectors->query(query), row_of(one)));
    std::ranges::sort(points_, [](const Neighbor& a, const Neighbor& b) { return a < b; });
    for (std::size_t place = 0; place < answer.size(); ++place) {
      answer[place] = place < points_.size() ? points_[place].id : kNone<std::uint32_t>;
    }
  }

 private:
  void gather(std::int64_t query, std::span<const FoundVertex> found) {
    candidates_.clear();
    for (std::size_t s = 0; s < shards_.size(); ++s) {
      const std::int64_t row = static_cast<std::int64_t>(s) * input_.queries() + query;
      for (const FoundVertex& one :
           found.subspan(static_cast<std::size_t>(row * length_), static_cast<std::size_t>(length_))) {
        if (one.vertex == kNone<std::uint32_t>) break;
        candidates_.push_back(
            {static_cast<double>(one.distance) * shards_[s].unit, static_cast<std::uint32_t>(s), one.vertex});
      }
    }
  }

  /// The first point of a vertex, within its shard.
  [[nodiscard]] std::uint32_t point_of(const Candidate& one) const {
    const DistinctPoints& distinct = shards_[one.shard].distinct;
    return distinct.point_of.empty() ? one.vertex : distinct.point_of[one.vertex];
  }
  [[nodiscard]] std::span<const float> row_of(const Candidate& one) const {
    return input_.vectors->point(shards_[one.shard].first + point_of(one));
  }
  static void prefetch(std::span<const float> row) {
    constexpr std::size_t kLine = 16;  // floats
    for (std::size_t at = 0; at < row.size(); at += kLine) __builtin_prefetch(&row[at]);
  }

  /// As many of the vertex's points as an answer has places for.
  void add_points(const Candidate& one, float key) {
    const Shard& shard = shards_[one.shard];
    std::uint32_t point = point_of(one);
    for (std::int64_t i = 0; i < input_.k && point != kNone<std::uint32_t>; ++i) {
      points_.push_back({key, static_cast<std::uint32_t>(shard.first + point)});
      point = shard.distinct.next_equal.empty() ? kNone<std::uint32_t> : shard.distinct.next_equal[point];
    }
  }

  const NearestNeighbors::Input& input_;
  std::span<const Shard> shards_;
  std::int64_t length_;
  std::int64_t rerank_;
  ExactKeys keys_;
  std::vector<Candidate> candidates_;
  std::vector<Neighbor> points_;
};

}  // namespace

void NearestOfShards::add(std::int64_t first, DistinctPoints distinct, float scale) {
  const double factor = static_cast<double>(scale);
  const double unit = input_.metric == Metric::euclidean ? 1 / factor / factor : 1 / factor;
  shards_.push_back({first, std::move(distinct), unit});
}

void NearestOfShards::order(std::span<const FoundVertex> found, std::int64_t length, std::int64_t rerank,
                            std::span<std::uint32_t> answers) const {
  FirstFailure failure;
#pragma omp parallel if (input_.queries() >= kQueriesWorthThreads)
  {
    std::optional<QueryOrder> one;
    failure.guard([&] { one.emplace(input_, shards_, length, rerank); });
#pragma omp for schedule(dynamic, 4)
    for (std::int64_t query = 0; query < input_.queries(); ++query) {
      failure.guard([&] {
        (*one)(query, found,
               answers.subspan(static_cast<std::size_t>(query * input_.k), static_cast<std::size_t>(input_.k)));
      });
    }
  }
  failure.rethrow();
}

}  // namespace warpbench::nearest_neighbors
