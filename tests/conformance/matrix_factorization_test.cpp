// The inputs on which every solver of matrix_factorization is tried. Answers of parallel solvers differ from run to
// run: an answer is good where its RMSE is near that of serial SGD.
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

std::string compared(const Judgement& judgement, double allowed) {
  const double rmse = judgement.metrics.at("rmse");
  return rmse <= allowed ? "" : "RMSE " + std::to_string(rmse) + ", at most " + std::to_string(allowed) + " is good";
}

double near_serial(const Judgement& judgement) {
  const double high = judgement.metrics.at("serial_rmse_high");
  const double band = high - judgement.metrics.at("serial_rmse_low");
  return high + std::max(kBands * band, kShare * high);
}

std::string quality(const Case<Problem>& /*input*/, const Judgement& judgement) {
  if (!judgement.metrics.contains("serial_rmse_high")) return "";
  return compared(judgement, near_serial(judgement));
}

/// Its schedule may leave blocks out for some iterations (yu2023, Fig. 3.12), more so on a busy machine.
std::string quality_of_hsgd(const Case<Problem>& /*input*/, const Judgement& judgement) {
  if (!judgement.metrics.contains("serial_rmse_high")) return "";
  return compared(judgement, std::max(near_serial(judgement), judgement.metrics.at("serial_rmse_high_after_1")));
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
    made.quality_of = {{"hsgd", quality_of_hsgd}};
    return made;
  }();
  return inputs;
}

INSTANTIATE_TEST_SUITE_P(MatrixFactorization, Conformance, ::testing::ValuesIn(checks_of<Problem>()), name_of);

}  // namespace warpbench::conformance
