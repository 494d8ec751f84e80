// A technique as a solver of set_intersection and of set_containment.
#pragma once

#include <memory>

#include "algorithms/sets/engine/set_engine.hpp"
#include "problems/set_containment/problem.hpp"
#include "problems/set_intersection/problem.hpp"
#include "solvers/solver.hpp"

namespace warpbench::sets {

inline void prepare_engine(SetEngine& engine, const SetIntersection::Input& input) {
  engine.prepare(*input.sets, input.mode == SetIntersection::Mode::single, input.as_set, ValueKind::count);
}
inline void prepare_engine(SetEngine& engine, const SetContainment::Input& input) {
  engine.prepare(*input.sets, false, false,
                 input.output == SetContainment::Output::degree ? ValueKind::degree : ValueKind::contained);
}
inline void take_answer(SetEngine& engine, bool single, SetIntersection::Answer& answer) {
  answer = single ? SetIntersection::Answer{{}, engine.common(), engine.tokens()}
                  : SetIntersection::Answer{engine.pairs_answer(), 0, {}};
}
inline void take_answer(SetEngine& engine, bool /*single*/, SetContainment::Answer& answer) {
  answer = engine.pairs_answer();
}
inline bool is_single(const SetIntersection::Input& input) {
  return input.mode == SetIntersection::Mode::single;
}
inline bool is_single(const SetContainment::Input& /*input*/) {
  return false;
}

/// Threads of a block in whole warps.
inline ParameterSpec threads_per_block(std::int64_t usual = 256) {
  return parameter("threads_per_block", usual)
      .range(32, 1024)
      .multiple_of(32)
      .in("threads")
      .means("threads of a block");
}

/// Of a set that is hashed.
inline ParameterSpec buckets() {
  return parameter("buckets", 4096).range(1, 8192).means("buckets of a hashed set").at(Stage::prepare);
}

/// `TechniqueClass` is constructible from const Parameters&.
template <typename Problem, typename TechniqueClass>
class SetSolver final : public Solver<Problem> {
 public:
  using Input = typename Problem::Input;
  using Answer = typename Problem::Answer;

  explicit SetSolver(const Parameters& parameters) : engine_(std::make_unique<TechniqueClass>(parameters)) {}
  void configure(const Parameters& parameters) override { engine_.configure(parameters); }
  void prepare(const Input& input, Phases& phases) override {
    const auto scope = phases.cpu("prepare");
    single_ = is_single(input);
    prepare_engine(engine_, input);
  }
  void upload(Phases& phases) override { engine_.upload(phases); }
  void solve(Phases& phases) override { engine_.solve(phases, false); }
  void download(Answer& answer, Phases& phases) override {
    engine_.download(phases);
    take_answer(engine_, single_, answer);
  }
  void solve_with_transfers(Answer& answer, Phases& phases) override {
    engine_.upload(phases);
    engine_.solve(phases, true);
    download(answer, phases);
  }
  [[nodiscard]] std::map<std::string, double> counters() const override { return engine_.counters(); }

 private:
  SetEngine engine_;
  bool single_ = false;
};

template <typename TechniqueClass>
using IntersectionBy = SetSolver<SetIntersection, TechniqueClass>;

/// Registers a technique of set_intersection for both problems: containment takes its counts and makes degrees of them.
template <typename TechniqueClass>
bool register_for_both(SolverInfo info) {
  const bool first = detail::register_solver<SetIntersection, IntersectionBy<TechniqueClass>>(info);
  info.title = "counts of " + info.id + ", and their degrees";
  info.source = "bellas2022 §6.3";
  info.role = Role::proposed;
  return detail::register_solver<SetContainment, SetSolver<SetContainment, TechniqueClass>>(info) && first;
}

}  // namespace warpbench::sets
