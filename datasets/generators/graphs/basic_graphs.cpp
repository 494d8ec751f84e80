#include "datasets/generators/graphs/basic_graphs.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "datasets/generators/random.hpp"
#include "datasets/generators/sample.hpp"
#include "datasets/generators/size.hpp"
#include "datasets/generators/weights.hpp"
#include "datasets/input_error.hpp"
#include "datasets/parameters/declared.hpp"

namespace warpbench::datasets {
namespace {

enum Stream : std::uint64_t { kIds = 1, kSources = 2, kTargets = 3, kLevels = 4 };

/// Quadrant probabilities as thresholds for a 32-bit random number.
struct Quadrants {
  std::uint64_t a;
  std::uint64_t ab;
  std::uint64_t abc;
};

std::uint64_t threshold(double probability) {
  return static_cast<std::uint64_t>(probability * 4294967296.0);
}

Edge draw_rmat(const Random& random, const Quadrants& quadrants, int levels, std::uint64_t index) {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
  std::uint64_t word = 0;
  for (int level = 0; level < levels; ++level) {
    word = level % 2 == 0 ? random.at(index * 16 + static_cast<std::uint64_t>(level / 2)) : word << 32U;
    const std::uint64_t draw = word >> 32U;
    const bool down = draw >= quadrants.ab;
    const bool right = down ? draw >= quadrants.abc : draw >= quadrants.a;
    source = 2 * source + (down ? 1 : 0);
    target = 2 * target + (right ? 1 : 0);
  }
  return {static_cast<Vertex>(source), static_cast<Vertex>(target)};
}

Content rmat(const Properties& values, const Quadrants& quadrants, std::uint64_t seed, int threads) {
  const double shrink = std::round(std::log2(real(values, "scale")));
  const auto levels = static_cast<int>(integer(values, "log2_vertices") + static_cast<std::int64_t>(shrink));
  if (levels < 1 || levels > 31) {
    throw InputError("rmat", 0, "2^1 to 2^31 vertices after scaling", "2^" + std::to_string(levels));
  }
  const std::int64_t vertices = std::int64_t{1} << levels;
  std::vector<Edge> edges(static_cast<std::size_t>(vertices * integer(values, "edge_factor")));
  const Random random(seed, kLevels);
  const std::vector<Vertex> ids = shuffled_ids(static_cast<std::size_t>(vertices), seed, kIds, threads);
  for_chunks(edges.size(), 1 << 16, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto [u, v] = draw_rmat(random, quadrants, levels, i);
      edges[i] = {ids[u], ids[v]};
    }
  });
  EdgeCounts counts;
  Content content;
  content.data = build_csr(edges, vertices, threads, &counts);
  content.properties = {{"self_loops_dropped", counts.self_loops_dropped},
                        {"duplicates_merged", counts.duplicates_merged}};
  return content;
}

}  // namespace

Content generate_rmat(const Properties& values, std::uint64_t seed, int threads) {
  const double a = real(values, "a");
  const double b = real(values, "b");
  const double c = real(values, "c");
  if (a + b + c > 1.0 + 1e-12) {
    throw InputError("rmat", 0, "a + b + c of at most 1", to_string(Property{a + b + c}));
  }
  return rmat(values, {threshold(a), threshold(a + b), threshold(a + b + c)}, seed, threads);
}

Content generate_kronecker(const Properties& values, std::uint64_t seed, int threads) {
  return rmat(values, {threshold(0.57), threshold(0.76), threshold(0.95)}, seed, threads);
}

Content generate_uniform(const Properties& values, std::uint64_t seed, int threads) {
  const GraphSize size = scaled_size("uniform", values);
  const auto n = static_cast<std::uint64_t>(size.vertices);
  const Random sources(seed, kSources);
  const Random targets(seed, kTargets);
  Content content;
  content.data = build_with_draws({}, size.edges, size.vertices, threads, [&](std::uint64_t i) {
    return Edge{static_cast<Vertex>(sources.below(n, i)), static_cast<Vertex>(targets.below(n, i))};
  });
  return content;
}

Content generate_power_law(const Properties& values, std::uint64_t seed, int threads) {
  const GraphSize size = scaled_size("power_law", values);
  const auto weights =
      power_law_weights("power_law", static_cast<std::uint64_t>(size.vertices), real(values, "exponent"),
                        scaled_max_degree(values, size), 2.0 * static_cast<double>(size.edges), threads);
  const WeightedChoice choice(weights);
  const Random sources(seed, kSources);
  const Random targets(seed, kTargets);
  const std::vector<Vertex> ids = shuffled_ids(weights.size(), seed, kIds, threads);
  const auto end = [&](const Random& random, std::uint64_t i) {
    return ids[choice.find(random.below(choice.total(), i))];
  };
  Content content;
  content.data = build_with_draws({}, size.edges, size.vertices, threads, [&](std::uint64_t i) {
    return Edge{end(sources, i), end(targets, i)};
  });
  return content;
}

}  // namespace warpbench::datasets
