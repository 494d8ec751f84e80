#include "datasets/generators/graphs/rdf.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "datasets/generators/random.hpp"
#include "datasets/generators/sample.hpp"
#include "datasets/generators/size.hpp"
#include "datasets/generators/weights.hpp"
#include "datasets/generators/wide.hpp"
#include "datasets/graphs/labelled_edges.hpp"
#include "datasets/parallel.hpp"
#include "device/integers.hpp"

namespace warpbench::datasets {
namespace {

enum Stream : std::uint64_t {
  kIds = 1,
  kTypes = 2,
  kPredicates = 3,
  kObjects = 4,
  kSubjects = 5,
  kDomains = 6,
  kQuarters = 7
};

constexpr std::size_t kGrain = 1 << 16;

/// The entities in a line, ordered by type and within a type by popularity.
struct Line {
  std::vector<std::uint32_t> popularity;  // expected number of edges as an object, in 1/kWeightUnit
  std::vector<std::uint32_t> types;
};

/// Gives each popularity rank a type, in proportion to the types' sizes, a power law of `exponent`; a stable counting
/// sort then groups the types.
Line make_line(const std::vector<std::uint32_t>& popularity, std::int64_t types, double exponent, std::uint64_t seed) {
  const WeightedChoice choice(power_law_label_weights(types, exponent));
  const Random random(seed, kTypes);
  std::vector<std::uint32_t> type_of(popularity.size());
  std::vector<std::uint64_t> next(static_cast<std::size_t>(types) + 1, 0);
  for (std::size_t rank = 0; rank < type_of.size(); ++rank) {
    type_of[rank] = choice.find(random.below(choice.total(), rank));
    ++next[std::size_t{type_of[rank]} + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  Line line{std::vector<std::uint32_t>(type_of.size()), std::vector<std::uint32_t>(type_of.size())};
  for (std::size_t rank = 0; rank < type_of.size(); ++rank) {
    const std::uint64_t place = next[type_of[rank]]++;
    line.popularity[place] = popularity[rank];
    line.types[place] = type_of[rank];
  }
  return line;
}

/// The predicates on their line, in random order, and the subjects of each.
class Predicates {
 public:
  Predicates(std::int64_t count, double exponent, std::uint64_t entities, std::uint64_t seed)
      : order_(static_cast<std::uint64_t>(count), seed, kPredicates),
        choice_(shuffled(power_law_label_weights(count, exponent))),
        domains_(seed, kDomains),
        entities_(entities) {}

  /// The predicate at position x of a line of length `length`.
  [[nodiscard]] std::uint32_t at(std::uint64_t x, std::uint64_t length) const {
    const auto point = static_cast<std::uint64_t>(static_cast<Wide>(x) * choice_.total() / length);
    return static_cast<std::uint32_t>(order_(choice_.find(point)));
  }
  /// Picks one of the predicate's subjects; `draw` is a random word.
  [[nodiscard]] std::uint64_t subject(std::uint32_t predicate, std::uint64_t draw) const {
    const std::uint64_t width = predicate % 2 == 0 ? ceil_div(entities_, 2) : entities_;
    const std::uint64_t first = domains_.below(entities_, predicate);
    return (first + static_cast<std::uint64_t>((static_cast<Wide>(draw) * width) >> 64U)) % entities_;
  }

 private:
  [[nodiscard]] std::vector<std::uint32_t> shuffled(const std::vector<std::uint32_t>& weights) const {
    std::vector<std::uint32_t> placed(weights.size());
    for (std::size_t place = 0; place < placed.size(); ++place) placed[place] = weights[order_(place)];
    return placed;
  }

  Permutation order_;
  WeightedChoice choice_;
  Random domains_;
  std::uint64_t entities_;
};

/// Draws until there are about `target` pairs, as build_with_draws does.
template <typename Draw>
LabelledGraph build_with_labelled_draws(std::int64_t target, std::int64_t vertices, int threads, Draw&& draw) {
  constexpr int kRounds = 3;
  std::vector<LabelledEdge> edges;
  std::size_t missing = static_cast<std::size_t>(target);
  for (int round = 1;; ++round) {
    const std::size_t first = edges.size();
    edges.resize(first + missing);
    for_chunks(missing, kGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
      for (std::size_t i = begin; i < end; ++i) edges[first + i] = draw(first + i);
    });
    LabelledGraph graph = build_labelled_graph(edges, vertices, threads);
    const std::int64_t deficit = target - graph.edges();
    if (round == kRounds || deficit * 200 <= target) return graph;
    missing = static_cast<std::size_t>(deficit);
  }
}

}  // namespace

std::vector<ParameterDeclaration> rdf_parameters(std::int64_t vertex_labels, std::int64_t edge_labels,
                                                 double label_exponent) {
  std::vector<ParameterDeclaration> all = size_parameters();
  all.push_back({"max_degree", 0, 2, 1e7, "expected degree of the largest hub at scale 1", true});
  all.push_back({"exponent", 2.1, 1.5, 10.0, "exponent of the power law of the objects' degrees", false});
  all.push_back({"vertex_labels", vertex_labels, 1, 1e6, "types of entities", false});
  all.push_back({"type_exponent", 1.0, 0.0, 16.0, "of the power law of the types' sizes", false});
  all.push_back({"edge_labels", edge_labels, 1, 1e6, "predicates", false});
  all.push_back(
      {"label_exponent", label_exponent, 0.0, 16.0, "of the power law of the predicates' frequencies", false});
  return all;
}

Content generate_rdf(const Properties& values, std::uint64_t seed, int threads) {
  const GraphSize size = scaled_size("rdf", values);
  const auto n = static_cast<std::uint64_t>(size.vertices);
  const auto average = static_cast<double>(size.edges) / static_cast<double>(n);
  const double hub = std::clamp(static_cast<double>(integer(values, "max_degree")) * real(values, "scale"),
                                std::ceil(4.0 * average), static_cast<double>(n - 1));
  const Line line =
      make_line(power_law_weights("rdf", n, real(values, "exponent"), hub, static_cast<double>(size.edges), threads),
                integer(values, "vertex_labels"), real(values, "type_exponent"), seed);
  const WeightedChoice objects(line.popularity);
  const Predicates predicates(integer(values, "edge_labels"), real(values, "label_exponent"), n, seed);
  const std::vector<Vertex> ids = shuffled_ids(n, seed, kIds, threads);
  const Random points(seed, kObjects);
  const Random subjects(seed, kSubjects);
  const Random quarters(seed, kQuarters);
  const std::uint64_t length = objects.total();
  LabelledGraph graph = build_with_labelled_draws(size.edges, size.vertices, threads, [&](std::uint64_t i) {
    const std::uint64_t point = points.below(length, i);
    const std::uint64_t turned = (point + quarters.below(4, i) * (length / 4)) % length;
    const std::uint32_t predicate = predicates.at(turned, length);
    return LabelledEdge{ids[predicates.subject(predicate, subjects.at(i))], ids[objects.find(point)], predicate};
  });
  std::vector<std::uint32_t> labels(n);
  for (std::size_t place = 0; place < labels.size(); ++place) labels[ids[place]] = line.types[place];
  graph.vertex_labels = std::move(labels);
  Content content;
  content.data = std::move(graph);
  return content;
}

}  // namespace warpbench::datasets
