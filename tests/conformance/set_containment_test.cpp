// The inputs on which every solver of set_containment is tried: the degree of each pair, whether it is contained, and
// the contained pairs alone.
#include "problems/set_containment/problem.hpp"

#include "tests/conformance/support/set_cases.hpp"
#include "tests/conformance/support/suite.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::conformance {
namespace {

constexpr std::uint64_t kSeed = 62'023;

using Problem = SetContainment;

const std::vector<std::map<std::string, Value>> kTasks{
    {{"output", "degree"}}, {{"output", "contained"}}, {{"output", "pairs"}}};

}  // namespace

template <>
const Inputs<Problem>& inputs<Problem>() {
  static const Inputs<Problem> inputs = [] {
    Inputs<Problem> made;
    made.all = set_cases<Problem>(testing::adversarial_sets(), kTasks);
    append(made.all,
           set_cases<Problem>(
               random_collections(kSeed, backend_name() == "simt" ? testing::usual_or_thorough(3, 6) : 300), kTasks));
    append(made.all, set_cases<Problem>(real_collections(), kTasks));
    made.few = set_cases<Problem>({{"random, seed 62023", testing::random_sets(kSeed, 8, 60, 300)}}, {kTasks[0]});
    append(made.few, set_cases<Problem>({{"an empty set among others", testing::sets_of({{5}, {}, {5, 7}, {}})},
                                         {"dense, seed 62023", testing::random_sets(kSeed, 8, 40, 60)}},
                                        {kTasks[1], kTasks[2]}));
    made.large = set_cases<Problem>({{"100 sets, seed 62023", testing::random_sets(kSeed, 100, 12, 300)}}, kTasks);
    return made;
  }();
  return inputs;
}

INSTANTIATE_TEST_SUITE_P(SetContainment, Conformance, ::testing::ValuesIn(checks_of<Problem>()), name_of);

}  // namespace warpbench::conformance
