// PreparedGroup: what the trials of a group share: the device, the dataset, its instance and reference, and one solver
// that is prepared once. The steps are called in the order in which they are declared; each throws what went wrong.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "harness/measure/verifier.hpp"
#include "harness/plan/plan.hpp"
#include "harness/record/record.hpp"
#include "harness/run/run_options.hpp"
#include "harness/run/trial_run.hpp"
#include "problems/problem.hpp"
#include "solvers/bound_solver.hpp"
#include "solvers/registry.hpp"

namespace warpbench::harness {

class PreparedGroup {
 public:
  /// `first` is a trial of `plan`, and stands for all that share its group; both and `options` outlive this.
  PreparedGroup(const Plan& plan, const Trial& first, const RunOptions& options);

  /// Applies the protocol's limit of device memory and, for a GPU solver, wakes the GPU. Throws NoDevice without one.
  void need_device() const;
  DatasetFacts load();
  /// Reads the dataset as the problem's input. `long_work` is as in Verifier.
  void make_instance(std::function<void(bool)> long_work);
  /// Makes the solver. Its constructor sees all parameters, so it may refuse those of one trial alone: then the next
  /// trial's may be tried.
  void make_solver(const Parameters& parameters);
  PrepareFacts prepare();

  [[nodiscard]] const SolverInfo& solver() const { return solver_; }
  /// The context that `trial`, which is of this group, runs in.
  [[nodiscard]] TrialContext context(const Trial& trial) const;
  [[nodiscard]] Numbers work() const { return instance_->work(); }

 private:
  const Plan& plan_;
  const Trial& first_;
  const RunOptions& options_;
  const ProblemEntry& problem_;
  const SolverInfo& solver_;
  std::shared_ptr<const datasets::Dataset> dataset_;
  std::unique_ptr<ProblemInstance> instance_;
  std::unique_ptr<Verifier> verifier_;
  std::unique_ptr<BoundSolver> bound_;
};

}  // namespace warpbench::harness
