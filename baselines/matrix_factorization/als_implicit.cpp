// als-implicit: alternating least squares by the library implicit, started by peers/als_implicit.py. implicit learns
// preferences, not ratings; the adaptor gives it each rating in two entries whose least squares are those of the rating
// (see there), so that it minimises Σ (r - p_u · q_i)² + λ (‖P‖² + ‖Q‖²) at up to twice the work. λ counts once for
// each user and item, where the task's count once for each rating.
#include "baselines/matrix_factorization/external.hpp"

#include "solvers/threads.hpp"

namespace warpbench::matrix_factorization {
namespace {

[[maybe_unused]] const bool kRegisteredAlsImplicit = register_external<MatrixFactorization, ExternalFactorization>(
    {.id = "als-implicit",
     .title = "implicit: alternating least squares",
     .source = "https://github.com/benfred/implicit",
     .role = Role::peer,
     .device = Target::cpu,
     .parameters = {parameter("lambda", 10.0).range(0, 1e6).means("λ, weight of the squared factors"),
                    parameter("processor", "cpu").one_of({"cpu", "gpu"}).means("where implicit computes"),
                    threads_parameter()},
     .smoke = {{"threads", 2}}},
    "WARPBENCH_ALS_IMPLICIT",
    "needs implicit: pip install implicit, then export WARPBENCH_ALS_IMPLICIT='PYTHON …/peers/als_implicit.py'");

}  // namespace
}  // namespace warpbench::matrix_factorization
