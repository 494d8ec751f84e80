#include "datasets/generators/graphs/social.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "datasets/generators/random.hpp"
#include "datasets/generators/sample.hpp"
#include "datasets/generators/size.hpp"
#include "datasets/generators/weights.hpp"
#include "datasets/parameters/declared.hpp"
#include "device/integers.hpp"

namespace warpbench::datasets {
namespace {

enum Stream : std::uint64_t { kIds = 1, kSources = 2, kTargets = 3, kMembership = 4, kShuffle = 100, kPairs = 200 };

constexpr std::size_t kVertexGrain = 1 << 14;
constexpr std::size_t kGroupGrain = 1 << 10;

/// A community size: its members, and the part of a vertex's expected degree that membership uses up.
struct Class {
  std::uint64_t size;
  std::uint64_t density;  // threshold for a 32-bit random number; 2^32 = every pair
  std::int64_t cost;      // expected degree inside, in 1/kWeightUnit
};

constexpr std::array<std::uint64_t, 9> kSizes{4, 6, 9, 14, 22, 35, 56, 90, 145};

std::array<Class, kSizes.size()> make_classes() {
  std::array<Class, kSizes.size()> classes{};
  for (std::size_t k = 0; k < kSizes.size(); ++k) {
    const auto size = static_cast<double>(kSizes[k]);
    const double density = std::min(1.0, std::sqrt(16.0 / size));  // IEEE rounds sqrt correctly, so this is portable
    classes[k] = {kSizes[k], static_cast<std::uint64_t>(density * 4294967296.0),
                  static_cast<std::int64_t>((size - 1.0) * density * static_cast<double>(kWeightUnit))};
  }
  return classes;
}

/// Calls join(k) for each community the vertex joins and returns their total cost.
template <typename Join>
std::int64_t choose(const std::array<Class, kSizes.size()>& classes, const Random& random, std::uint64_t vertex,
                    std::int64_t budget, Join&& join) {
  std::int64_t spent = 0;
  for (std::uint64_t step = 0;; ++step) {
    const std::int64_t left = budget - spent;
    const std::uint64_t index = (vertex << 20U) | step;
    std::size_t affordable = 0;
    while (affordable < classes.size() && classes[affordable].cost <= left) ++affordable;
    if (affordable == 0) {  // the rest buys the smallest community with matching probability
      if (left <= 0 ||
          random.below(static_cast<std::uint64_t>(classes[0].cost), 2 * index) >= static_cast<std::uint64_t>(left)) {
        return spent;
      }
      affordable = 1;
    }
    // The larger of two draws: without this preference most edges would lie in cliques of 4 and 6, and
    // triangles would be a quarter of livejournal's.
    const std::size_t k = std::max(random.below(affordable, 2 * index), random.below(affordable, 2 * index + 1));
    join(k);
    spent += classes[k].cost;
  }
}

/// All memberships, grouped by class, and within a class ordered by vertex.
struct Memberships {
  std::vector<std::uint32_t> members;
  std::array<std::uint64_t, kSizes.size() + 1> begin{};  // start of each class
};

/// Also lowers each weight by the expected degree inside the vertex's communities.
Memberships assign(const std::array<Class, kSizes.size()>& classes, std::vector<std::uint32_t>& weights, double share,
                   std::uint64_t seed, int threads) {
  using Counts = std::array<std::uint64_t, kSizes.size()>;
  const Random random(seed, kMembership);
  const auto share_q16 = static_cast<std::uint64_t>(share * 65536.0);
  const auto budget = [&](std::size_t v) { return static_cast<std::int64_t>((weights[v] * share_q16) >> 16U); };

  std::vector<Counts> at(ceil_div(weights.size(), kVertexGrain), Counts{});
  for_chunks(weights.size(), kVertexGrain, threads, [&](std::size_t first, std::size_t last, std::size_t chunk) {
    Counts counts{};
    for (std::size_t v = first; v < last; ++v) {
      static_cast<void>(choose(classes, random, v, budget(v), [&counts](std::size_t k) { ++counts[k]; }));
    }
    at[chunk] = counts;
  });
  Memberships result;
  std::uint64_t total = 0;
  for (std::size_t k = 0; k < kSizes.size(); ++k) {
    result.begin[k] = total;
    for (Counts& counts : at) total += std::exchange(counts[k], total);
  }
  result.begin[kSizes.size()] = total;
  result.members.resize(total);
  for_chunks(weights.size(), kVertexGrain, threads, [&](std::size_t first, std::size_t last, std::size_t chunk) {
    Counts next = at[chunk];
    for (std::size_t v = first; v < last; ++v) {
      const std::int64_t spent = choose(classes, random, v, budget(v), [&](std::size_t k) {
        result.members[next[k]++] = static_cast<std::uint32_t>(v);
      });
      weights[v] = static_cast<std::uint32_t>(std::max<std::int64_t>(0, static_cast<std::int64_t>(weights[v]) - spent));
    }
  });
  return result;
}

/// Communities of one class: its memberships in random order, cut into groups of the class's size.
class Communities {
 public:
  Communities(const Memberships& memberships, const Class& size, std::size_t k, std::uint64_t seed)
      : members_(std::span(memberships.members)
                     .subspan(memberships.begin[k], memberships.begin[k + 1] - memberships.begin[k])),
        class_(size),
        order_(std::max<std::uint64_t>(1, members_.size()), seed, kShuffle + k),
        random_(seed, kPairs + k) {}

  [[nodiscard]] std::size_t groups() const { return ceil_div(members_.size(), class_.size); }

  /// Calls edge(u, v) for each connected pair of members of a group.
  template <typename Consumer>
  void pairs(std::size_t group, Consumer&& edge) const {
    std::array<std::uint32_t, kSizes.back()> ranks{};
    const std::size_t first = group * class_.size;
    const std::size_t count = std::min<std::size_t>(class_.size, members_.size() - first);
    for (std::size_t i = 0; i < count; ++i) ranks[i] = members_[order_(first + i)];
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) {
        const std::uint64_t index = (group << 16U) | (i << 8U) | j;
        if (class_.density >> 32U != 0 || random_.chance(class_.density, index)) edge(ranks[i], ranks[j]);
      }
    }
  }

 private:
  std::span<const std::uint32_t> members_;
  Class class_;
  Permutation order_;
  Random random_;
};

/// Appends the edges of one class, in the order of its groups: first counts, then writes.
void append_edges(const Communities& communities, std::span<const Vertex> ids, std::vector<Edge>& edges, int threads) {
  std::vector<std::uint64_t> at(ceil_div(communities.groups(), kGroupGrain));
  for_chunks(communities.groups(), kGroupGrain, threads, [&](std::size_t first, std::size_t last, std::size_t chunk) {
    std::uint64_t count = 0;
    for (std::size_t g = first; g < last; ++g) communities.pairs(g, [&count](auto, auto) { ++count; });
    at[chunk] = count;
  });
  std::uint64_t total = edges.size();
  for (std::uint64_t& count : at) total += std::exchange(count, total);
  edges.resize(total);
  for_chunks(communities.groups(), kGroupGrain, threads, [&](std::size_t first, std::size_t last, std::size_t chunk) {
    std::uint64_t next = at[chunk];
    for (std::size_t g = first; g < last; ++g) {
      communities.pairs(g, [&](std::uint32_t u, std::uint32_t v) { edges[next++] = {ids[u], ids[v]}; });
    }
  });
}

}  // namespace

Content generate_social(const Properties& values, std::uint64_t seed, int threads) {
  const GraphSize size = scaled_size("social", values);
  auto weights = power_law_weights("social", static_cast<std::uint64_t>(size.vertices), real(values, "exponent"),
                                   scaled_max_degree(values, size), 2.0 * static_cast<double>(size.edges), threads);
  const auto classes = make_classes();
  const std::vector<Vertex> ids = shuffled_ids(weights.size(), seed, kIds, threads);
  std::vector<Edge> edges;
  {
    const Memberships memberships = assign(classes, weights, real(values, "community_share"), seed, threads);
    for (std::size_t k = 0; k < classes.size(); ++k) {
      append_edges(Communities(memberships, classes[k], k, seed), ids, edges, threads);
    }
  }
  weights[0] = std::max(weights[0], std::uint32_t{1});  // at least one weight must be positive
  const WeightedChoice choice(weights);
  const Random sources(seed, kSources);
  const Random targets(seed, kTargets);
  const auto end = [&](const Random& random, std::uint64_t i) {
    return ids[choice.find(random.below(choice.total(), i))];
  };
  Content content;
  content.data = build_with_draws(std::move(edges), size.edges, size.vertices, threads, [&](std::uint64_t i) {
    return Edge{end(sources, i), end(targets, i)};
  });
  return content;
}

}  // namespace warpbench::datasets
