// PreparedGroup: the state that the trials of a group share: the device, the dataset, its instance and reference, and
// one solver that is prepared once. Call the steps in the order of their declaration; each throws on failure.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

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
  /// `first` is any trial of the group. `plan`, `first` and `options` must outlive this object.
  PreparedGroup(const Plan& plan, const Trial& first, const RunOptions& options);

  /// Applies the protocol's device memory limit and, for a GPU solver, initialises the GPU. Throws NoDevice without
  /// one.
  void need_device() const;
  DatasetFacts load();
  /// Reads the dataset as the problem's input. `long_work` is as in Verifier, `reference_failure` in ReferenceRules.
  void make_instance(const std::string& reference_failure, std::function<void(bool)> long_work);
  /// Loads or computes the reference, which judging an answer does otherwise. The verifier says how that went.
  const Verifier& need_reference();
  /// Makes the solver. Its constructor and its preparation see all parameters and may reject those of one trial alone;
  /// the caller may then try the next trial's.
  void make_solver(const Parameters& parameters);
  /// As often as the protocol asks, each time with a new solver; less often where prepare_timeout would pass.
  PrepareFacts prepare();

  [[nodiscard]] const SolverInfo& solver() const { return solver_; }
  /// The context for running `trial`, which must belong to this group.
  [[nodiscard]] TrialContext context(const Trial& trial) const;
  [[nodiscard]] const std::string& reference_failure() const { return verifier_->reference_failure(); }

 private:
  MemoryFacts prepare_once(std::vector<double>& samples, std::map<std::string, std::vector<double>>& phases);
  [[nodiscard]] bool is_prepared_again(const std::vector<double>& samples) const;

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  const Plan& plan_;
  const Trial& first_;
  const RunOptions& options_;
  const ProblemEntry& problem_;
  const SolverInfo& solver_;
  std::shared_ptr<const datasets::Dataset> dataset_;
  std::unique_ptr<ProblemInstance> instance_;
  std::unique_ptr<Verifier> verifier_;
  Parameters parameters_;  ///< of the solver
  std::unique_ptr<BoundSolver> bound_;
};

}  // namespace warpbench::harness
