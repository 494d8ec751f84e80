// The GPU solvers of nearest_neighbors: never a wrong answer on awkward sets, the same path by every search where
// distances are exact, recall within bounds on every graph by every builder, refusals, and, where it is here, MNIST.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "device/device.hpp"
#include "solvers/solver.hpp"
#include "tests/problems/support/mnist.hpp"
#include "tests/problems/support/nearest_neighbors_solvers.hpp"
#include "tests/problems/support/vectors.hpp"

namespace warpbench::testing {
namespace {

using datasets::Metric;
using Input = NearestNeighbors::Input;

constexpr std::uint64_t kSeed = 2023;

Ids answer(const std::string& id, const Input& input, const Given& given) {
  return Prepared(id, input, given).answer();
}

/// `more` at the solver's smoke point.
Given smoke(const std::string& id, Given more) {
  const Given& smoke = entry_of(id).info.smoke;
  more.insert(smoke.begin(), smoke.end());
  return more;
}

/// The same on a graph that a CPU builds, where construction is not tested: simt takes long for it.
Given on_cpu_graph(const std::string& id, Given more) {
  more["builder"] = word("cpu");
  return smoke(id, std::move(more));
}

/// Ways of ganns to search.
const std::vector<Given> kSearches{
    {},
    {{"method", word("pipelined")}, {"visited", integer(64)}, {"entries", integer(8)}},
    {{"method", word("pipelined")}, {"precision", word("int8")}, {"rerank", integer(32)}},
    {{"method", word("pipelined")}, {"precision", word("fp16")}},
};

/// The graphs it searches, with rows so short that awkward sets fill them (construction_test.cu has the other
/// searches inside).
const std::vector<Given> kGraphs = [] {
  std::vector<Given> graphs{
      {{"groups", integer(3)}},
      {{"builder", word("serial")}},
      {{"builder", word("naive_parallel")}, {"groups", integer(3)}},
      {{"graph", word("hnsw")}, {"groups", integer(3)}},
      {{"graph", word("knn")}},
      {{"intermediate_degree", integer(16)}, {"graph_degree", integer(8)}},
      {{"graph", word("knn")}, {"intermediate_degree", integer(16)}, {"graph_degree", integer(8)}},
      {{"intermediate_degree", integer(16)},
       {"graph_degree", integer(8)},
       {"precision", word("int8")},
       {"rerank", integer(32)}},
  };
  for (Given& graph : graphs) {
    graph["method"] = word("pipelined");
    graph["d_min"] = integer(4);
    graph["d_max"] = integer(8);
  }
  return graphs;
}();

VectorSet first_queries(VectorSet set, std::int64_t max_queries) {
  const std::int64_t queries = std::min(set.query_count(), max_queries);
  set.queries = std::vector<float>(set.queries.begin(), set.queries.begin() + queries * set.dimension());
  return set;
}

/// The first points of both halves, so that a set that holds every point twice still does.
VectorSet first_of_each_half(VectorSet set, std::int64_t max_points) {
  const std::int64_t half = set.count() / 2;
  if (half <= max_points) return set;
  std::vector<float> points;
  for (const std::int64_t begin : {std::int64_t{0}, half}) {
    const auto* const first = set.points.begin() + begin * set.dimension();
    points.insert(points.end(), first, first + max_points * set.dimension());
  }
  set.points = std::move(points);
  return set;
}

TEST(ExactGpu, IsExactOnAwkwardSets) {
  EXPECT_TRUE(entry_of("exact-gpu").info.exact);
  for (const auto& [name, set] : adversarial_vectors()) {
    for (const Metric metric : kMetrics) {
      const Input input{&set, metric, 10};
      const Judgement judgement = judged(input, answer("exact-gpu", input, {}));
      EXPECT_EQ(judgement.verdict, Verdict::exact) << name << ' ' << to_string(metric) << ": " << judgement.difference;
    }
  }
}

TEST(ExactGpu, TakesMoreThanATileOfEach) {
  const VectorSet set = clustered(140, 130, 5, kSeed);
  for (const std::int64_t k : {3, 141}) {
    const Input input{&set, Metric::euclidean, k};
    EXPECT_EQ(judged(input, answer("exact-gpu", input, {})).verdict, Verdict::exact) << k;
  }
}

void expect_good(const Input& input, const std::string& id, const Given& given, const std::string& name) {
  const Judgement judgement = judged(input, answer(id, input, given));
  const std::string where = name + ", " + id + ' ' + Parameters(entry_of(id).info.parameters, given).canonical();
  EXPECT_EQ(judgement.difference, "") << where;
  EXPECT_GE(judgement.metrics.at("recall"), 0.9) << where;
}

TEST(GraphSearch, IsNeverWrongOnAwkwardSets) {
  for (const auto& [name, all] : adversarial_vectors()) {
    const VectorSet set = first_queries(all, 4);
    const Input input{&set, Metric::euclidean, 10};
    for (const Given& search : kSearches) expect_good(input, "ganns", on_cpu_graph("ganns", search), name);
    expect_good(input, "ganns", smoke("ganns", {{"method", word("pipelined")}, {"groups", integer(3)}}), name);
    expect_good(input, "song", on_cpu_graph("song", {}), name);
  }
}

TEST(GraphSearch, IsNeverWrongOnAnyGraphOfAwkwardSets) {
  for (const auto& [name, all] : adversarial_vectors()) {
    const VectorSet set = first_of_each_half(first_queries(all, 4), 12);
    const Input input{&set, Metric::euclidean, 10};
    for (const Given& graph : kGraphs) expect_good(input, "ganns", smoke("ganns", graph), name);
  }
}

/// Two groups of the least size, and points in a third.
TEST(GraphSearch, CutsPointsIntoGroupsForGrowingRounds) {
  const VectorSet set = clustered(700, 10, 8, kSeed);
  const Input input{&set, Metric::euclidean, 10};
  expect_good(input, "ganns", smoke("ganns", {{"rounds", word("growing")}, {"groups", integer(0)}}), "700 points");
}

/// For cosine they are as good as equal.
TEST(GraphSearch, FindsPointsThatDifferInLengthAlone) {
  const VectorSet set = with_copies(clustered(8, 8, 6, kSeed), 26, 1.1F);
  const Input input{&set, Metric::cosine, 10};
  for (const Given& search : kSearches) expect_good(input, "ganns", on_cpu_graph("ganns", search), "lengths");
  for (const Given& graph : kGraphs) expect_good(input, "ganns", smoke("ganns", graph), "lengths");
  expect_good(input, "song", on_cpu_graph("song", {}), "lengths");
}

TEST(GraphSearch, TakesEveryMetric) {
  const VectorSet set = clustered(150, 10, 12, kSeed);
  for (const Metric metric : kMetrics) {
    const Input input{&set, metric, 10};
    const std::string name(to_string(metric));
    for (const Given& search : kSearches) expect_good(input, "ganns", on_cpu_graph("ganns", search), name);
    expect_good(input, "ganns", smoke("ganns", {{"method", word("pipelined")}}), name);
    expect_good(input, "song", on_cpu_graph("song", {}), name);
  }
}

std::vector<float> times(std::vector<float> values, float factor) {
  for (float& x : values) x *= factor;
  return values;
}

/// `set` with the coordinates of its queries times `factor`.
VectorSet with_queries_times(VectorSet set, float factor) {
  set.queries = times({set.queries.begin(), set.queries.end()}, factor);
  return set;
}

/// A half holds 6e-8 to 65,504, below 6e-5 with fewer bits; 8 bits hold -127 to 127.
TEST(GraphSearch, TakesCoordinatesFarFromTheRangeOfLessPrecision) {
  const VectorSet set = clustered(150, 10, 12, kSeed);
  const Given& best = entry_of("ganns").info.best;
  ASSERT_EQ(std::get<std::string>(best.at("precision")), "int8");
  for (const Metric metric : kMetrics) {
    for (const float factor : {1e-9F, 1e-4F, 1e4F, 65'504.0F, 1e9F}) {
      VectorSet scaled = with_queries_times(set, factor);
      scaled.points = times({set.points.begin(), set.points.end()}, factor);
      const Input input{&scaled, metric, 10};
      const std::string name = fmt::format("{}, all times {}", to_string(metric), factor);
      for (const char* const precision : {"int8", "fp16"}) {
        Given point = best;
        point["builder"] = word("cpu");
        point["intermediate_degree"] = integer(0);
        point["precision"] = word(precision);
        expect_good(input, "ganns", point, name);
      }
    }
  }
}

/// They would leave all others a step or two of 8 bits.
TEST(GraphSearch, CutsOffSingleFarCoordinatesInBytes) {
  const VectorSet near = clustered(700, 10, 12, kSeed);
  std::vector<float> points(near.points.begin(), near.points.end());
  points[5] = 1e4F;
  VectorSet set = near;
  set.points = points;
  const Input input{&set, Metric::euclidean, 10};
  Given point = entry_of("ganns").info.best;
  point["intermediate_degree"] = integer(32);
  point["graph_degree"] = integer(16);
  expect_good(input, "ganns", point, "a far coordinate");
}

/// `rerank: auto` orders as many as are asked for.
TEST(GraphSearch, OrdersAsManyAsAreAskedFor) {
  const VectorSet set = clustered(150, 5, 12, kSeed);
  const Input input{&set, Metric::euclidean, 50};
  Given point = entry_of("ganns").info.best;
  point["builder"] = word("cpu");
  point["intermediate_degree"] = integer(0);
  expect_good(input, "ganns", point, "k = 50");
}

/// The length of a query does not matter to the order of products.
TEST(GraphSearch, TakesQueriesOfAnyLengthInHalfPrecision) {
  const VectorSet set = clustered(150, 10, 12, kSeed);
  for (const Metric metric : {Metric::cosine, Metric::inner_product}) {
    for (const float factor : {1e-4F, 1000.0F, 1e30F}) {
      const VectorSet scaled = with_queries_times(set, factor);
      const Input input{&scaled, metric, 10};
      expect_good(input, "ganns", on_cpu_graph("ganns", kSearches.back()),
                  std::string(to_string(metric)) + ", queries times " + std::to_string(factor));
    }
  }
}

/// Distances of far queries lose bits in halves, but do not overflow.
TEST(GraphSearch, TakesQueriesFarFromAllPointsInHalfPrecision) {
  const VectorSet set = with_queries_times(clustered(150, 10, 12, kSeed), 200);
  const Input input{&set, Metric::euclidean, 10};
  EXPECT_GE(judged(input, answer("ganns", input, on_cpu_graph("ganns", kSearches.back()))).metrics.at("recall"), 0.8);
}

/// Each point's answer differs from the one before, so that places that a solve leaves as they were show.
TEST(GraphSearch, TakesNewSolveParametersOnOneIndex) {
  const VectorSet set = clustered(400, 10, 24, kSeed);
  const Input input{&set, Metric::euclidean, 10};
  std::vector<Given> points{{{"method", word("pipelined")}, {"explore", integer(10)}},
                            {{"explore", integer(20)}},
                            {{"method", word("pipelined")}, {"candidates", integer(64)}}};
  std::vector<Ids> expected;
  for (Given& point : points) {
    point["d_min"] = integer(4);
    point["d_max"] = integer(8);
    point = on_cpu_graph("ganns", point);
    expected.push_back(answer("ganns", input, point));
  }
  Prepared prepared("ganns", input, points[0]);
  for (std::size_t i = 0; i < 2 * points.size(); ++i) {
    const Ids& now = expected[i % points.size()];
    EXPECT_NE(now, expected[(i + 1) % points.size()]) << "points that show no difference";
    prepared.solver->configure(Parameters(entry_of("ganns").info.parameters, points[i % points.size()]));
    EXPECT_EQ(prepared.answer(), now) << i;
  }
}

/// So that one graph serves searches of all precisions. Rows of 20 coordinates are longer where they are prepared for
/// bytes.
TEST(GraphSearch, TakesAnotherPrecisionOnOneIndex) {
  const VectorSet set = clustered(400, 20, 20, kSeed);
  const auto at = [](const char* precision) {
    return on_cpu_graph("ganns", {{"method", word("pipelined")}, {"precision", word(precision)}});
  };
  const std::vector<ParameterSpec>& declared = entry_of("ganns").info.parameters;
  for (const Metric metric : kMetrics) {
    const Input input{&set, metric, 10};
    std::map<std::string, Ids> expected;
    for (const char* const precision : {"int8", "fp16", "fp32"})
      expected[precision] = answer("ganns", input, at(precision));
    EXPECT_NE(expected["int8"], expected["fp32"]) << "precisions that show no difference";
    Prepared prepared("ganns", input, at("int8"));
    for (const char* const precision : {"fp16", "int8", "fp32", "fp16"}) {
      prepared.solver->configure(Parameters(declared, at(precision)));
      EXPECT_EQ(prepared.answer(), expected[precision]) << to_string(metric) << ' ' << precision;
    }
  }
}

TEST(GraphSearch, TakesBytesWhereItWasPreparedForThem) {
  const Given bytes = on_cpu_graph("ganns", {{"method", word("pipelined")}, {"precision", word("int8")}});
  for (const std::uint32_t dimension : {16, 20}) {
    const VectorSet set = clustered(50, 3, dimension, kSeed);
    Prepared single("ganns", {&set, Metric::euclidean, 10}, on_cpu_graph("ganns", {}));
    EXPECT_THROW(single.solver->configure(Parameters(entry_of("ganns").info.parameters, bytes)), std::logic_error);
  }
}

TEST(GraphSearch, FindsTheSameByEverySearchOnTheSameGraph) {
  const VectorSet set = whole_numbers(clustered(200, 10, 6, kSeed), 40);
  const Input input{&set, Metric::euclidean, 10};
  const auto found = [&input](const std::string& id, const Given& more) {
    return answer(id, input, on_cpu_graph(id, more));
  };
  const Ids expected = found("ganns", {});
  EXPECT_EQ(digest_of_places(expected), 15753026347788205372ULL) << "not what simt finds: backends differ";
  for (const int threads : {4, 8, 16}) {
    EXPECT_EQ(found("ganns", {{"threads_per_block", integer(threads)}}), expected) << threads;
  }
  for (const int visited : {0, 32, 1024}) {
    EXPECT_EQ(found("ganns", {{"method", word("pipelined")}, {"visited", integer(visited)}}), expected)
        << "a table of " << visited;
  }
  for (const int threads : {4, 32}) {
    EXPECT_EQ(found("song", {{"threads_per_block", integer(threads)}}), expected) << threads;
  }
}

/// GANNS and SONG are compiled for some dimensions, and GANNS keeps T in registers where the lanes have room for it.
TEST(GraphSearch, FindsTheSameInEveryDimensionAndDegree) {
  constexpr std::pair<int, int> kShapes[] = {{100, 64}, {128, 8}, {256, 8}, {960, 4}};
  for (const auto& [dimension, degree] : kShapes) {
    const VectorSet set = whole_numbers(clustered(24, 3, dimension, kSeed), 40);
    for (const Metric metric : {Metric::euclidean, Metric::inner_product}) {
      const Input input{&set, metric, 5};
      const auto found = [&input, degree](const std::string& id, Given given) {
        given["d_min"] = integer(degree / 2);
        given["d_max"] = integer(degree);
        return answer(id, input, on_cpu_graph(id, given));
      };
      const Ids expected = found("ganns", {{"method", word("pipelined")}});
      for (const char* id : {"ganns", "song"}) {
        EXPECT_EQ(found(id, {}), expected) << id << ", " << dimension << " dimensions, degree " << degree;
        EXPECT_EQ(found(id, {{"threads_per_block", integer(8)}}), expected) << id << ", " << dimension << ", 8 lanes";
      }
    }
  }
}

/// Its distance is computed apart from the others, and a vertex is known again by the bits of its distance.
TEST(GraphSearch, HoldsTheVertexItBeginsWithOnce) {
  for (const std::uint32_t dimension : {100U, 128U, 960U}) {
    VectorSet set = clustered(24, 3, dimension, kSeed);
    std::vector<float> queries(set.points.begin(), set.points.begin() + 8 * dimension);
    for (float& coordinate : queries) coordinate += 0.01F;
    set.queries = std::move(queries);
    for (const Metric metric : {Metric::euclidean, Metric::inner_product}) {
      const Input input{&set, metric, 20};
      for (Ids ids = answer("ganns", input, on_cpu_graph("ganns", {})); !ids.empty(); ids.resize(ids.size() - 20)) {
        const std::set<Ids::value_type> distinct(ids.end() - 20, ids.end());
        EXPECT_EQ(distinct.size(), 20U) << dimension << " dimensions";
      }
    }
  }
}

TEST(GraphSearch, ExploresNoMoreThanItIsTold) {
  const VectorSet set = clustered(250, 10, 16, kSeed);
  const Input input{&set, Metric::euclidean, 10};
  double before = 0;
  for (const int explore : {10, 64}) {
    const Given given = on_cpu_graph("ganns", {{"candidates", integer(64)}, {"explore", integer(explore)}});
    const double recall = judged(input, answer("ganns", input, given)).metrics.at("recall");
    EXPECT_GE(recall, before);
    before = recall;
  }
  EXPECT_GT(before, 0.95);
}

TEST(GraphSearch, RefusesWhatMakesNoSense) {
  const VectorSet set = clustered(50, 3, 4, kSeed);
  const Input input{&set, Metric::euclidean, 10};
  const auto refused = [&input](const std::string& id, const Given& given, const std::string& name) {
    try {
      static_cast<void>(answer(id, input, given));
      ADD_FAILURE() << name;
    } catch (const ParameterError& error) {
      EXPECT_EQ(error.name(), name);
    }
  };
  refused("ganns", {{"candidates", integer(48)}}, "candidates");
  refused("ganns", {{"threads_per_block", integer(12)}}, "threads_per_block");
  refused("ganns", {{"explore", integer(65)}}, "explore");
  refused("ganns", {{"precision", word("fp16")}}, "precision");
  refused("ganns", {{"entries", integer(2)}}, "entries");
  refused("ganns", {{"rerank", integer(32)}}, "rerank");
  const auto refused_in_bytes = [&](Given given, const std::string& name) {
    given["method"] = word("pipelined");
    given["precision"] = word("int8");
    refused("ganns", given, name);
  };
  refused_in_bytes({{"rerank", integer(12)}}, "rerank");
  refused_in_bytes({{"rerank", integer(128)}, {"candidates", integer(64)}}, "rerank");
  refused_in_bytes({{"graph", word("hnsw")}, {"intermediate_degree", integer(64)}}, "intermediate_degree");
  refused_in_bytes({{"builder", word("cpu")}, {"intermediate_degree", integer(64)}}, "intermediate_degree");
  refused_in_bytes({{"intermediate_degree", integer(16)}}, "graph_degree");
  refused("ganns", {{"visited", integer(64)}}, "visited");
  refused("ganns", {{"method", word("pipelined")}, {"visited", integer(65)}}, "visited");
  refused("ganns", {{"method", word("pipelined")}, {"threads_per_block", integer(8)}}, "threads_per_block");
  refused("ganns", {{"d_min", integer(33)}}, "d_min");
  refused("ganns", {{"graph", word("knn")}, {"builder", word("serial")}}, "builder");
  refused("ganns", {{"graph", word("hnsw")}, {"builder", word("cpu")}}, "builder");
  refused("song", {{"queue", integer(100)}}, "queue");
  const Input wide{&set, Metric::euclidean, 65};
  EXPECT_THROW(answer("ganns", wide, {}), Unsupported);
  EXPECT_THROW(answer("song", wide, {}), Unsupported);
}

// ---- real data ----

struct MnistPoint {
  std::string name;
  std::string id;
  Given given;
};

void PrintTo(const MnistPoint& point, std::ostream* out) {
  *out << point.name;
}

class GpuSolver : public ::testing::TestWithParam<MnistPoint> {};

/// Recall@10: all of MNIST on a GPU; on simt, a fraction of it on a graph that a CPU has built.
TEST_P(GpuSolver, ReachesItsRecallOnMnist) {
  const auto& [name, id, given] = GetParam();
  const bool on_gpu = backend_name() == "cuda";
  const std::optional<VectorSet> set = on_gpu ? mnist(60'000, 1'000) : mnist(2'000, 30);
  if (!set) GTEST_SKIP() << "no real data here: set WARPBENCH_DATA";
  const Input input{&*set, Metric::euclidean, 10};
  Given point = given;
  if (!on_gpu && id != "exact-gpu") point["builder"] = word("cpu");
  const Judgement judgement = judged(input, answer(id, input, point));
  std::cout << "  recall " << judgement.metrics.at("recall") << '\n';
  EXPECT_EQ(judgement.difference, "");
  EXPECT_GT(judgement.metrics.at("recall"), 0.95);
  if (id == "exact-gpu") {
    EXPECT_EQ(judgement.verdict, Verdict::exact);
  }
}

INSTANTIATE_TEST_SUITE_P(
    NearestNeighbors, GpuSolver,
    ::testing::Values(
        MnistPoint{"exact_gpu", "exact-gpu", {}}, MnistPoint{"song", "song", {{"queue", integer(64)}}},
        MnistPoint{"ganns_document", "ganns", {{"candidates", integer(64)}}},
        MnistPoint{"ganns_pipelined", "ganns", {{"candidates", integer(64)}, {"method", word("pipelined")}}},
        MnistPoint{"ganns_fp16",
                   "ganns",
                   {{"candidates", integer(64)}, {"method", word("pipelined")}, {"precision", word("fp16")}}}),
    [](const auto& point) { return point.param.name; });

}  // namespace
}  // namespace warpbench::testing
