// ChoosingSolver: a solver that leaves the work to the one that a cost model of the input calls the fastest.
#pragma once

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/error.hpp"
#include "solvers/delegating_solver.hpp"
#include "solvers/solver.hpp"

namespace warpbench {

/// A solver that may be chosen, and what it is expected to take.
struct Candidate {
  std::string id;
  std::map<std::string, Value> parameters = {};  ///< on top of its defaults, or of its point `best`
  double device_bytes = 0;
  double seconds = 0;
  bool best = false;  ///< whether it runs at its point `best`
};

/// The choice is made in prepare(), since the chosen solver has to be prepared, and again in each solve, since its time
/// counts: candidates() has to be quick. It is the same each time. It has no parameters of its own. Phase: choose.
/// Counters: `predicted_s_ID` of each candidate, and `chose_ID`.
template <typename Problem>
class ChoosingSolver : public DelegatingSolver<Problem> {
 public:
  using Input = typename Problem::Input;
  using Answer = typename Problem::Answer;

  void configure(const Parameters& /*parameters*/) override {}

  /// The cheapest candidate that fits into memory; the next where its own prepare() finds that it does not, or refuses
  /// the input. Throws Unsupported where none is left, std::logic_error where no solver has a candidate's id.
  void prepare(const Input& input, Phases& phases) override {
    input_ = &input;
    const auto free_bytes = static_cast<double>(free_memory());
    std::string reasons;
    const auto pass_over = [&](const Candidate& candidate, const char* why) {
      this->delegate_.reset();
      reasons += "; " + candidate.id + ": " + why;
    };
    for (const Candidate& candidate : choose(phases)) {
      if (candidate.device_bytes > free_bytes / 2) {
        pass_over(candidate, "it takes more than half of the free device memory");
        continue;
      }
      try {
        make_delegate(candidate);
        this->delegate_->prepare(input, phases);
        chosen_ = candidate.id;
        return;
      } catch (const Unsupported& error) {
        pass_over(candidate, error.what());
      } catch (const OutOfDeviceMemory& error) {
        pass_over(candidate, error.what());
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
  void make_delegate(const Candidate& candidate) {
    const auto& all = solvers_of<Problem>();
    const auto entry = std::ranges::find(all, candidate.id, [](const auto& one) { return one.info.id; });
    if (entry == all.end()) throw std::logic_error("no solver " + candidate.id + " to choose");
    if (!entry->make) throw Unsupported(entry->info.unavailable);
    std::map<std::string, Value> parameters = candidate.parameters;
    if (candidate.best) parameters.insert(entry->info.best.begin(), entry->info.best.end());
    this->delegate_ = entry->make(Parameters(entry->info.parameters, parameters));
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
