// The conformance suite: what every registered solver of every problem must do, whatever its method. Solvers are those
// that register themselves; a problem has its inputs in tests/conformance/<problem>_test.cpp.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <typeindex>
#include <vector>

#include "device/device.hpp"
#include "device/error.hpp"
#include "solvers/solver.hpp"
#include "tests/algorithms/support/parameter_points.hpp"
#include "tests/conformance/support/inputs.hpp"
#include "tests/conformance/support/lane_order.hpp"
#include "tests/problems/support/host_memory.hpp"
#include "tests/problems/support/spoilers.hpp"
#include "tests/support/memory_limit.hpp"

namespace warpbench::conformance {

using Faults = std::vector<std::string>;

/// Of the memory that each check may use on simt, which takes its time to walk tables as large as a GPU's.
inline constexpr std::int64_t kSimtMemory = std::int64_t{256} << 20;

/// Whether a solver refuses because of this machine, which it says in the words of simd_from().
inline bool is_of_this_machine(const std::string& refusal) {
  return refusal.find("this CPU has no ") != std::string::npos;
}

/// A prepared solver with its input uploaded.
template <typename Problem>
struct Ready {
  Ready(const SolverEntry<Problem>& entry, const Case<Problem>& input, const Parameters& point)
      : solver(entry.make(point)) {
    solver->prepare(input.instance->input(), phases);
    solver->upload(phases);
  }

  std::uint64_t solve() {
    const DownloadWatch watch;
    solver->solve(phases);
    solver->download(answer, phases);
    return answer.digest();
  }
  std::uint64_t solve_with_transfers() {
    const DownloadWatch watch;
    solver->solve_with_transfers(answer, phases);
    return answer.digest();
  }
  /// Overwrites the answer on the host and on the device.
  void poison() {
    solver->forget();
    poison_downloaded();
    answer.poison();
  }

  Phases phases;
  std::unique_ptr<Solver<Problem>> solver;
  typename Problem::Answer answer{};
};

/// The checks of one solver. Each returns what it finds wrong.
template <typename Problem>
class Checks {
 public:
  /// Both outlive this.
  Checks(const SolverEntry<Problem>& entry, const Inputs<Problem>& inputs) : entry_(&entry), inputs_(&inputs) {}

  /// At its smoke point; and the judge notices when the answer is made wrong.
  Faults answers_every_input() {
    for (const Case<Problem>& input : inputs_->all) {
      try_on(input, smoke(), [&](Ready<Problem>& ready) {
        const std::uint64_t digest = ready.solve();
        expect_good(input, ready, "");
        if (!testing::spoil(ready.answer)) return;
        expect(ready.answer.digest() != digest, "a wrong answer has the digest of the right one");
        expect(judged(input, ready.answer).verdict == Verdict::wrong, "a wrong answer goes unnoticed");
      });
    }
    return found();
  }

  /// At its defaults and at its best. Small enough for tools that slow kernels down a hundredfold
  /// (scripts/gpu-check.sh).
  Faults answers_at_usual_points() {
    std::vector<Parameters> usual{Parameters(info().parameters, {})};
    if (!info().best.empty()) {
      std::map<std::string, Value> best = info().best;
      for (const ParameterSpec& spec : info().parameters) {
        const auto given = inputs_->beside_best.find(spec.name);
        if (given != inputs_->beside_best.end()) best.insert(*given);
      }
      usual.emplace_back(info().parameters, best);
    }
    for (const Parameters& point : usual) {
      for (const Case<Problem>& input : inputs_->few) {
        try_on(input, point, [&](Ready<Problem>& ready) {
          ready.solve();
          expect_good(input, ready, "");
        });
      }
    }
    return found();
  }

  /// At the extremes of each parameter an answer may be less good than at usual points, but never wrong. It may refuse
  /// some numbers of a parameter but not all of them, and no flag or choice on all inputs, unless this machine lacks
  /// what that needs. The smoke point is no extreme.
  Faults answers_at_every_extreme() {
    for (const testing::ExtremePoint& extreme : testing::extreme_points(info())) {
      if (extreme.values.canonical() == smoke().canonical()) continue;
      for (const Case<Problem>& input : inputs_->few) {
        const auto solve = [&](Ready<Problem>& ready) {
          ready.solve();
          expect_right(input, ready, "");
        };
        try_on(input, extreme.values, solve, must_answer_one_of(extreme));
      }
    }
    Faults faults = faults_;
    print_refusals();
    for (const auto& [extreme, refusals] : refused_) {
      if (answered_.contains(extreme) || std::ranges::all_of(refusals, is_of_this_machine)) continue;
      faults.insert(faults.end(), refusals.begin(), refusals.end());
    }
    return faults;
  }

  /// A solve that leaves the answer of the one before is found out: that is overwritten on the host and on the device.
  Faults answers_anew_each_time() {
    for (const Case<Problem>& input : inputs_->few) {
      try_on(input, smoke(), [&](Ready<Problem>& ready) {
        const std::uint64_t first = ready.solve();
        ready.poison();
        expect_same(ready.solve(), first, "another digest when solved again");
        expect_good(input, ready, "solved again: ");
        ready.poison();
        expect_same(ready.solve_with_transfers(), first, "another digest with transfers");
        expect_good(input, ready, "with transfers: ");
      });
    }
    return found();
  }

  /// Without a solve there is no answer to bring down: not on the device, nor in numbers that the solver keeps.
  Faults forgets_its_answer() {
    for (const Case<Problem>& input : inputs_->few) {
      try_on(input, smoke(), [&](Ready<Problem>& ready) {
        const std::uint64_t first = ready.solve();
        if (first == typename Problem::Answer{}.digest()) return;
        ready.poison();
        try {
          ready.solver->download(ready.answer, ready.phases);
        } catch (const std::exception&) {
          return;
        }
        expect(ready.answer.digest() != first || judged(input, ready.answer).verdict == Verdict::wrong,
               "gives the answer of the last solve() although it was to forget it");
      });
    }
    return found();
  }

  /// configure() reaches every solve-parameter's extremes on one index, and the way back. It refuses those that a new
  /// solver refuses, and no others. Where all right answers are the same, those that it accepts are compared with a new
  /// solver on the first input only.
  Faults takes_new_parameters() {
    const std::vector<testing::ExtremePoint> points = testing::extreme_points(info(), true);
    for (const Case<Problem>& input : inputs_->few) {
      try_on(input, smoke(), [&](Ready<Problem>& ready) {
        const std::uint64_t first = ready.solve();
        for (const auto& extreme : points) {
          const Parameters& point = extreme.values;
          const std::string what = "configured " + point.canonical() + ": ";
          ready.poison();
          const std::optional<std::uint64_t> digest = unless_refused([&] {
            ready.solver->configure(point);
            return ready.solve();
          });
          if (digest) expect_right(input, ready, what);
          if (digest && !inputs_->is_approximate && &input != &inputs_->few.front()) continue;
          const auto by_new = unless_refused([&] { return Ready<Problem>(*entry_, input, point).solve(); });
          expect(by_new || !digest, what + "a new solver refuses");
          expect(digest || !by_new, what + "a new solver does not refuse");
          if (digest && by_new) expect_same(*digest, *by_new, what + "another digest than a new solver");
        }
        ready.solver->configure(smoke());
        expect_same(ready.solve(), first, "another digest when configured back");
      });
    }
    return found();
  }

  /// A preparation that takes memory names a phase, or nobody knows where its time went.
  Faults names_what_it_prepares() {
    for (const Case<Problem>& input : inputs_->few) {
      if (input.is_heavy && is_on_device() && backend_name() == "simt") continue;
      try {
        const auto solver = entry_->make(smoke());
        Phases phases;
        const std::int64_t before = memory_in_use();
        reset_peak_memory();
        const testing::PeakOfHostMemory on_host;
        solver->prepare(input.instance->input(), phases);
        const std::int64_t taken = on_host.bytes() + peak_memory_in_use() - before;
        expect(taken == 0 || !phases.seconds().empty(),
               input.name + ": prepare() takes " + std::to_string(taken) + " bytes and names no phase");
        answered_.insert(input.task);
      } catch (const Unsupported& reason) {
        refused_[input.task].push_back(input.name + " refused: " + reason.what());
      } catch (const std::exception& error) {
        faults_.push_back(input.name + ": " + error.what());
      }
    }
    return found();
  }

  /// With a part of the device memory that it takes: a good answer, or it says that memory is short.
  Faults is_right_or_says_that_memory_is_short() {
    for (const Case<Problem>& input : inputs_->large) {
      const std::int64_t before = memory_in_use();
      reset_peak_memory();
      try_on(input, smoke(), [&](Ready<Problem>& ready) { ready.solve(); });
      const std::int64_t taken = peak_memory_in_use() - before;
      for (const int sixteenths : {15, 8, 4, 1}) {
        const testing::MemoryLimit limit(memory_in_use() + taken * sixteenths / 16);
        try {
          Ready<Problem> ready(*entry_, input, smoke());
          ready.solve();
          expect_good(input, ready, input.name + " with " + std::to_string(sixteenths) + "/16 of its memory: ");
        } catch (const OutOfDeviceMemory&) {
        } catch (const Unsupported&) {
        } catch (const std::exception& error) {
          faults_.push_back(input.name + " with little memory: " + error.what());
        }
      }
      expect(memory_in_use() == before, input.name + ": device memory is not given back");
    }
    return found();
  }

  /// A correct kernel does not depend on the order in which threads run.
  Faults answers_in_any_order_of_threads() {
    for (const char* order : {"ascending", "shuffle:7"}) {
      const LaneOrder lanes(order);
      for (const Case<Problem>& input : inputs_->few) {
        try_on(input, smoke(), [&](Ready<Problem>& ready) {
          ready.solve();
          expect_good(input, ready, std::string(order) + ": ");
        });
      }
    }
    return found();
  }

 private:
  [[nodiscard]] const SolverInfo& info() const { return entry_->info; }
  [[nodiscard]] Parameters smoke() const { return {info().parameters, info().smoke}; }
  [[nodiscard]] bool is_on_device() const { return info().device != Target::cpu; }

  /// The extremes of which at least one has to be answered: all numbers of a parameter, or one flag or choice alone.
  static std::string must_answer_one_of(const testing::ExtremePoint& extreme) {
    const Value& value = extreme.values.values().at(extreme.parameter);
    const bool is_number = std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
    return is_number ? extreme.parameter : extreme.parameter + '=' + to_string(value);
  }

  [[nodiscard]] Judgement judged(const Case<Problem>& input, const typename Problem::Answer& answer) const {
    return judged_for(info(), Problem::judge(input.instance->input(), answer, input.instance->reference()));
  }

  void expect(bool holds, const std::string& fault) {
    if (!holds) faults_.push_back(where_ + fault);
  }
  void expect_same(std::uint64_t digest, std::uint64_t expected, const std::string& fault) {
    expect(inputs_->answers_vary || digest == expected, fault);
  }
  void expect_none(const std::string& complaint, const std::string& what) {
    expect(complaint.empty(), what + complaint);
  }
  void expect_right(const Case<Problem>& input, const Ready<Problem>& ready, const std::string& what) {
    expect_none(inputs_->complaint(input, judged(input, ready.answer)), what);
  }
  void expect_good(const Case<Problem>& input, const Ready<Problem>& ready, const std::string& what) {
    const Judgement judgement = judged(input, ready.answer);
    expect_none(inputs_->complaint(input, judgement), what);
    const auto own = inputs_->quality_of.find(info().id);
    const Complaint<Problem>& quality = own == inputs_->quality_of.end() ? inputs_->quality : own->second;
    expect_none(quality(input, judgement), what);
  }

  /// The digest that `solve` returns; nothing where it throws Unsupported.
  template <typename Solve>
  static std::optional<std::uint64_t> unless_refused(const Solve& solve) {
    try {
      return solve();
    } catch (const Unsupported&) {
      return std::nullopt;
    }
  }

  template <typename Body>
  void try_on(const Case<Problem>& input, const Parameters& point, const Body& body) {
    try_on(input, point, body, input.task);
  }
  /// body(ready) with a solver at `point`; what it throws is a fault. An answer or a refusal is kept under `key`.
  template <typename Body>
  void try_on(const Case<Problem>& input, const Parameters& point, const Body& body, const std::string& key) {
    if (input.is_heavy && is_on_device() && backend_name() == "simt") return;
    where_ = input.name + " (" + input.task + ") at " + point.canonical() + ": ";
    try {
      Ready<Problem> ready(*entry_, input, point);
      body(ready);
      answered_.insert(key);
    } catch (const Unsupported& reason) {
      if (input.is_wide && is_on_device()) return;
      refused_[key].push_back(where_ + "refused: " + reason.what());
    } catch (const std::exception& error) {
      faults_.push_back(where_ + error.what());
    }
    where_.clear();
  }

  void print_refusals() const {
    for (const auto& [key, refusals] : refused_) {
      std::cout << "  does not answer: " << key << ": " << refusals.front() << '\n';
    }
  }

  /// A solver may refuse a task, but then all of it: an input of a task that it answers is no reason. And it answers
  /// something.
  Faults found() {
    Faults all = std::move(faults_);
    if (answered_.empty()) all.emplace_back("answers nothing");
    for (const auto& [task, refusals] : refused_) {
      if (answered_.contains(task) || answered_.empty()) all.insert(all.end(), refusals.begin(), refusals.end());
    }
    print_refusals();
    faults_.clear();
    refused_.clear();
    answered_.clear();
    return all;
  }

  const SolverEntry<Problem>* entry_;
  const Inputs<Problem>* inputs_;
  std::string where_;
  Faults faults_;
  std::set<std::string> answered_;         ///< tasks, or extremes of parameters
  std::map<std::string, Faults> refused_;  ///< by the same
};

template <typename Problem>
struct Check {
  const char* name;
  Faults (Checks<Problem>::*run)();
  bool on_devices_only = false;
};

template <typename Problem>
inline const std::vector<Check<Problem>> kChecks{
    {"AnswersEveryInput", &Checks<Problem>::answers_every_input},
    {"AnswersAtUsualPoints", &Checks<Problem>::answers_at_usual_points},
    {"AnswersAtEveryExtreme", &Checks<Problem>::answers_at_every_extreme},
    {"AnswersAnewEachTime", &Checks<Problem>::answers_anew_each_time},
    {"ForgetsItsAnswer", &Checks<Problem>::forgets_its_answer},
    {"TakesNewParameters", &Checks<Problem>::takes_new_parameters},
    {"NamesWhatItPrepares", &Checks<Problem>::names_what_it_prepares},
    {"IsRightOrSaysThatMemoryIsShort", &Checks<Problem>::is_right_or_says_that_memory_is_short, true},
    {"AnswersInAnyOrderOfThreads", &Checks<Problem>::answers_in_any_order_of_threads, true}};

/// One check of one solver, as GoogleTest lists it.
struct NamedCheck {
  std::string name;
  std::string unavailable;  ///< why this build lacks the solver
  std::function<Faults()> run;
};
void PrintTo(const NamedCheck& check, std::ostream* out);

/// Runs checks_of<Problem>(), under name_of().
class Conformance : public ::testing::TestWithParam<NamedCheck> {};
std::string name_of(const ::testing::TestParamInfo<NamedCheck>& check);

/// The problems whose checks are listed.
std::vector<std::type_index>& checked_problems();

/// All checks of all solvers of a problem.
template <typename Problem>
std::vector<NamedCheck> checks_of() {
  checked_problems().emplace_back(typeid(Problem));
  std::vector<NamedCheck> checks;
  for (const SolverEntry<Problem>& entry : solvers_of<Problem>()) {
    for (const Check<Problem>& check : kChecks<Problem>) {
      if (check.on_devices_only && entry.info.device == Target::cpu) continue;
      checks.push_back({entry.info.id + '_' + check.name, entry.info.unavailable,
                        [&entry, run = check.run] { return (Checks<Problem>(entry, inputs<Problem>()).*run)(); }});
    }
  }
  std::ranges::sort(checks, {}, &NamedCheck::name);
  return checks;
}

}  // namespace warpbench::conformance
