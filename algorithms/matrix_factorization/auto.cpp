// auto: one thread for a few thousand ratings, where a GPU's launches take longer than the updates; else cuMF_SGD with
// all ratings on the device; CPU and GPU together where they do not fit there.
//
// The model is of seconds without transfers. Its constants were set by hand to records of yu2023/choice and
// yu2023/real-ratings (an H200, 25804752 and 2aafd131; docs/performance/matrix-factorization.md).
#include <algorithm>
#include <vector>

#include "problems/matrix_factorization/problem.hpp"
#include "solvers/choosing_solver.hpp"
#include "solvers/solver.hpp"

namespace warpbench {
namespace {

constexpr double kRatingBytes = 12;
constexpr double kFactorBytes = 2;
constexpr double kMaxWarps = 8448;  ///< 64 on each of 132 multiprocessors

class Auto final : public ChoosingSolver<MatrixFactorization> {
 public:
  explicit Auto(const Parameters& parameters) : ChoosingSolver(parameters) {}

 protected:
  [[nodiscard]] std::vector<Candidate> candidates(const Input& input) const override {
    const auto ratings = static_cast<double>(input.ratings->train.count());
    const auto users = static_cast<double>(input.users());
    const auto items = static_cast<double>(input.items());
    const auto iterations = static_cast<double>(input.iterations);
    const double rows = static_cast<double>(input.k) / 128;
    // A warp takes one rating after the other; so many run at once (see cumf-sgd's workers).
    const double warps = std::clamp(std::min({users / 8, items / 8, ratings / 32}), 1.0, kMaxWarps);
    const double on_device = 3e-5 + ratings / warps * 3.5e-7 + ratings * rows * 1e-10;
    // Few users or items hold up the device's workers in the same way here, so this is no faster than the device alone.
    const double together = std::max(2e-3 + ratings * rows * 6e-10, on_device);
    const double bytes = ratings * kRatingBytes + (users + items) * static_cast<double>(input.k) * kFactorBytes;
    return {{"sgd", {}, 0, iterations * ratings * rows * 5.4e-8},
            {"cumf-sgd", {}, bytes, iterations * on_device, true},
            {"hsgd-star", {{"residency", "streamed"}}, 0, iterations * together, true}};
  }
};

WARPBENCH_SOLVER(MatrixFactorization, Auto,
                 {.id = "auto",
                  .title = "one thread, the GPU or both, as a cost model of the ratings' number chooses",
                  .source = "this project",
                  .role = Role::peer,
                  .device = Target::hybrid,
                  .ours = true})

}  // namespace
}  // namespace warpbench
