// The adapter from a problem's own struct to the type-erased face in problems/problem.hpp. A problem P supplies
//
//   using Input, Answer, Reference
//   static ProblemInfo info();
//   static Input input(const datasets::Dataset&, const Parameters& task);   // views; the dataset outlives it
//   static Reference reference(const Input&);                               // the simplest correct solution
//   static Judgement judge(const Input&, const Answer&, const Reference&);
//   static std::uint64_t digest(const Answer&);                             // order-independent
//   static std::map<std::string, double> work(const Input&);
//   static std::vector<std::byte> to_bytes(const Reference&);
//   static Reference from_bytes(const Input&, std::span<const std::byte>);   // throws if they do not fit the input
//   static void corrupt(Answer&);                                           // the smallest wrong answer
#pragma once

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "problems/problem.hpp"

namespace warpbench {

template <typename Problem>
class ProblemContest final : public Contest {
 public:
  using ReferenceOf = std::function<const typename Problem::Reference&()>;

  ProblemContest(const typename Problem::Input& input, std::unique_ptr<Solver<Problem>> solver, ReferenceOf reference)
      : input_(input), solver_(std::move(solver)), reference_(std::move(reference)) {}

  void prepare(Phases& phases) override { solver_->prepare(input_, phases); }
  void configure(const Parameters& parameters) override { solver_->configure(parameters); }
  void upload(Phases& phases) override { solver_->upload(phases); }
  void solve(Phases& phases) override { solver_->solve(phases); }
  void download(Phases& phases) override { solver_->download(answer_, phases); }
  void solve_with_transfers(Phases& phases) override { solver_->solve_with_transfers(answer_, phases); }
  std::uint64_t digest() const override { return Problem::digest(answer_); }
  Judgement judge() const override { return Problem::judge(input_, answer_, reference_()); }
  void corrupt() override { Problem::corrupt(answer_); }
  std::map<std::string, double> counters() const override { return solver_->counters(); }

 private:
  const typename Problem::Input& input_;
  std::unique_ptr<Solver<Problem>> solver_;
  ReferenceOf reference_;
  typename Problem::Answer answer_{};
};

template <typename Problem>
class ProblemInstance final : public Instance {
 public:
  ProblemInstance(std::shared_ptr<const datasets::Dataset> dataset, const Parameters& task)
      : dataset_(std::move(dataset)), input_(Problem::input(*dataset_, task)) {}

  std::map<std::string, double> work() const override { return Problem::work(input_); }
  std::vector<std::byte> reference_bytes() override { return Problem::to_bytes(reference()); }
  void set_reference(std::span<const std::byte> bytes) override { reference_ = Problem::from_bytes(input_, bytes); }

  std::unique_ptr<Contest> contest(const std::string& id, const Parameters& parameters) override {
    for (const SolverEntry<Problem>& entry : solvers_of<Problem>()) {
      if (entry.info.id != id) continue;
      if (!entry.make) throw Unsupported(entry.info.unavailable);
      entry.info.validate(parameters);
      return std::make_unique<ProblemContest<Problem>>(
          input_, entry.make(parameters), [this]() -> const auto& { return reference(); });
    }
    throw std::logic_error("no solver '" + id + "'");
  }

 private:
  const typename Problem::Reference& reference() {
    if (!reference_) reference_ = Problem::reference(input_);
    return *reference_;
  }

  std::shared_ptr<const datasets::Dataset> dataset_;
  typename Problem::Input input_;
  std::optional<typename Problem::Reference> reference_;
};

namespace detail {
template <typename Problem>
bool register_problem() {
  ProblemEntry entry;
  entry.info = Problem::info();
  entry.solvers = [] {
    std::vector<const SolverInfo*> infos;
    for (const SolverEntry<Problem>& solver : solvers_of<Problem>()) infos.push_back(&solver.info);
    std::ranges::sort(infos, {}, &SolverInfo::id);
    return infos;
  };
  entry.instance = [](std::shared_ptr<const datasets::Dataset> dataset, const Parameters& task) {
    return std::make_unique<ProblemInstance<Problem>>(std::move(dataset), task);
  };
  return register_problem(std::move(entry));
}
}  // namespace detail

/// Registers a problem struct; once, in the problem's own source file.
#define WARPBENCH_PROBLEM(Problem)                                                                     \
  namespace {                                                                                          \
  [[maybe_unused]] const bool registered_##Problem = ::warpbench::detail::register_problem<Problem>(); \
  }

}  // namespace warpbench
