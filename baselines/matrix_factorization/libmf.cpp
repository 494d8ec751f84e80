// libmf: LIBMF by the authors of FPSGD, as its users run it: mf-train, started by peers/libmf.py. λ are the task's; the
// learning rate is LIBMF's own, which falls for each user and item by the gradients that it has seen (ADAGRAD), from
// `eta` on, so that the task's γ means nothing to it. Its first factors are its own. It may hang on a handful of
// ratings.
#include "baselines/matrix_factorization/external.hpp"

#include "solvers/threads.hpp"

namespace warpbench::matrix_factorization {
namespace {

[[maybe_unused]] const bool kRegisteredLibmf = register_external<MatrixFactorization, ExternalFactorization>(
    {.id = "libmf",
     .title = "LIBMF: parallel stochastic gradient descent by its authors",
     .source = "https://github.com/cjlin1/libmf",
     .role = Role::peer,
     .device = Target::cpu,
     .parameters = {parameter("eta", 0.1).range(0, 10).means("the learning rate that LIBMF begins with"),
                    threads_parameter()},
     .smoke = {{"threads", 2}}},
    "WARPBENCH_LIBMF",
    "needs LIBMF: build its mf-train (https://github.com/cjlin1/libmf), then "
    "export WARPBENCH_LIBMF='python3 …/peers/libmf.py PATH-OF-mf-train'");

}  // namespace
}  // namespace warpbench::matrix_factorization
