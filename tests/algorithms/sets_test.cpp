// The GPU solvers of set_intersection and set_containment, beyond conformance: joins at any threshold, cells that
// diagonals cut, tables of a part of the pairs, and answers too large to keep.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/device.hpp"
#include "problems/set_containment/problem.hpp"
#include "problems/set_intersection/problem.hpp"
#include "solvers/solver.hpp"
#include "tests/problems/support/sets.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench {
namespace {

using Mode = SetIntersection::Mode;

constexpr std::uint64_t kSeed = 20221;

/// The judgement on the second of two answers.
template <typename Problem>
Judgement judged(const SolverEntry<Problem>& entry, const typename Problem::Input& input, const Parameters& point) {
  entry.info.validate(point);
  const auto solver = entry.make(point);
  Phases phases;
  typename Problem::Answer answer;
  solver->prepare(input, phases);
  for (int run = 0; run < 2; ++run) solver->solve_with_transfers(answer, phases);
  return Problem::judge(input, answer, Problem::reference(input));
}

/// Every GPU solver of the problem that this build has.
template <typename Problem, typename Body>
void for_each_solver(const Body& body) {
  int count = 0;
  for (const SolverEntry<Problem>& entry : solvers_of<Problem>()) {
    if (entry.info.device == Target::cpu || !entry.make) continue;
    body(entry);
    ++count;
  }
  EXPECT_GT(count, 0);
}

/// A join on both processors does more than count: it splits sets and elements by thresholds.
TEST(SetSolvers, JoinAtAnyThreshold) {
  for (std::uint64_t seed = kSeed; seed < kSeed + (backend_name() == "simt" ? 12 : 300); ++seed) {
    const datasets::SetCollection sets = testing::random_sets(seed);
    const SetContainment::Input input{&sets, SetContainment::Output::degree};
    for_each_solver<SetContainment>([&](const auto& entry) {
      if (entry.info.device != Target::hybrid) return;
      for (const std::int64_t threshold : {1, 30, 0}) {
        std::map<std::string, Value> given = entry.info.smoke;
        given["set_threshold"] = threshold;
        const Judgement judgement = judged(entry, input, Parameters(entry.info.parameters, given));
        EXPECT_EQ(judgement.verdict, Verdict::exact)
            << entry.info.id << ", seed " << seed << ": " << judgement.difference;
      }
    });
  }
}

// A diagonal that cuts a path inside the cell of two equal tokens belongs to no part: it must count once.
TEST(SetSolvers, CountCellsThatDiagonalsCutOnce) {
  const std::vector<datasets::SetCollection> pairs = {
      testing::sets_of({testing::arithmetic(5, 1, 64), testing::arithmetic(5, 1, 64)}),
      testing::sets_of({testing::arithmetic(5, 1, 77), testing::arithmetic(5, 1, 77)}),
      testing::sets_of({testing::arithmetic(0, 3, 41), testing::arithmetic(0, 1, 123)}),
      testing::sets_of({testing::arithmetic(0, 2, 60), testing::arithmetic(40, 1, 30)})};
  const datasets::SetCollection equal =
      testing::sets_of(std::vector<testing::Tokens>(4, testing::arithmetic(9, 7, 21)));
  for_each_solver<SetIntersection>([&](const auto& entry) {
    const auto& specs = entry.info.parameters;
    if (std::ranges::find(specs, "blocks", &ParameterSpec::name) == specs.end()) return;
    std::vector<std::int64_t> counts{1, 2, 3, 5, 8, 13, 32, 33, 64};
    if (testing::is_thorough()) counts.insert(counts.end(), {4, 7, 16, 31, 41, 63});
    for (const std::int64_t blocks : counts) {
      std::map<std::string, Value> given = entry.info.smoke;
      given["blocks"] = blocks;
      for (const datasets::SetCollection& pair : pairs) {
        for (const bool as_set : {false, true}) {
          const SetIntersection::Input input{&pair, Mode::single, as_set};
          const Judgement judgement = judged(entry, input, Parameters(specs, given));
          EXPECT_EQ(judgement.verdict, Verdict::exact)
              << entry.info.id << ", " << blocks << " blocks, " << pair.size(0) << " and " << pair.size(1)
              << " tokens: " << judgement.difference;
        }
      }
      const Judgement judgement = judged(entry, SetIntersection::Input{&equal, Mode::multi}, Parameters(specs, given));
      EXPECT_EQ(judgement.verdict, Verdict::exact)
          << entry.info.id << ", " << blocks << " blocks, equal sets: " << judgement.difference;
    }
  });
}

TEST(SetSolvers, CutWhatDoesNotFitIntoTables) {
  // 200 sets have 19,900 pairs, 80 kB of counts; the limit leaves room for tables of less.
  const datasets::SetCollection sets = testing::random_sets(kSeed, 200, 12, 300);
  const auto limit = memory_limit();
  const auto reference = SetIntersection::reference(SetIntersection::Input{&sets, Mode::multi});
  for_each_solver<SetIntersection>([&](const auto& entry) {
    const SetIntersection::Input input{&sets, Mode::multi};
    // A block a pair where there is a choice: the pairs are many, and threads that wait for each other are slow on
    // simt.
    std::map<std::string, Value> given = entry.info.smoke;
    if (given.contains("blocks")) given["blocks"] = 1;
    const auto solver = entry.make(Parameters(entry.info.parameters, given));
    Phases phases;
    SetIntersection::Answer answer;
    set_memory_limit(memory_in_use() + (160 << 10));
    try {
      solver->prepare(input, phases);
      solver->solve_with_transfers(answer, phases);
      const Judgement judgement = SetIntersection::judge(input, answer, reference);
      EXPECT_EQ(judgement.verdict, Verdict::exact) << entry.info.id << ": " << judgement.difference;
      EXPECT_GT(solver->counters().at("tables"), 1) << entry.info.id;
    } catch (const Unsupported& error) {
      EXPECT_EQ(entry.info.id, "mm") << error.what();  // its matrix is never split
    }
    set_memory_limit(limit);
  });
}

template <typename Problem>
const SolverEntry<Problem>& entry_of(const std::string& id) {
  return *std::ranges::find(solvers_of<Problem>(), id, [](const auto& entry) { return entry.info.id; });
}

/// The judgements on contained pairs of both of two solves, and what the solver counted; `pairs`: how many there are.
std::map<std::string, double> expect_contained_pairs(const datasets::SetCollection& sets,
                                                     const std::string& id = "rarest-token") {
  const SetContainment::Input input{&sets, SetContainment::Output::pairs};
  const auto reference = SetContainment::reference(input);
  const auto& entry = entry_of<SetContainment>(id);
  const auto solver = entry.make(Parameters(entry.info.parameters, entry.info.smoke));
  Phases phases;
  SetContainment::Answer answer;
  solver->prepare(input, phases);
  for (int run = 0; run < 2; ++run) {
    answer.poison();
    solver->solve_with_transfers(answer, phases);
    const Judgement judgement = SetContainment::judge(input, answer, reference);
    EXPECT_EQ(judgement.verdict, Verdict::exact) << id << ", run " << run << ": " << judgement.difference;
  }
  auto counters = solver->counters();
  counters["pairs"] = static_cast<double>(reference.places.size());
  return counters;
}

TEST(SetSolvers, GiveContainedPairsOfTables) {
  // 500 sets have 124,750 pairs, 499 kB of counts. More of them are contained than there is room for at first.
  const datasets::SetCollection sets = testing::random_sets(kSeed, 500, 12, 300);
  const auto limit = memory_limit();
  set_memory_limit(memory_in_use() + (1 << 20));
  try {
    const auto counters = expect_contained_pairs(sets, "static-index");
    EXPECT_GT(counters.at("pairs"), 1 << 14);
    EXPECT_GT(counters.at("tables"), 1);
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
  }
  set_memory_limit(limit);
}

TEST(RarestToken, FindsContainedPairsOfAnySets) {
  for (std::uint64_t seed = kSeed; seed < kSeed + 40; ++seed) {
    expect_contained_pairs(testing::random_sets(seed));
    expect_contained_pairs(testing::random_sets(seed, 1 + seed % 90, 5, 12));
  }
  // Without tokens; without sets.
  expect_contained_pairs(testing::sets_of({{}, {}, {}}));
  expect_contained_pairs(testing::sets_of({}));
}

TEST(RarestToken, MakesRoomForPairsAndTakesLongListsInPieces) {
  // 5,000 sets hold token 7, which is all that the smallest of them hold: a list of more than one piece. 400 of them
  // are equal: more pairs than there is room for at first.
  std::vector<testing::Tokens> sets(400, testing::Tokens{7});
  for (std::uint32_t i = 0; i < 4'600; ++i) sets.push_back({7, 100 + i});
  sets.push_back({});
  const auto counters = expect_contained_pairs(testing::sets_of(sets));
  EXPECT_EQ(counters.at("contained"), 400 * 399 / 2 + 400 * 4'600 + 5'000);
  EXPECT_EQ(counters.at("verified"), 0) << "a common token is all that a set of one has";
}

TEST(RarestToken, LooksAtTheShortestListAlone) {
  // Each set has token 1 and one of its own, whose list has no other set.
  std::vector<testing::Tokens> sets;
  for (std::uint32_t i = 0; i < 300; ++i) sets.push_back({1, 10 + i});
  EXPECT_EQ(expect_contained_pairs(testing::sets_of(sets)).at("candidates"), 0);
  // Of two sets with the rare token one holds the other; signatures rule out a third.
  sets = {{1, 5}, {1, 5, 6}, {1, 2, 3, 4, 5}};
  for (std::uint32_t i = 0; i < 20; ++i) sets.push_back({1, 2, 3, 4, 100 + i});
  const auto counters = expect_contained_pairs(testing::sets_of(sets));
  EXPECT_EQ(counters.at("contained"), 2);
  EXPECT_GE(counters.at("candidates"), 2);
  EXPECT_LE(counters.at("verified"), counters.at("candidates"));
}

TEST(RarestToken, RefusesToGiveAValueForEachPair) {
  const datasets::SetCollection sets = testing::sets_of({{1}, {2}});
  const auto& entry = entry_of<SetContainment>("rarest-token");
  Phases phases;
  for (const auto output : {SetContainment::Output::degree, SetContainment::Output::contained}) {
    const auto solver = entry.make(Parameters(entry.info.parameters, {}));
    EXPECT_THROW(solver->prepare({&sets, output}, phases), Unsupported);
  }
}

TEST(SetsAuto, LooksAtCandidatesAloneWhereSetsAreManyAndSparse) {
  const auto chosen = [](const datasets::SetCollection& sets) {
    const SetContainment::Input input{&sets, SetContainment::Output::pairs};
    const auto& entry = entry_of<SetContainment>("auto");
    const auto solver = entry.make(Parameters(entry.info.parameters, {}));
    Phases phases;
    solver->prepare(input, phases);
    const auto counters = solver->counters();
    return counters.contains("chose_rarest-token") ? "rarest-token" : counters.contains("chose_mm") ? "mm" : "another";
  };
  EXPECT_STREQ(chosen(testing::random_sets(kSeed, 20'000, 12, 100'000)), "rarest-token");
  EXPECT_STREQ(chosen(testing::random_sets(kSeed, 50, 300, 400)), "mm");
}

/// What `auto` counted when it solved the task.
std::map<std::string, double> auto_counters(const datasets::SetCollection& sets, Mode mode) {
  const auto& entry = entry_of<SetIntersection>("auto");
  const auto solver = entry.make(Parameters(entry.info.parameters, {}));
  const SetIntersection::Input input{&sets, mode};
  Phases phases;
  solver->prepare(input, phases);
  solver->upload(phases);
  solver->solve(phases);
  return solver->counters();
}

TEST(SetsAuto, EstimatesTheTokensThatPairsShare) {
  for (const std::uint32_t universe : {300U, 3'000U, 30'000U}) {
    const datasets::SetCollection narrow = testing::random_sets(kSeed, 300, 200, universe);
    std::vector<testing::Tokens> lists{{100'000'000}};  // so that bitmaps and products are dear
    for (std::int64_t i = 0; i < narrow.count(); ++i) lists.emplace_back(narrow.set(i).begin(), narrow.set(i).end());
    const datasets::SetCollection sets = testing::sets_of(lists);
    double shared = 0;
    for (const double f : datasets::token_frequencies(sets).counts) shared += f * (f - 1) / 2;
    const double predicted = auto_counters(sets, Mode::multi).at("predicted_s_static-index");
    const double exact = static_cast<double>(sets.total()) / 1e10 + shared / 8e10;
    EXPECT_NEAR(predicted / exact, 1, 0.15) << universe;
  }
}

TEST(SetsAuto, LooksNoTokensUpWhereAnotherIsCheaperAnyway) {
  const datasets::SetCollection sets = testing::random_sets(kSeed, 300, 200, 300);
  const auto counters = auto_counters(sets, Mode::multi);
  EXPECT_TRUE(counters.contains("chose_bi-naive"));
  EXPECT_EQ(counters.at("predicted_s_static-index"), static_cast<double>(sets.total()) / 1e10);
}

/// bi-naive would be the cheapest, but gives no degrees. Tokens that all sets share make static-index dear.
TEST(SetsAuto, LooksTokensUpWhereWhatIsCheaperOnlyCounts) {
  std::vector<testing::Tokens> lists(1'500, testing::arithmetic(0, 1, 10));
  lists.front().push_back(49);
  const datasets::SetCollection sets = testing::sets_of(lists);
  const SetContainment::Input input{&sets, SetContainment::Output::degree};
  const auto& entry = entry_of<SetContainment>("auto");
  const auto solver = entry.make(Parameters(entry.info.parameters, {}));
  Phases phases;
  solver->prepare(input, phases);
  EXPECT_FALSE(solver->counters().contains("chose_static-index"));
}

TEST(SetsAuto, MergesOnePairWhereABitmapIsLarge) {
  EXPECT_TRUE(auto_counters(testing::random_sets(kSeed, 2, 300, 1'000'000'000), Mode::single).contains("chose_ip"));
}

TEST(SetSolvers, JoinWithinDeviceMemory) {
  // Dense sets, so that a product of all of them, of 600 kB with its results, is the cheapest.
  const datasets::SetCollection sets = testing::random_sets(kSeed, 120, 400, 500);
  const SetContainment::Input input{&sets, SetContainment::Output::degree};
  const auto reference = SetContainment::reference(input);
  const auto& entry = entry_of<SetContainment>("mmjoin-gpu");
  const auto limit = memory_limit();
  std::vector<double> matrices;
  for (const std::int64_t room : {std::int64_t{1} << 30, std::int64_t{200} << 10, std::int64_t{1} << 10}) {
    const auto solver = entry.make(Parameters(entry.info.parameters, {{"threads", 2}}));
    Phases phases;
    SetContainment::Answer answer;
    set_memory_limit(memory_in_use() + room);
    solver->prepare(input, phases);
    for (int run = 0; run < 2; ++run) solver->solve_with_transfers(answer, phases);
    const Judgement judgement = SetContainment::judge(input, answer, reference);
    EXPECT_EQ(judgement.verdict, Verdict::exact) << room << " bytes: " << judgement.difference;
    matrices.push_back(solver->counters().at("heavy_sets") * solver->counters().at("heavy_elements"));
    set_memory_limit(limit);
  }
  EXPECT_GT(matrices[0], matrices[1]);
  EXPECT_EQ(matrices[2], 0);
}

TEST(SetSolvers, SpreadTheOnlyPairOverBlocks) {
  const datasets::SetCollection sets =
      testing::sets_of({testing::arithmetic(0, 3, 3000), testing::arithmetic(0, 2, 2000)});
  for (const char* bitmap : {"global", "shared", "auto"}) {
    const auto& entry = entry_of<SetIntersection>("bi-dynamic");
    const Parameters point(entry.info.parameters, {{"threads_per_block", 128}, {"bitmap", bitmap}});
    const SetIntersection::Input input{&sets, Mode::multi};
    EXPECT_EQ(judged(entry, input, point).verdict, Verdict::exact) << bitmap;
    const auto solver = entry.make(point);
    Phases phases;
    SetIntersection::Answer answer;
    solver->prepare(input, phases);
    solver->solve_with_transfers(answer, phases);
    EXPECT_EQ(solver->counters()["blocks"], 2000 / 128) << bitmap;
  }
}

TEST(SetSolvers, TestBitmapsInCommonWhereFewFit) {
  constexpr std::uint32_t kUniverse = 200'000;
  const datasets::SetCollection sets = testing::random_sets(kSeed, 60, 300, kUniverse);
  const auto& entry = entry_of<SetIntersection>("bi-dynamic");
  const SetIntersection::Input input{&sets, Mode::multi, false, {.kept = 500, .in_band = 600}};
  const auto reference = SetIntersection::reference(input);
  const auto limit = memory_limit();
  for (const char* bitmap : {"global", "common"}) {
    // Half of the free memory is for bitmaps.
    for (const int fit : {1'000'000, 7, 1}) {
      const std::int64_t room = sets.total() * 4 + (2 * fit + 1) * std::int64_t{kUniverse / 8};
      const auto solver =
          entry.make(Parameters(entry.info.parameters, {{"threads_per_block", 64}, {"bitmap", bitmap}}));
      Phases phases;
      set_memory_limit(memory_in_use() + room);
      solver->prepare(input, phases);
      for (int run = 0; run < 2; ++run) {
        SetIntersection::Answer answer;
        solver->solve_with_transfers(answer, phases);
        const Judgement judgement = SetIntersection::judge(input, answer, reference);
        EXPECT_EQ(judgement.verdict, Verdict::exact) << bitmap << ": " << judgement.difference;
      }
      EXPECT_LE(solver->counters().at("bitmaps"), fit);
      if (fit == 1 || bitmap == std::string("common")) {
        EXPECT_EQ(solver->counters().at("bitmaps_in_common"), 1);
      }
      set_memory_limit(limit);
    }
  }
}

TEST(SetSolvers, KeepBitmapsInSharedMemoryWhereTheyFit) {
  constexpr std::uint32_t kFar = 50'000'000;  // more bits than a block's shared memory has
  const auto& entry = entry_of<SetIntersection>("bi-dynamic");
  const Parameters point(entry.info.parameters, {{"bitmap", "auto"}});
  for (const std::uint32_t last : {40U, kFar}) {
    const datasets::SetCollection sets = testing::sets_of({{1, 5, last}, {5, 7, last}, {1, 7, 9, last}});
    const SetIntersection::Input input{&sets, Mode::multi};
    EXPECT_EQ(judged(entry, input, point).verdict, Verdict::exact) << last;
    const auto solver = entry.make(point);
    Phases phases;
    solver->prepare(input, phases);
    EXPECT_EQ(solver->counters().at("bitmaps") > 0, last == kFar);
  }
}

/// Long sets are cut so that the work inside a block's part is in shared memory, and a merge is not.
TEST(SetSolvers, CutThePathsOfAllPairsWhereThatSuitsTheBlocks) {
  const datasets::SetCollection sets = testing::random_sets(kSeed, 6, 20'000, 200'000);
  const SetIntersection::Input input{&sets, Mode::multi};
  std::map<std::string, double> blocks;
  for (const char* id : {"ip-obs", "ip-hi"}) {
    const auto& entry = entry_of<SetIntersection>(id);
    const Parameters defaults(entry.info.parameters, {});
    EXPECT_EQ(judged(entry, input, defaults).verdict, Verdict::exact) << id;
    const auto solver = entry.make(defaults);
    Phases phases;
    solver->prepare(input, phases);
    blocks[id] = solver->counters().at("blocks");
  }
  const double of_pair = 2.0 * static_cast<double>(sets.total()) / 6;
  EXPECT_EQ(blocks["ip-obs"], std::ceil(of_pair / 4096));
  EXPECT_EQ(blocks["ip-hi"], std::ceil(of_pair / 4096));
}

TEST(SetSolvers, CutLongPathsAmongShortOnes) {
  std::vector<std::vector<std::uint32_t>> sets{
      testing::arithmetic(0, 1, 40'000), testing::arithmetic(7, 3, 30'000), {}};
  for (std::uint32_t i = 0; i < 12; ++i) sets.push_back(testing::arithmetic(i, 1 + i, 5 + i));
  const datasets::SetCollection collection = testing::sets_of(sets);
  for (const char* id : {"ip", "ip-obs", "ip-hi"}) {
    const auto& entry = entry_of<SetIntersection>(id);
    for (const std::int64_t blocks : {0, 1, 7, 300}) {
      const Parameters point(entry.info.parameters, {{"blocks", blocks}});
      EXPECT_EQ(judged(entry, {&collection, Mode::multi}, point).verdict, Verdict::exact) << id << " " << blocks;
    }
  }
}

TEST(SetSolvers, TakeAnyUniverseForTheOnlyPair) {
  constexpr std::uint32_t kFar = 50'000'000;  // more bits than a block's shared memory has
  const datasets::SetCollection sets = testing::sets_of({{1, 5, kFar}, {5, 7, 9, kFar}});
  const auto& entry = entry_of<SetIntersection>("bi-dynamic");
  for (const char* bitmap : {"global", "shared", "auto"}) {
    const Parameters point(entry.info.parameters, {{"bitmap", bitmap}});
    for (const Mode mode : {Mode::single, Mode::multi}) {
      EXPECT_EQ(judged(entry, {&sets, mode}, point).verdict, Verdict::exact) << bitmap;
    }
  }
}

/// What is outside the time has a name, and the choice of `auto` is inside.
TEST(SetSolvers, NameWhatTheyDoBeforeTheyAreTimed) {
  const datasets::SetCollection sets = testing::random_sets(kSeed, 10, 12, 300);
  const SetIntersection::Input input{&sets, Mode::multi};
  for_each_solver<SetIntersection>([&](const auto& entry) {
    const auto solver = entry.make(Parameters(entry.info.parameters, entry.info.smoke));
    Phases prepared;
    Phases solved;
    SetIntersection::Answer answer;
    solver->prepare(input, prepared);
    EXPECT_TRUE(prepared.seconds().contains("pin")) << entry.info.id;
    solver->solve_with_transfers(answer, solved);
    EXPECT_EQ(solved.seconds().contains("choose"), entry.info.id == "auto") << entry.info.id;
  });
}

TEST(SetSolvers, DigestWhatIsTooLargeToKeep) {
  // 90 sets have 4,005 pairs: bands of several rows, and with a limit on memory tables that cut a band.
  const datasets::SetCollection sets = testing::random_sets(kSeed, 90, 12, 300);
  const SetIntersection::Input input{&sets, Mode::multi, false, {.kept = 4000, .in_band = 600}};
  const auto reference = SetIntersection::reference(input);
  ASSERT_TRUE(reference.counts.kept.empty());
  const auto limit = memory_limit();
  for_each_solver<SetIntersection>([&](const auto& entry) {
    std::map<std::string, Value> given = entry.info.smoke;
    if (given.contains("blocks")) given["blocks"] = 1;
    for (const std::int64_t room : {std::int64_t{1} << 30, std::int64_t{160} << 10}) {
      if (room < (1 << 20) && entry.info.id == "mm") continue;  // its matrix is never split
      const auto solver = entry.make(Parameters(entry.info.parameters, given));
      Phases prepared;
      SetIntersection::Answer answer;
      set_memory_limit(memory_in_use() + room);
      solver->prepare(input, prepared);
      for (const bool bring_down : {true, false}) {
        Phases phases;
        if (bring_down) {
          solver->solve_with_transfers(answer, phases);
        } else {
          solver->solve(phases);
          solver->download(answer, phases);
          EXPECT_FALSE(phases.seconds().contains("digest")) << entry.info.id << ": the digest is the judge's";
        }
        EXPECT_TRUE(phases.untimed_seconds().contains("digest")) << entry.info.id << ", brought down " << bring_down;
        EXPECT_EQ(phases.seconds().contains("copy"), bring_down) << entry.info.id;
        const Judgement judgement = SetIntersection::judge(input, answer, reference);
        EXPECT_EQ(judgement.verdict, Verdict::exact) << entry.info.id << ": " << judgement.difference;
      }
      answer.counts.band_digests[1] ^= 1U;
      EXPECT_EQ(SetIntersection::judge(input, answer, reference).verdict, Verdict::wrong) << entry.info.id;
      set_memory_limit(limit);
    }
  });
}

/// By static-index, with values of so many bits on their way down.
template <typename Problem>
void expect_exact(const typename Problem::Input& input, double bits) {
  const auto& entry = entry_of<Problem>("static-index");
  const auto solver = entry.make(Parameters(entry.info.parameters, entry.info.smoke));
  Phases phases;
  typename Problem::Answer answer;
  solver->prepare(input, phases);
  solver->solve_with_transfers(answer, phases);
  EXPECT_EQ(solver->counters().at("value_bits"), bits);
  const Judgement judgement = Problem::judge(input, answer, Problem::reference(input));
  EXPECT_EQ(judgement.verdict, Verdict::exact) << judgement.difference;
}

/// The largest set and its twin have as many tokens in common as fit into the values, or one more.
TEST(SetSolvers, BringDownValuesInAsFewBitsAsTheLargestSetAsksFor) {
  constexpr std::pair<std::uint32_t, double> kBitsOfSize[] = {{255, 8}, {256, 16}, {65'535, 16}, {65'536, 32}};
  for (const auto& [size, bits] : kBitsOfSize) {
    SCOPED_TRACE(size);
    testing::Tokens large(size);
    std::iota(large.begin(), large.end(), 3U);
    const datasets::SetCollection sets =
        testing::sets_of({large, large, {0, 2, size}, {1, 3, size + 1}, {2, 4}, {3, 5, size + 3}, {4, 6}});
    const pairs::Limits limits{.kept = 1, .in_band = 4};
    expect_exact<SetIntersection>({&sets, Mode::multi, false, limits}, bits);
    expect_exact<SetContainment>({&sets, SetContainment::Output::contained, limits}, 8);
    expect_exact<SetContainment>({&sets, SetContainment::Output::degree, limits}, 32);
  }
}

}  // namespace
}  // namespace warpbench
