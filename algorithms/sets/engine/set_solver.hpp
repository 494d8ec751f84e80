// A technique as a solver of set_intersection and of set_containment: SinglePair or AllPairs around it.
#pragma once

#include <memory>

#include "algorithms/sets/engine/all_pairs.hpp"
#include "algorithms/sets/engine/single_pair.hpp"
#include "problems/set_containment/problem.hpp"
#include "problems/set_intersection/problem.hpp"
#include "solvers/delegating_solver.hpp"
#include "solvers/solver.hpp"

namespace warpbench::sets {

/// Threads of a block, whole warps.
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

[[nodiscard]] inline PairValue value_asked_for(const SetIntersection::Input& /*input*/) {
  return PairValue::count;
}
[[nodiscard]] inline PairValue value_asked_for(const SetContainment::Input& input) {
  switch (input.output) {
    case SetContainment::Output::degree:
      return PairValue::degree;
    case SetContainment::Output::contained:
      return PairValue::contained;
    case SetContainment::Output::pairs:
      break;
  }
  return PairValue::place;
}
inline void set_answer(SetIntersection::Answer& answer, const pairs::Answer& counts, AllPairs& /*pairs*/) {
  answer = {counts, 0, {}};
}
inline void set_answer(SetContainment::Answer& answer, const pairs::Answer& values, AllPairs& pairs) {
  answer = {values, pairs.places()};
}

/// AllPairs as a solver.
template <typename Problem>
class AllPairsSolver : public Solver<Problem> {
 public:
  using Input = typename Problem::Input;
  using Answer = typename Problem::Answer;

  explicit AllPairsSolver(std::unique_ptr<Technique> technique) : pairs_(std::move(technique)) {}
  void configure(const Parameters& parameters) override { pairs_.configure(parameters); }
  void prepare(const Input& input, Phases& phases) override {
    pairs_.prepare(*input.sets, value_asked_for(input), input.limits, phases);
  }
  void upload(Phases& phases) override { pairs_.upload(phases); }
  void solve(Phases& phases) override { pairs_.solve(phases); }
  void download(Answer& answer, Phases& phases) override { set_answer(answer, pairs_.download(phases), pairs_); }
  void solve_with_transfers(Answer& answer, Phases& phases) override {
    set_answer(answer, pairs_.solve_with_transfers(phases), pairs_);
  }
  [[nodiscard]] std::map<std::string, double> counters() const override { return pairs_.counters(); }

 private:
  AllPairs pairs_;
};

/// A technique, constructible from const Parameters&, as a solver of set_containment.
template <typename TechniqueClass>
class ContainmentBy final : public AllPairsSolver<SetContainment> {
 public:
  explicit ContainmentBy(const Parameters& parameters) : AllPairsSolver(std::make_unique<TechniqueClass>(parameters)) {}
};

/// The same as a solver of set_intersection: of one pair, or of all.
template <typename TechniqueClass>
class IntersectionBy final : public DelegatingSolver<SetIntersection> {
 public:
  explicit IntersectionBy(const Parameters& parameters) : DelegatingSolver(parameters) {}

  void prepare(const SetIntersection::Input& input, Phases& phases) override {
    delegate_.reset();  // the device never holds two
    auto technique = std::make_unique<TechniqueClass>(parameters());
    if (input.is_single()) {
      delegate_ = std::make_unique<SinglePair>(std::move(technique));
    } else {
      delegate_ = std::make_unique<AllPairsSolver<SetIntersection>>(std::move(technique));
    }
    delegate_->prepare(input, phases);
  }
};

/// Registers a technique of set_intersection for both problems: containment is made of its counts.
template <typename TechniqueClass>
bool register_for_both(SolverInfo info) {
  const bool first = detail::register_solver<SetIntersection, IntersectionBy<TechniqueClass>>(info);
  info.title = "containment by the counts of " + info.id;
  info.source = "bellas2022 §6.3";
  info.role = Role::proposed;
  return detail::register_solver<SetContainment, ContainmentBy<TechniqueClass>>(info) && first;
}

}  // namespace warpbench::sets
