// The inputs on which every solver of set_similarity_join is tried: measures, thresholds, outputs, one collection and
// two.
#include "problems/set_similarity_join/problem.hpp"

#include <array>

#include "device/device.hpp"
#include "tests/conformance/support/set_cases.hpp"
#include "tests/conformance/support/suite.hpp"
#include "tests/problems/support/similar_sets.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::conformance {
namespace {

constexpr std::uint64_t kSeed = 45'022;
constexpr std::array<const char*, 3> kOutputs{"digest", "count", "pairs"};

using Problem = SetSimilarityJoin;
using Task = std::map<std::string, Value>;

/// Each measure with each threshold. Outputs, and one collection or two, take turns; so does the one threshold of each
/// measure that devices try on simt, `turn` says where they begin.
void append_joins(std::vector<Case<Problem>>& cases, const testing::NamedSets& collection, std::size_t turn) {
  const auto& [name, sets] = collection;
  for (const std::string& measure : testing::kMeasures) {
    for (std::size_t i = 0; i < testing::kThresholds.size(); ++i) {
      const bool has_two = (turn + i) % 4 == 3;
      const Task task{{"similarity", measure},
                      {"threshold", testing::kThresholds[i]},
                      {"output", kOutputs[(turn + i) % kOutputs.size()]},
                      {"left", has_two ? (sets.count() + 1) / 3 : 0}};
      cases.push_back(case_of<Problem>(name, sets, task));
      cases.back().is_heavy = i != turn % testing::kThresholds.size();
      cases.back().is_wide = sets.universe() > 1 << 20;
    }
    turn += 5;
  }
}

}  // namespace

template <>
const Inputs<Problem>& inputs<Problem>() {
  static const Inputs<Problem> inputs = [] {
    Inputs<Problem> made;
    std::vector<testing::NamedSets> collections = testing::awkward_similar_sets();
    const std::uint64_t random = backend_name() == "simt" ? testing::usual_or_thorough(30, 300) : 300;
    for (std::uint64_t seed = kSeed; seed < kSeed + random; ++seed) {
      collections.push_back({"random, seed " + std::to_string(seed), testing::similar_sets(seed)});
    }
    for (std::size_t i = 0; i < collections.size(); ++i) append_joins(made.all, collections[i], i);
    for (const testing::NamedSets& real : real_collections()) {
      made.all.push_back(case_of<Problem>(real.name, real.sets, {{"threshold", 0.5}}));
    }
    made.few = {case_of<Problem>("near-duplicates, seed 45022", testing::similar_sets(kSeed, {40, 12, 60})),
                case_of<Problem>("two collections, seed 45023", testing::similar_sets(kSeed + 1, {30, 15, 50}),
                                 {{"similarity", "cosine"}, {"threshold", 2.0 / 3}, {"output", "pairs"}, {"left", 12}}),
                case_of<Problem>("a few frequent tokens, seed 45024", testing::similar_sets(kSeed + 2, {20, 6, 12}),
                                 {{"similarity", "dice"}, {"threshold", 0.5}, {"output", "count"}})};
    made.large = {case_of<Problem>("200 sets, seed 45022", testing::similar_sets(kSeed, {200, 20, 300}),
                                   {{"threshold", 0.6}, {"output", "pairs"}})};
    return made;
  }();
  return inputs;
}

INSTANTIATE_TEST_SUITE_P(SetSimilarityJoin, Conformance, ::testing::ValuesIn(checks_of<Problem>()), name_of);

}  // namespace warpbench::conformance
