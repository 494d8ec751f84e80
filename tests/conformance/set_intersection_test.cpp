// The inputs on which every solver of set_intersection is tried: all pairs of collections, and single pairs.
#include "problems/set_intersection/problem.hpp"

#include "tests/conformance/support/set_cases.hpp"
#include "tests/conformance/support/suite.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::conformance {
namespace {

constexpr std::uint64_t kSeed = 20'221;

using Problem = SetIntersection;
using Task = std::map<std::string, Value>;

const Task kAllPairs{{"mode", "multi"}};
const std::vector<Task> kOnePair{{{"mode", "single"}, {"answer", "count"}}, {{"mode", "single"}, {"answer", "set"}}};

}  // namespace

template <>
const Inputs<Problem>& inputs<Problem>() {
  static const Inputs<Problem> inputs = [] {
    Inputs<Problem> made;
    made.all = set_cases<Problem>(testing::adversarial_sets(), {kAllPairs});
    append(made.all, set_cases<Problem>(testing::adversarial_pairs(), kOnePair));
    append(made.all, set_cases<Problem>(
                         random_collections(kSeed, backend_name() == "simt" ? testing::usual_or_thorough(6, 12) : 300),
                         {kAllPairs}));
    append(made.all, set_cases<Problem>(real_collections(), {kAllPairs}));
    made.few = set_cases<Problem>({{"random, seed 20221", testing::random_sets(kSeed, 8, 60, 300)},
                                   {"an empty set among others", testing::sets_of({{5}, {}, {5, 7}, {}})}},
                                  {kAllPairs});
    append(made.few, set_cases<Problem>({{"a pair, seed 20221", testing::random_sets(kSeed, 2, 200, 600)}}, kOnePair));
    made.large = set_cases<Problem>({{"100 sets, seed 20221", testing::random_sets(kSeed, 100, 12, 300)}}, {kAllPairs});
    return made;
  }();
  return inputs;
}

INSTANTIATE_TEST_SUITE_P(SetIntersection, Conformance, ::testing::ValuesIn(checks_of<Problem>()), name_of);

}  // namespace warpbench::conformance
