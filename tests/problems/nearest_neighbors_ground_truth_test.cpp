// The reference made from a faster search's candidates is the same as by brute force, however the candidates' distances
// were rounded. A search that breaks its promise is caught.
#include "problems/nearest_neighbors/ground_truth.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/problems/support/vectors.hpp"

namespace warpbench::nearest_neighbors {
namespace {

using datasets::Metric;
using datasets::VectorSet;
using testing::kMetrics;
using Ids = std::vector<std::uint32_t>;
using Input = NearestNeighbors::Input;
using Reference = NearestNeighbors::Reference;

constexpr std::uint64_t kSeed = 20261121;

/// A float distance that is off by a random part of what `rounding` (a share of the sum of absolute terms) allows.
float perturbed(const Input& input, std::span<const float> q, std::span<const float> x, double rounding,
                std::mt19937_64& random) {
  double terms = distance(input.metric, q, x);
  if (input.metric == Metric::cosine) terms = 1;
  if (input.metric == Metric::inner_product) {
    terms = std::sqrt(inner_product(q, q) * inner_product(x, x));
  }
  std::uniform_real_distribution<double> error(-rounding, rounding);
  return static_cast<float>(distance(input.metric, q, x) + error(random) * terms);
}

/// The nearest points by such distances: what a search in floats finds.
CandidateSearch search_with(double rounding) {
  return [rounding](const Input& input) {
    std::mt19937_64 random(kSeed);
    Ids ids;
    for (std::int64_t query = 0; query < input.queries(); ++query) {
      std::vector<std::pair<float, std::uint32_t>> all;
      for (std::int64_t p = 0; p < input.points(); ++p) {
        all.emplace_back(perturbed(input, input.vectors->query(query), input.vectors->point(p), rounding, random),
                         static_cast<std::uint32_t>(p));
      }
      std::ranges::sort(all);
      for (std::int64_t i = 0; i < input.k; ++i) {
        ids.push_back(i < input.points() ? all[static_cast<std::size_t>(i)].second : kNone<std::uint32_t>);
      }
    }
    return ids;
  };
}

void expect_same(const Reference& found, const Reference& expected, const std::string& name) {
  EXPECT_EQ(found.neighbors, expected.neighbors) << name;
  EXPECT_EQ(found.distances, expected.distances) << name;
}

TEST(GroundTruth, IsWhatBruteForceFindsWhateverRoundingDidToTheCandidates) {
  for (const auto& [name, set] : testing::adversarial_vectors()) {
    for (const Metric metric : kMetrics) {
      const Input input{&set, metric, 10};
      const Reference expected = ground_truth(input, nullptr);
      for (const double rounding : {0.0, 1e-7, 1e-6}) {
        expect_same(ground_truth(input, search_with(rounding)), expected,
                    name + ", " + std::string(to_string(metric)) + ", rounding " + std::to_string(rounding));
      }
    }
  }
}

TEST(GroundTruth, SearchesByBruteForceWhatCandidatesDoNotProve) {
  const VectorSet set = testing::clustered(300, 20, 8, kSeed);
  const Input input{&set, Metric::euclidean, 10};
  const Reference expected = ground_truth(input, nullptr);
  const auto all = [](std::uint32_t id) {
    return [id](const Input& asked) { return Ids(static_cast<std::size_t>(asked.queries() * asked.k), id); };
  };
  expect_same(ground_truth(input, all(kNone<std::uint32_t>)), expected, "no candidates");
  expect_same(ground_truth(input, all(7)), expected, "one candidate again and again");
  expect_same(ground_truth(input, all(300)), expected, "no point's id");
  expect_same(ground_truth(input, [](const Input&) { return Ids{}; }), expected, "a search that cannot");
  expect_same(ground_truth(input, [](const Input&) { return Ids{1, 2, 3}; }), expected, "too few ids");
}

TEST(GroundTruth, TakesNoProofFromDistancesBeyondTheRangeOfFloats) {
  // By floats all squares overflow or vanish, so that any candidates keep the promise.
  for (const float scale : {1e30F, 1e-30F}) {
    VectorSet set = testing::clustered(100, 5, 4, kSeed);
    const auto scaled = [scale](const datasets::Array<float>& values) {
      std::vector<float> result(values.begin(), values.end());
      for (float& x : result) x *= scale;
      return result;
    };
    set.points = scaled(set.points);
    set.queries = scaled(set.queries);
    const Input input{&set, Metric::euclidean, 10};
    const auto any = [](const Input& asked) {
      Ids ids;
      for (std::int64_t i = 0; i < asked.queries() * asked.k; ++i) {
        ids.push_back(static_cast<std::uint32_t>(i % asked.k));
      }
      return ids;
    };
    expect_same(ground_truth(input, any), ground_truth(input, nullptr), std::to_string(scale));
  }
}

TEST(GroundTruth, CatchesASearchThatMissesPoints) {
  const VectorSet set = testing::clustered(300, 20, 8, kSeed);
  const Input input{&set, Metric::euclidean, 10};
  const auto without_the_nearest = [](const Input& asked) {
    Input wider = asked;
    wider.k = asked.k + 1;
    const Ids ids = search_with(0)(wider);
    Ids kept;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (i % static_cast<std::size_t>(wider.k) != 0) kept.push_back(ids[i]);
    }
    return kept;
  };
  EXPECT_THROW(static_cast<void>(ground_truth(input, without_the_nearest)), std::logic_error);
}

}  // namespace
}  // namespace warpbench::nearest_neighbors
