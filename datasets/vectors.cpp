#include "datasets/vectors.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "datasets/input_error.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

constexpr std::array<std::pair<Metric, std::string_view>, 3> kMetrics{{
    {Metric::euclidean, "euclidean"},
    {Metric::cosine, "cosine"},
    {Metric::inner_product, "inner_product"},
}};

constexpr std::size_t kGrain = std::size_t{1} << 16U;

[[noreturn]] void fail(const std::string& expected, const std::string& found) {
  throw InputError("vectors", 0, expected, found);
}

bool is_finite(float value) {
  constexpr std::uint32_t kExponent = 0x7f80'0000U;
  return (std::bit_cast<std::uint32_t>(value) & kExponent) != kExponent;
}

void check_finite(const Array<float>& values, std::size_t dimension, const std::string& what) {
  for_chunks(values.size(), kGrain, 0, [&](std::size_t begin, std::size_t end, std::size_t) {
    const auto chunk = values.span().subspan(begin, end - begin);
    const auto bad = std::find_if_not(chunk.begin(), chunk.end(), is_finite);
    if (bad == chunk.end()) return;
    const std::size_t at = begin + static_cast<std::size_t>(bad - chunk.begin());
    fail("finite coordinates", std::string(std::isnan(*bad) ? "nan" : "inf") + " in row " +
                                   std::to_string(at / dimension) + " of the " + what + ", coordinate " +
                                   std::to_string(at % dimension));
  });
}

constexpr std::size_t kLanes = 16;
using Lanes = std::array<float, kLanes>;

/// Adds in a fixed order, so that the sum does not depend on how the compiler vectorises the loops.
float sum(Lanes& lanes) {
  for (std::size_t width = kLanes / 2; width > 0; width /= 2) {
    for (std::size_t i = 0; i < width; ++i) lanes[i] += lanes[i + width];
  }
  return lanes[0];
}

/// The sum over coordinates of term(a, b).
template <typename Term>
float sum_of(const float* a, const float* b, std::size_t dimension, Term term) {
  Lanes lanes{};
  std::size_t i = 0;
  for (; i + kLanes <= dimension; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += term(a[i + lane], b[i + lane]);
  }
  for (std::size_t lane = 0; i < dimension; ++i, ++lane) lanes[lane] += term(a[i], b[i]);
  return sum(lanes);
}

/// The factor for a point before Euclidean distances are taken: with metric cosine 1 / length (0 for the zero vector),
/// otherwise 1.
float factor_of(std::span<const float> a, Metric metric) {
  if (metric != Metric::cosine) return 1.0F;
  const float squared = sum_of(a.data(), a.data(), a.size(), [](float x, float y) { return x * y; });
  return squared > 0.0F ? 1.0F / std::sqrt(squared) : 0.0F;
}

/// The squared Euclidean distance; with metric cosine, between the points' directions. Computed from the difference,
/// because small distances would drown in the rounding errors of a dot product.
float squared_distance(std::span<const float> a, std::span<const float> b, float factor_a, float factor_b,
                       Metric metric) {
  if (metric != Metric::cosine) {
    return sum_of(a.data(), b.data(), a.size(), [](float x, float y) { return (x - y) * (x - y); });
  }
  return sum_of(a.data(), b.data(), a.size(), [factor_a, factor_b](float x, float y) {
    const float difference = x * factor_a - y * factor_b;
    return difference * difference;
  });
}

constexpr std::size_t kNeighbors = 100;
constexpr std::int64_t kSamples = 200;
constexpr std::int64_t kFewestPoints = 1000;
constexpr std::size_t kSamplesAtOnce = 4;  // uses of a row each time it is read from memory

/// The squared distances to the nearest neighbours of one point, as a heap. Copies of the point (distance 0) say
/// nothing about the dimension and are left out.
class Nearest {
 public:
  void add(float squared) {
    if (!(squared > 0.0F) || (heap_.size() == kNeighbors && squared >= heap_.front())) return;
    if (heap_.size() == kNeighbors) {
      std::pop_heap(heap_.begin(), heap_.end());
      heap_.pop_back();
    }
    heap_.push_back(squared);
    std::push_heap(heap_.begin(), heap_.end());
  }

  /// -1 / mean of ln(r_i / r_k); nothing if there are too few distances or all are equal.
  [[nodiscard]] std::optional<double> estimate() {
    if (heap_.size() < kNeighbors) return std::nullopt;
    std::sort_heap(heap_.begin(), heap_.end());
    double logs = 0.0;
    for (const float squared : heap_) logs += 0.5 * std::log(double{squared} / double{heap_.back()});
    if (logs >= 0.0) return std::nullopt;
    return -static_cast<double>(kNeighbors) / logs;
  }

 private:
  std::vector<float> heap_;
};

std::optional<double> intrinsic_dimension(const VectorSet& set) {
  if (set.count() < kFewestPoints) return std::nullopt;
  std::vector<std::optional<double>> estimates(static_cast<std::size_t>(kSamples));
  for_chunks(estimates.size(), kSamplesAtOnce, 0, [&](std::size_t begin, std::size_t end, std::size_t) {
    std::array<Nearest, kSamplesAtOnce> nearest;
    std::array<std::int64_t, kSamplesAtOnce> positions{};
    std::array<float, kSamplesAtOnce> factors{};
    for (std::size_t s = begin; s < end; ++s) {
      positions[s - begin] = static_cast<std::int64_t>(s) * set.count() / kSamples;
      factors[s - begin] = factor_of(set.point(positions[s - begin]), set.metric());
    }
    for (std::int64_t i = 0; i < set.count(); ++i) {
      const float factor = factor_of(set.point(i), set.metric());
      for (std::size_t s = 0; s < end - begin; ++s) {
        if (positions[s] == i) continue;
        nearest[s].add(squared_distance(set.point(positions[s]), set.point(i), factors[s], factor, set.metric()));
      }
    }
    for (std::size_t s = begin; s < end; ++s) estimates[s] = nearest[s - begin].estimate();
  });
  double total = 0.0;
  int counted = 0;
  for (const auto& estimate : estimates) {
    total += estimate.value_or(0.0);
    counted += estimate ? 1 : 0;
  }
  if (counted == 0) return std::nullopt;
  return total / counted;
}

constexpr std::int64_t kHubSample = 2000;
constexpr std::size_t kHubNeighbors = 10;

/// The sample's points that have each point of the sample among their nearest, counted.
std::vector<int> neighbor_counts(const VectorSet& set, std::size_t sample) {
  const auto position = [&](std::size_t s) {
    return static_cast<std::int64_t>(s) * set.count() / static_cast<std::int64_t>(sample);
  };
  std::vector<float> factors(sample);
  for (std::size_t s = 0; s < sample; ++s) factors[s] = factor_of(set.point(position(s)), set.metric());
  std::vector<std::size_t> nearest(sample * kHubNeighbors);
  for_chunks(sample, kHubNeighbors, 0, [&](std::size_t begin, std::size_t end, std::size_t) {
    std::vector<std::pair<float, std::size_t>> others(sample - 1);
    for (std::size_t s = begin; s < end; ++s) {
      const auto point = set.point(position(s));
      for (std::size_t i = 0; i + 1 < sample; ++i) {
        const std::size_t other = i < s ? i : i + 1;
        others[i] = {squared_distance(point, set.point(position(other)), factors[s], factors[other], set.metric()),
                     other};
      }
      std::partial_sort(others.begin(), others.begin() + kHubNeighbors, others.end());
      for (std::size_t k = 0; k < kHubNeighbors; ++k) nearest[s * kHubNeighbors + k] = others[k].second;
    }
  });
  std::vector<int> counts(sample, 0);
  for (const std::size_t one : nearest) ++counts[one];
  return counts;
}

std::optional<double> hubness(const VectorSet& set) {
  if (set.count() < kFewestPoints) return std::nullopt;
  const auto sample = static_cast<std::size_t>(std::min(set.count(), kHubSample));
  double squares = 0.0;
  double cubes = 0.0;
  for (const int count : neighbor_counts(set, sample)) {
    const double above = count - static_cast<double>(kHubNeighbors);  // the mean, as every point has so many neighbours
    squares += above * above;
    cubes += above * above * above;
  }
  if (squares == 0.0) return 0.0;
  const auto n = static_cast<double>(sample);
  return cubes / n / std::pow(squares / n, 1.5);
}

}  // namespace

std::string_view to_string(Metric metric) noexcept {
  for (const auto& [value, name] : kMetrics) {
    if (value == metric) return name;
  }
  return "unknown";
}

std::optional<Metric> metric_from_string(std::string_view name) noexcept {
  for (const auto& [value, known] : kMetrics) {
    if (known == name) return value;
  }
  return std::nullopt;
}

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  names.reserve(kMetrics.size());
  for (const auto& [value, name] : kMetrics) names.emplace_back(name);
  return names;
}

void VectorSet::validate() const {
  if (facts.size() != 2) fail("2 facts, dimension and metric", std::to_string(facts.size()));
  if (dimension() < 1 || dimension() > kMaxDimension) {
    fail("a dimension from 1 to " + std::to_string(kMaxDimension), std::to_string(dimension()));
  }
  if (facts[1] >= kMetrics.size()) fail("a known metric", "number " + std::to_string(facts[1]));
  const auto d = static_cast<std::size_t>(dimension());
  for (const auto& [values, what] : {std::pair(&points, "points"), std::pair(&queries, "queries")}) {
    // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): the dimension was checked above
    if (values->size() % d != 0) {
      fail("rows of " + std::to_string(d) + " coordinates",
           std::to_string(values->size()) + " coordinates of the " + what);
    }
    if (values->size() / d >= std::numeric_limits<std::uint32_t>::max()) {
      fail("fewer than 2^32 - 1 " + std::string(what), std::to_string(values->size() / d));
    }
    check_finite(*values, d, what);
  }
}

Properties VectorSet::describe() const {
  Properties found{{"points", count()},
                   {"queries", query_count()},
                   {"dimension", dimension()},
                   {"metric", std::string(to_string(metric()))}};
  if (const auto estimate = intrinsic_dimension(*this)) found["intrinsic_dimension"] = *estimate;
  if (const auto skewness = hubness(*this)) found["hubness"] = *skewness;
  return found;
}

}  // namespace warpbench::datasets
