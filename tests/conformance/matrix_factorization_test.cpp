// The inputs on which every solver of matrix_factorization is tried. Answers of parallel solvers differ from run to
// run, and hsgd's schedule may leave blocks out for long (yu2023, Fig. 3.12): an answer is good where its RMSE is near
// that of serial SGD, or no higher than serial SGD's after an iteration. Solvers' own tests ask for more.
#include "problems/matrix_factorization/problem.hpp"

#include <algorithm>

#include "tests/conformance/support/suite.hpp"
#include "tests/problems/support/ratings.hpp"

namespace warpbench::conformance {
namespace {

constexpr std::uint64_t kSeed = 2023;
/// How far above the highest RMSE of serial SGD an answer's may be: so many times the band of its seeds, or such a
/// share of the RMSE.
constexpr double kBands = 2;
constexpr double kShare = 0.05;

using Problem = MatrixFactorization;
using Task = std::map<std::string, Value>;
using testing::planted;

std::string quality(const Case<Problem>& /*input*/, const Judgement& judgement) {
  const auto high = judgement.metrics.find("serial_rmse_high");
  if (high == judgement.metrics.end()) return "";
  const double band = high->second - judgement.metrics.at("serial_rmse_low");
  const auto first = judgement.metrics.find("serial_rmse_high_after_1");
  const double after_first = first == judgement.metrics.end() ? 0 : first->second;
  const double allowed = std::max(high->second + std::max(kBands * band, kShare * high->second), after_first);
  const double rmse = judgement.metrics.at("rmse");
  return rmse <= allowed ? "" : "RMSE " + std::to_string(rmse) + ", at most " + std::to_string(allowed) + " is good";
}

}  // namespace

template <>
const Inputs<Problem>& inputs<Problem>() {
  static const Inputs<Problem> inputs = [] {
    const Task quick{{"k", 8}, {"gamma", 0.02}, {"iterations", 6}};
    Inputs<Problem> made;
    for (const auto& [name, ratings] : testing::awkward_ratings()) {
      made.all.push_back(case_of<Problem>(name, ratings, {{"k", 5}, {"iterations", 3}}));
    }
    for (const int k : {1, 8, 33, 128}) {
      for (const char* rate : {"fixed", "decay"}) {
        made.all.push_back(case_of<Problem>("planted, seed 2023", planted(60, 40, 1200, kSeed),
                                            {{"k", k}, {"gamma", 0.02}, {"iterations", 4}, {"rate", rate}}));
      }
    }
    made.all.push_back(case_of<Problem>("planted, narrow, seed 2023", planted(500, 4, 1200, kSeed), quick));
    made.few = {case_of<Problem>("one rating", testing::awkward_ratings().front().ratings, {{"k", 3}}),
                case_of<Problem>("planted, seed 2023", planted(40, 30, 800, kSeed), quick)};
    made.large = {case_of<Problem>("planted, seed 2023", planted(300, 200, 2000, kSeed), quick)};
    made.beside_best = {{"share", 0.5}};  // its cost models would be measured, which takes minutes under a sanitizer
    made.is_approximate = true;
    made.answers_vary = true;
    made.complaint = [](const Case<Problem>&, const Judgement& judgement) { return judgement.difference; };
    made.quality = quality;
    return made;
  }();
  return inputs;
}

INSTANTIATE_TEST_SUITE_P(MatrixFactorization, Conformance, ::testing::ValuesIn(checks_of<Problem>()), name_of);

}  // namespace warpbench::conformance
