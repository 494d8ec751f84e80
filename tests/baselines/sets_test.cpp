// The CPU solvers of set_intersection and set_containment: the answers of the reference on random and real collections,
// with each instruction set, on any number of threads, whole and in bands.
#include <gtest/gtest.h>

#include <iostream>

#include "problems/set_containment/problem.hpp"
#include "problems/set_intersection/problem.hpp"
#include "solvers/sets/all_pairs_values.hpp"
#include "solvers/solver.hpp"
#include "tests/problems/support/real_sets.hpp"
#include "tests/problems/support/sets.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench {
namespace {

using datasets::SetCollection;
using Mode = SetIntersection::Mode;
using Output = SetContainment::Output;
using Given = std::map<std::string, Value>;
using testing::largest;

constexpr std::uint64_t kSeed = 62'023;

/// The second of two answers of one solver; the first was poisoned, so that places that nobody writes show.
template <typename Problem>
Judgement judged(const SolverEntry<Problem>& entry, const typename Problem::Input& input, const Parameters& point,
                 const typename Problem::Reference& reference) {
  entry.info.validate(point);
  const auto solver = entry.make(point);
  Phases phases;
  typename Problem::Answer answer;
  solver->prepare(input, phases);
  solver->solve_with_transfers(answer, phases);
  answer.poison();
  solver->solve_with_transfers(answer, phases);
  return Problem::judge(input, answer, reference);
}

template <typename Problem>
Parameters usual(const SolverEntry<Problem>& entry, const Given& more = {}) {
  Given given = entry.info.smoke;
  for (const auto& [name, value] : more) given[name] = value;
  return {entry.info.parameters, given};
}

/// body(entry) for every CPU solver of the problem that this build has.
template <typename Problem, typename Body>
void for_each_solver(const Body& body) {
  for (const SolverEntry<Problem>& entry : solvers_of<Problem>()) {
    if (entry.info.device == Target::cpu && entry.make) body(entry);
  }
}

bool answers(const SolverInfo& info, Output output) {
  return output != Output::degree || info.id != "lcjoin";
}

/// Every solver of both problems on all pairs of `sets`, at the parameters that `points` gives of an entry.
template <typename Points>
void expect_exact(const SetCollection& sets, const std::string& name, const Points& points,
                  const pairs::Limits& limits = {}) {
  const SetIntersection::Input all{&sets, Mode::multi, false, limits};
  const SetIntersection::Reference counts = SetIntersection::reference(all);
  for_each_solver<SetIntersection>([&](const auto& entry) {
    for (const Parameters& point : points(entry)) {
      const Judgement judgement = judged(entry, all, point, counts);
      EXPECT_EQ(judgement.verdict, Verdict::exact)
          << entry.info.id << " at " << point.canonical() << ", " << name << ": " << judgement.difference;
    }
  });
  for (const Output output : {Output::degree, Output::contained, Output::pairs}) {
    const SetContainment::Input input{&sets, output, limits};
    const SetContainment::Reference values = SetContainment::reference(input);
    for_each_solver<SetContainment>([&](const auto& entry) {
      if (!answers(entry.info, output)) return;
      for (const Parameters& point : points(entry)) {
        const Judgement judgement = judged(entry, input, point, values);
        EXPECT_EQ(judgement.verdict, Verdict::exact)
            << entry.info.id << " at " << point.canonical() << ", " << name << ": " << judgement.difference;
      }
    });
  }
}

template <typename Points>
void expect_exact_single(const SetCollection& pair, const std::string& name, const Points& points) {
  for (const bool as_set : {false, true}) {
    const SetIntersection::Input input{&pair, Mode::single, as_set};
    const SetIntersection::Reference reference = SetIntersection::reference(input);
    for_each_solver<SetIntersection>([&](const auto& entry) {
      for (const Parameters& point : points(entry)) {
        const Judgement judgement = judged(entry, input, point, reference);
        EXPECT_EQ(judgement.verdict, Verdict::exact)
            << entry.info.id << " at " << point.canonical() << ", " << name << ": " << judgement.difference;
      }
    });
  }
}

constexpr auto kUsual = [](const auto& entry) { return std::vector{usual(entry)}; };
/// Those of some points that this CPU has the instructions for.
template <typename Entry>
std::vector<Parameters> supported(const Entry& entry, std::vector<Parameters> points) {
  std::erase_if(points, [&entry](const Parameters& point) {
    try {
      (void)entry.make(point);
      return false;
    } catch (const Unsupported& lacks) {
      std::cout << "  " << entry.info.id << ": " << lacks.what() << '\n';
      return true;
    }
  });
  return points;
}

constexpr auto kThreads = [](const auto& entry) {
  std::vector<Parameters> points;
  for (const std::int64_t threads : {1, 2, 3, 64}) points.push_back(usual(entry, {{"threads", threads}}));
  return points;
};
const std::string kSeeded = "seed " + std::to_string(kSeed);

/// On one thread; a solver with a choice of instruction sets at each of them that this CPU has.
constexpr auto kInstructionSets = [](const auto& entry) {
  std::vector<Parameters> points{usual(entry, {{"threads", 1}})};
  for (const ParameterSpec& spec : entry.info.parameters) {
    for (const std::string& choice : spec.choices()) {
      points.push_back(usual(entry, {{"threads", 1}, {spec.name, choice}}));
    }
  }
  return supported(entry, points);
};

/// Lengths and ratios on either side of what a vectorised or galloping intersection treats differently.
TEST(CpuSets, IntersectPairsOfAllRatios) {
  for (const std::size_t small : {1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65}) {
    for (const std::size_t ratio : {1, 2, 40, 60, 900, 1100}) {
      const auto step = static_cast<datasets::Token>(2 * ratio + 1);
      const SetCollection pair =
          testing::sets_of({testing::arithmetic(5, step, small), testing::arithmetic(0, 2, small * ratio)});
      expect_exact_single(pair, std::to_string(small) + " × " + std::to_string(ratio), kInstructionSets);
    }
  }
}

TEST(CpuSets, AgreeOnRandomCollections) {
  for (std::uint64_t i = 0; i < testing::usual_or_thorough(100, 300); ++i) {
    const std::string seeded = "seed " + std::to_string(kSeed + i);
    const auto points = [i](const auto& entry) {
      return std::vector{usual(entry, {{"threads", i % 10 == 0 ? 3 : 1}})};
    };
    const SetCollection sets = testing::random_sets(kSeed + i);
    expect_exact(sets, seeded, points);
    if (sets.count() >= 2) expect_exact_single(largest(sets, 2), seeded, points);
  }
}

TEST(CpuSets, AnswerTheSameOnAnyNumberOfThreads) {
  expect_exact(testing::random_sets(kSeed, 150, 100, 400), kSeeded, kThreads);
  for_each_solver<SetIntersection>([&](const auto& entry) {
    const SetCollection sets = testing::random_sets(kSeed, 10, 100, 400);
    const SetIntersection::Input input{&sets, Mode::multi};
    const auto solver = entry.make(usual(entry, {{"threads", 64}}));
    Phases phases;
    solver->prepare(input, phases);
    solver->solve(phases);
    EXPECT_EQ(solver->counters().at("threads"), 9) << entry.info.id << ": a row a thread";
  });
}

TEST(CpuSets, AnswerInBandsWhatIsTooLargeToKeep) {
  // 150 sets have 11,175 pairs, more than are kept.
  const SetCollection sets = testing::random_sets(kSeed, 150, 12, 300);
  const pairs::Limits limits{.kept = 11'000, .in_band = 1000};
  ASSERT_TRUE(SetIntersection::reference({&sets, Mode::multi, false, limits}).counts.kept.empty());
  expect_exact(sets, kSeeded, kUsual, limits);
}

TEST(CpuAllPairs, AreTheSameWholeAndInBandsOfAnySize) {
  constexpr std::int64_t kSets = 50;
  const auto square = [](const pairs::Band& band, std::span<std::uint32_t> values) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint32_t>((band.first_place + i) % 91);
  };
  cpu_sets::AllPairsValues whole(kSets, {});
  Phases phases;
  whole.make(phases, square);
  ASSERT_EQ(whole.answer().kept.size(), pairs::count(kSets));
  EXPECT_TRUE(phases.untimed_seconds().empty());
  const std::vector<std::uint32_t> values(whole.answer().kept.begin(), whole.answer().kept.end());
  for (const std::uint64_t in_band : {1, 60, 700, 1224}) {
    cpu_sets::AllPairsValues bands(kSets, {.kept = 1224, .in_band = in_band});
    bands.make(phases, square);
    const std::vector<pairs::Band> expected = pairs::bands(kSets, in_band);
    ASSERT_EQ(bands.answer().band_digests.size(), expected.size());
    EXPECT_TRUE(bands.answer().kept.empty());
    EXPECT_TRUE(phases.untimed_seconds().contains("digest")) << "it is the judge's";
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const auto part = std::span(values).subspan(expected[i].first_place, expected[i].places);
      EXPECT_EQ(bands.answer().band_digests[i], pairs::digest_of_band(part, expected[i].first_place));
    }
  }
}

// ---- mmjoin and lcjoin ----

const SolverEntry<SetContainment>& containment(const std::string& id) {
  return *std::ranges::find(solvers_of<SetContainment>(), id, [](const auto& entry) { return entry.info.id; });
}

std::map<std::string, double> counters_of(const std::string& id, const SetCollection& sets, const Given& given) {
  const SetContainment::Input input{&sets, Output::contained};
  const auto solver = containment(id).make(usual(containment(id), given));
  Phases phases;
  solver->prepare(input, phases);
  solver->solve(phases);
  return solver->counters();
}

TEST(CpuMmJoin, IsExactAtAnyThresholds) {
  if (!containment("mmjoin").make) GTEST_SKIP() << containment("mmjoin").info.unavailable;
  const SetCollection sets = testing::random_sets(kSeed, 400, 90, 150);  // more than one tile
  const auto points = [](const auto& entry) {
    std::vector<Parameters> all;
    if (entry.info.id != "mmjoin") return all;
    for (const std::int64_t set : {0, 1, 2, 30, 90, 91}) {
      for (const std::int64_t element : {0, 1, 2, 100, 400, 401}) {
        all.push_back(usual(entry, {{"set_threshold", set}, {"element_threshold", element}}));
      }
    }
    return all;
  };
  expect_exact(sets, kSeeded, points);
}

TEST(CpuMmJoin, SplitsSetsAndElementsAsTheDocumentsExample) {
  if (!containment("mmjoin").make) GTEST_SKIP() << containment("mmjoin").info.unavailable;
  // bellas2022, figure 6.15.
  const SetCollection sets = testing::sets_of({{2, 11}, {10, 11}, {3, 4, 5, 11}, {3, 5, 10, 11}, {5, 6, 7, 11}});
  const Given three{{"set_threshold", 3}, {"element_threshold", 3}};
  const auto counters = counters_of("mmjoin", sets, three);
  EXPECT_EQ(counters.at("heavy_sets"), 3) << "s3, s4, s5";
  EXPECT_EQ(counters.at("heavy_elements"), 2) << "5, 11";
  const Given four{{"set_threshold", 4}, {"element_threshold", 5}};
  EXPECT_EQ(counters_of("mmjoin", sets, four).at("heavy_sets"), 3) << "no set has fewer than four and more than two";
  EXPECT_EQ(counters_of("mmjoin", sets, four).at("heavy_elements"), 1) << "11, which all five have";
}

TEST(CpuMmJoin, ChoosesTheIndexWhereSetsAreSparseAndTheProductWhereTheyAreDense) {
  if (!containment("mmjoin").make) GTEST_SKIP() << containment("mmjoin").info.unavailable;
  const Given chosen{{"set_threshold", 0}, {"element_threshold", 0}};
  EXPECT_EQ(counters_of("mmjoin", testing::random_sets(kSeed, 300, 8, 100'000), chosen).at("heavy_elements"), 0);
  const SetCollection dense = testing::sets_of(std::vector<testing::Tokens>(300, testing::arithmetic(0, 1, 400)));
  EXPECT_EQ(counters_of("mmjoin", dense, chosen).at("heavy_sets"), 300);
  EXPECT_EQ(counters_of("mmjoin", dense, chosen).at("heavy_elements"), 400);
  // A threshold that is given stays.
  const Given one_given{{"set_threshold", 77}, {"element_threshold", 0}};
  EXPECT_EQ(counters_of("mmjoin", dense, one_given).at("set_threshold"), 77);
}

TEST(CpuLcJoin, RefusesToTellTheDegree) {
  const SetCollection sets = testing::sets_of({{1}, {1, 2}});
  const SetContainment::Input input{&sets, Output::degree};
  const auto solver = containment("lcjoin").make(usual(containment("lcjoin")));
  Phases phases;
  EXPECT_THROW(solver->prepare(input, phases), Unsupported);
}

TEST(CpuLcJoin, CountsItsWork) {
  const SetCollection sets = testing::random_sets(kSeed, 400, 12, 40);
  const auto counters = counters_of("lcjoin", sets, {});
  const auto global = counters_of("lcjoin", sets, {{"partitioned", false}});
  EXPECT_GT(counters.at("local_indices"), 0);
  EXPECT_LE(counters.at("local_indices"), counters.at("partitions"));
  EXPECT_EQ(global.at("local_indices"), 0);
  EXPECT_EQ(global.at("contained"), counters.at("contained"));
  EXPECT_GT(global.at("searches"), 0);
}

// ---- real data ----

class RealSetsNamed : public ::testing::TestWithParam<testing::RealSets> {};

TEST_P(RealSetsNamed, AreAnsweredExactly) {
  const auto sets = testing::largest_of(GetParam(), 500);
  if (!sets) GTEST_SKIP() << GetParam().path << " is not here: set WARPBENCH_DATA";
  expect_exact(*sets, GetParam().path, kUsual);
  expect_exact_single(largest(*sets, 2), GetParam().path, kThreads);
}

INSTANTIATE_TEST_SUITE_P(All, RealSetsNamed, ::testing::ValuesIn(testing::kRealSets),
                         [](const auto& one) { return one.param.name(); });

}  // namespace
}  // namespace warpbench
