// ChoosingSolver: a solver that leaves the work to the one that a cost model of the input calls the fastest.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "solvers/delegating_solver.hpp"
#include "solvers/solver.hpp"

namespace warpbench {

/// A solver that may be chosen, and what it is expected to take.
struct Candidate {
  std::string id;
  std::map<std::string, Value> parameters = {};  ///< on top of its defaults, or of its point `best`
  double device_bytes = 0;
  double seconds = 0;
  bool best = false;
};

/// The choice is made in prepare(), since the chosen solver has to be prepared, and again in each solve, since its time
/// counts: candidates() has to be quick. It is the same each time. Phase: choose. Counters: `predicted_s_ID` of each
/// candidate, and `chose_ID`.
template <typename Problem>
class ChoosingSolver : public DelegatingSolver<Problem> {
 public:
  using Input = typename Problem::Input;
  using Answer = typename Problem::Answer;

  void configure(const Parameters& /*parameters*/) override {}

  /// The cheapest candidate that fits into memory; the next where its own prepare() finds that it does not. Throws
  /// Unsupported where none is left.
  void prepare(const Input& input, Phases& phases) override {
    input_ = &input;
    const auto free_bytes = static_cast<double>(free_memory());
    std::string reasons;
    for (const Candidate& candidate : choose(phases)) {
      const SolverEntry<Problem>* const entry = find(candidate.id);
      if (entry == nullptr || candidate.device_bytes > free_bytes / 2) continue;
      try {
        std::map<std::string, Value> parameters = candidate.parameters;
        if (candidate.best) parameters.insert(entry->info.best.begin(), entry->info.best.end());
        this->delegate_ = entry->make(Parameters(entry->info.parameters, parameters));
        this->delegate_->prepare(input, phases);
        chosen_ = candidate.id;
        return;
      } catch (const Unsupported& error) {
        reasons += "; " + candidate.id + ": " + error.what();
      }
    }
    throw Unsupported("no solver fits this input and this device's memory" + reasons);
  }

  void solve(Phases& phases) override {
    predicted_ = choose(phases);
    DelegatingSolver<Problem>::solve(phases);
  }
  void solve_with_transfers(Answer& answer, Phases& phases) override {
    predicted_ = choose(phases);
    DelegatingSolver<Problem>::solve_with_transfers(answer, phases);
  }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    std::map<std::string, double> counters = DelegatingSolver<Problem>::counters();
    for (const Candidate& one : predicted_) counters["predicted_s_" + one.id] = one.seconds;
    counters["chose_" + chosen_] = 1;
    return counters;
  }

 protected:
  explicit ChoosingSolver(const Parameters& parameters) : DelegatingSolver<Problem>(parameters) {}

  /// In any order.
  [[nodiscard]] virtual std::vector<Candidate> candidates(const Input& input) const = 0;

 private:
  static const SolverEntry<Problem>* find(const std::string& id) {
    for (const SolverEntry<Problem>& entry : solvers_of<Problem>()) {
      if (entry.info.id == id && entry.make) return &entry;
    }
    return nullptr;
  }

  /// The candidates, the cheapest first.
  [[nodiscard]] std::vector<Candidate> choose(Phases& phases) const {
    const auto scope = phases.cpu("choose");
    std::vector<Candidate> all = candidates(*input_);
    std::ranges::stable_sort(all, {}, &Candidate::seconds);
    return all;
  }

  const Input* input_ = nullptr;
  std::vector<Candidate> predicted_;  ///< of the last solve
  std::string chosen_;
};

}  // namespace warpbench
