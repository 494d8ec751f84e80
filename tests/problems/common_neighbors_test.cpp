// The rules of common_neighbors: the reference against a second oracle and against graphs whose counts are known, and
// the judge against answers that are wrong in every way we could think of.
#include "problems/common_neighbors/problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <random>

#include "datasets/input_error.hpp"
#include "tests/algorithms/support/graphs.hpp"
#include "tests/problems/support/host_memory.hpp"
#include "tests/problems/support/spoilers.hpp"
#include "tests/support/figure.hpp"

namespace warpbench {
namespace {

using datasets::Csr;
using testing::NamedGraph;
using Counts = std::vector<std::uint32_t>;

constexpr std::uint64_t kSeed = 20190805;

/// The second oracle: for every slot by itself, the size of std::set_intersection.
Counts oracle(const Csr& graph) {
  Counts counts;
  for (std::uint32_t u = 0; u < graph.vertices(); ++u) {
    for (const std::uint32_t v : graph.row(u)) {
      Counts common;
      std::ranges::set_intersection(graph.row(u), graph.row(v), std::back_inserter(common));
      counts.push_back(static_cast<std::uint32_t>(common.size()));
    }
  }
  return counts;
}

Judgement judge(const Csr& graph, Counts& answer, const Counts& reference) {
  return CommonNeighbors::judge({&graph}, {answer}, reference);
}

std::uint64_t digest(Counts& answer) {
  return CommonNeighbors::Answer{answer}.digest();
}

TEST(CommonNeighborsReference, AgreesWithSetIntersectionOn600RandomGraphs) {
  for (std::uint64_t i = 0; i < 600; ++i) {
    const Csr graph = testing::random_graph(60, kSeed + i);
    ASSERT_EQ(CommonNeighbors::reference({&graph}), oracle(graph)) << "random_graph(60, " << kSeed + i << ")";
  }
  testing::print_figure("common_neighbors: 600 random graphs");
}

TEST(CommonNeighborsReference, AgreesWithSetIntersectionOnAdversarialGraphs) {
  for (const auto& [name, graph] : testing::adversarial_graphs()) {
    EXPECT_EQ(CommonNeighbors::reference({&graph}), oracle(graph)) << name;
  }
}

void expect_every_count(const Csr& graph, std::uint32_t count, const char* name) {
  EXPECT_EQ(CommonNeighbors::reference({&graph}), Counts(graph.neighbors.size(), count)) << name;
}

TEST(CommonNeighborsReference, CountsKnownGraphs) {
  for (const std::uint32_t n : {2U, 3U, 4U, 17U, 50U}) expect_every_count(testing::complete(n), n - 2, "K_n");
  expect_every_count(testing::star(20, 7), 0, "star");
  expect_every_count(testing::path(20), 0, "path");
  expect_every_count(testing::complete_bipartite(5, 9), 0, "bipartite");
  expect_every_count(testing::petersen(), 0, "Petersen");
  expect_every_count(testing::graph_of(0, {}), 0, "empty");
  expect_every_count(testing::graph_of(9, {}), 0, "isolated");
}

TEST(CommonNeighborsReference, CountsTwoHubs) {
  const Csr graph = testing::two_hubs(12);
  const Counts counts = CommonNeighbors::reference({&graph});
  for (std::size_t slot = 0; slot < counts.size(); ++slot) {
    const bool between_hubs = slot == graph.offsets[1] - 1 || slot == graph.offsets[11];
    EXPECT_EQ(counts[slot], between_hubs ? 10U : 1U) << "slot " << slot;
  }
}

/// It costs the trial; an exception that left a parallel region would end the process.
TEST(CommonNeighborsReference, ThrowsWhereTheHostHasNoMemory) {
  const Csr graph = testing::random_graph(60, kSeed);
  const Counts right = oracle(graph);
  const auto allocations =
      testing::fail_each_allocation([&] { EXPECT_EQ(CommonNeighbors::reference({&graph}), right); });
  EXPECT_GT(allocations, 1) << "the counts, and the marks of each thread";
}

TEST(CommonNeighborsReference, TotalIsSixTimesTheTriangles) {
  const Csr graph = testing::graph_of(6, {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {3, 4}, {2, 4}, {4, 5}});
  Counts counts = CommonNeighbors::reference({&graph});
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0U), 6U * 2U);
  EXPECT_EQ(judge(graph, counts, oracle(graph)).metrics.at("total"), 12.0);
}

// ---- the judge ----

/// A way to be wrong; nothing where it leaves this graph's answer right (all counts equal, no slots, …).
struct Mutation {
  const char* name;
  void (*apply)(const Csr&, Counts&);
};

void swap_first_different(Counts& counts) {
  const auto other = std::ranges::find_if(counts, [&](std::uint32_t c) { return c != counts.front(); });
  if (other != counts.end()) std::swap(counts.front(), *other);
}

/// The last slot e(u, v) with u < v, or nothing.
std::optional<std::size_t> last_forward_slot(const Csr& graph) {
  for (std::int64_t u = graph.vertices() - 1; u >= 0; --u) {
    const auto vertex = static_cast<std::uint32_t>(u);
    if (graph.degree(vertex) > 0 && graph.row(vertex).back() > vertex)
      return graph.offsets[vertex + std::size_t{1}] - 1;
  }
  return std::nullopt;
}

const std::vector<Mutation>& mutations() {
  static const std::vector<Mutation> all = {
      {"first one more",
       [](const Csr&, Counts& c) {
         if (!c.empty()) ++c.front();
       }},
      {"last one more",
       [](const Csr&, Counts& c) {
         if (!c.empty()) ++c.back();
       }},
      {"middle one less",
       [](const Csr&, Counts& c) {
         if (!c.empty()) --c[c.size() / 2];
       }},
      {"all one more",
       [](const Csr&, Counts& c) {
         for (auto& x : c) ++x;
       }},
      {"one more here, one less there",
       [](const Csr&, Counts& c) {
         if (c.size() > 1) {
           ++c.front();
           --c.back();
         }
       }},
      {"first dropped",
       [](const Csr&, Counts& c) {
         if (!c.empty()) c.erase(c.begin());
       }},
      {"last dropped",
       [](const Csr&, Counts& c) {
         if (!c.empty()) c.pop_back();
       }},
      {"truncated to half", [](const Csr&, Counts& c) { c.resize(c.size() / 2); }},
      {"emptied", [](const Csr&, Counts& c) { c.clear(); }},
      {"first duplicated",
       [](const Csr&, Counts& c) {
         if (!c.empty()) c.insert(c.begin(), c.front());
       }},
      {"a zero appended", [](const Csr&, Counts& c) { c.push_back(0); }},
      {"the whole answer twice",
       [](const Csr&, Counts& c) {
         const Counts copy = c;
         c.insert(c.end(), copy.begin(), copy.end());
       }},
      {"two slots swapped",
       [](const Csr&, Counts& c) {
         if (!c.empty()) swap_first_different(c);
       }},
      {"reversed", [](const Csr&, Counts& c) { std::ranges::reverse(c); }},
      {"rotated by one",
       [](const Csr&, Counts& c) {
         if (!c.empty()) std::ranges::rotate(c, c.begin() + 1);
       }},
      {"sorted", [](const Csr&, Counts& c) { std::ranges::sort(c); }},
      {"shuffled", [](const Csr&, Counts& c) { std::ranges::shuffle(c, std::mt19937_64(kSeed)); }},
      {"all equal to the first",
       [](const Csr&, Counts& c) {
         if (!c.empty()) std::ranges::fill(c, Counts(c)[0]);
       }},
      {"zeroed", [](const Csr&, Counts& c) { std::ranges::fill(c, 0U); }},
      {"one slot zeroed",
       [](const Csr&, Counts& c) {
         if (!c.empty()) *std::ranges::max_element(c) = 0;
       }},
      {"degrees instead",
       [](const Csr& g, Counts& c) {
         for (std::size_t s = 0; s < c.size(); ++s) c[s] = static_cast<std::uint32_t>(g.degree(g.neighbors[s]));
       }},
      {"u and v counted too",
       [](const Csr&, Counts& c) {
         for (auto& x : c) x += 2;
       }},
      {"one direction only",
       [](const Csr& g, Counts& c) {
         for (std::uint32_t u = 0; u < g.vertices(); ++u) {
           for (std::size_t s = g.offsets[u]; s < g.offsets[u + std::size_t{1}]; ++s) {
             if (g.neighbors[s] < u) c[s] = 0;
           }
         }
       }},
      {"one edge not copied back",
       [](const Csr& g, Counts& c) {
         if (const auto slot = last_forward_slot(g)) c[*slot] += 1;
       }},
      {"offset left in the reverse slot",  // the co-processing skeleton without its second pass
       [](const Csr& g, Counts& c) {
         for (std::uint32_t u = 0; u < g.vertices(); ++u) {
           for (std::size_t s = g.offsets[u]; s < g.offsets[u + std::size_t{1}]; ++s) {
             if (g.neighbors[s] < u) c[s] = static_cast<std::uint32_t>(s);
           }
         }
       }},
      {"largest value",
       [](const Csr&, Counts& c) {
         if (!c.empty()) c[c.size() / 3] = 0xffffffffU;
       }},
      {"sign bit",
       [](const Csr&, Counts& c) {
         if (!c.empty()) c.back() ^= 0x80000000U;
       }},
      {"truncated to 8 bits",
       [](const Csr&, Counts& c) {
         for (auto& x : c) x &= 0xffU;
       }},
      {"poison left",
       [](const Csr&, Counts& c) {
         if (!c.empty()) c[c.size() - 1] = 0xdeadbeefU;
       }},
  };
  return all;
}

std::vector<NamedGraph> judged_graphs() {
  std::vector<NamedGraph> graphs = testing::adversarial_graphs();
  graphs.push_back({"two hubs beyond 8 bits", testing::two_hubs(300)});
  for (std::uint64_t i = 0; i < 20; ++i)
    graphs.push_back({"random " + std::to_string(i), testing::random_graph(40, kSeed + i)});
  return graphs;
}

TEST(CommonNeighborsJudge, RejectsEveryMutationOnEveryGraph) {
  std::map<std::string, int> tried;
  for (const auto& [name, graph] : judged_graphs()) {
    Counts right = oracle(graph);
    for (const Mutation& mutation : mutations()) {
      Counts answer = right;
      mutation.apply(graph, answer);
      if (answer == right) continue;
      ++tried[mutation.name];
      const Judgement judgement = judge(graph, answer, right);
      EXPECT_EQ(judgement.verdict, Verdict::wrong) << mutation.name << " on " << name;
      EXPECT_NE(judgement.difference, "") << mutation.name << " on " << name;
      EXPECT_NE(digest(answer), digest(right)) << mutation.name << " on " << name;
    }
  }
  int wrong = 0;
  for (const Mutation& mutation : mutations()) {
    EXPECT_GT(tried[mutation.name], 0) << mutation.name << " never applied";
    wrong += tried[mutation.name];
  }
  testing::print_figure(std::to_string(wrong) + " wrong answers of common_neighbors by " +
                        std::to_string(mutations().size()) + " mutations");
}

TEST(CommonNeighborsJudge, RaisesNoFalseAlarmOn1000RightAnswers) {
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Csr graph = testing::random_graph(25, kSeed + i);
    Counts answer = oracle(graph);
    const Counts reference = CommonNeighbors::reference({&graph});
    const Judgement judgement = judge(graph, answer, reference);
    ASSERT_EQ(judgement.verdict, Verdict::exact) << "random_graph(25, " << kSeed + i << "): " << judgement.difference;
    ASSERT_EQ(judgement.difference, "");
    Counts again = reference;
    ASSERT_EQ(digest(answer), digest(again));
  }
  testing::print_figure("1000 right answers of common_neighbors");
}

TEST(CommonNeighborsJudge, NamesTheFirstDifference) {
  const Csr graph = testing::complete(4);
  const Counts right = oracle(graph);
  Counts answer = right;
  answer[4] = 7;
  answer[9] = 8;
  EXPECT_EQ(judge(graph, answer, right).difference, "slot 4, edge (1, 2): expected 2 common neighbours, found 7");
  answer.resize(3);
  EXPECT_EQ(judge(graph, answer, right).difference, "expected 12 counts, one a slot, found 3");
}

TEST(CommonNeighborsJudge, NamesTheSourceBehindIsolatedVertices) {
  const Csr graph = testing::graph_of(8, {{3, 6}});
  Counts answer{0, 5};
  EXPECT_EQ(judge(graph, answer, {0, 0}).difference, "slot 1, edge (6, 3): expected 0 common neighbours, found 5");
}

TEST(CommonNeighborsJudge, NoticesASpoiledAnswer) {
  for (const auto& [name, graph] : judged_graphs()) {
    const Counts right = oracle(graph);
    Counts kept = right;
    CommonNeighbors::Answer answer{kept};
    const std::uint64_t before = answer.digest();
    testing::spoil(answer);
    EXPECT_EQ(CommonNeighbors::judge({&graph}, answer, right).verdict, Verdict::wrong) << name;
    EXPECT_NE(answer.digest(), before) << name;
  }
}

// ---- stored references, input, facts ----

TEST(CommonNeighborsBytes, RoundTrip) {
  for (const auto& [name, graph] : judged_graphs()) {
    const Counts reference = CommonNeighbors::reference({&graph});
    const std::vector<std::byte> bytes = bytes_of(reference);
    EXPECT_EQ(bytes.size(), reference.size() * 4) << name;
    EXPECT_EQ(stored_reference<CommonNeighbors>({&graph}, bytes), reference) << name;
  }
}

TEST(CommonNeighborsBytes, RefusesWhatDoesNotFitTheInput) {
  const Csr graph = testing::complete(5);
  const std::vector<std::byte> bytes = bytes_of(CommonNeighbors::reference({&graph}));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW((void)stored_reference<CommonNeighbors>({&graph}, std::span(bytes).first(size)), std::runtime_error)
        << size;
  }
  std::vector<std::byte> longer = bytes;
  longer.resize(bytes.size() + 4);
  EXPECT_THROW((void)stored_reference<CommonNeighbors>({&graph}, longer), std::runtime_error);
  std::vector<std::byte> impossible = bytes;
  impossible[4] = std::byte{4};  // a count as large as the degree
  EXPECT_THROW((void)stored_reference<CommonNeighbors>({&graph}, impossible), std::runtime_error);
}

TEST(CommonNeighborsInput, TakesBothGraphKindsAndNothingElse) {
  datasets::Dataset dataset;
  dataset.data = testing::complete(3);
  EXPECT_EQ(CommonNeighbors::input(dataset, {}).graph->slots(), 6);
  datasets::LabelledGraph labelled;
  labelled.graph = testing::complete(4);
  dataset.data = labelled;
  EXPECT_EQ(CommonNeighbors::input(dataset, {}).graph->slots(), 12);
  dataset.data = std::monostate{};
  EXPECT_THROW((void)CommonNeighbors::input(dataset, {}), datasets::InputError);
}

TEST(CommonNeighborsInfo, IsRegistered) {
  const ProblemEntry* entry = find_problem("common_neighbors");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->info.accepts, (std::vector{datasets::Kind::Graph, datasets::Kind::LabelledGraph}));
  const Csr graph = testing::complete(4);
  EXPECT_EQ(CommonNeighbors::Input{&graph}.work().at(entry->info.work_unit), 6.0);
}

TEST(CommonNeighborsInfo, DigestTellsLengthsAndSlotsApart) {
  Counts none;
  Counts zero{0};
  Counts zeros{0, 0};
  Counts left{1, 0};
  Counts right{0, 1};
  EXPECT_NE(digest(none), digest(zero));
  EXPECT_NE(digest(zero), digest(zeros));
  EXPECT_NE(digest(left), digest(right));
}

}  // namespace
}  // namespace warpbench
