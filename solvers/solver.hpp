// Solver: what an algorithm supplies. A solver is one class in one file that registers itself with
// WARPBENCH_SOLVER; nothing else has to be edited. The harness calls, in this order:
//
//   prepare(input)            once: build an index; its time is reported apart, never in a trial's time
//   upload()                  bring what solve() reads to where solve() reads it
//   solve()                   what an experiment times; may be called many times on one upload
//   download(answer)          bring the answer to host memory, where it is judged
//
// Which of them a time covers is the protocol's choice (`include_transfers`): solve alone, or upload + solve +
// download. A solver that overlaps transfers with work overrides solve_with_transfers().
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "device/device.hpp"
#include "problems/parameters.hpp"
#include "problems/rules.hpp"
#include "solvers/bound_solver.hpp"
#include "solvers/phases.hpp"
#include "solvers/registry.hpp"

namespace warpbench {

template <typename Problem>
class Solver {
 public:
  using Input = typename Problem::Input;
  using Answer = typename Problem::Answer;

  Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
  virtual ~Solver() = default;

  /// `input` outlives the solver.
  virtual void prepare(const Input& input, Phases& phases) = 0;
  virtual void upload(Phases& /*phases*/) {}
  /// Returns when the answer is complete where it was computed.
  virtual void solve(Phases& phases) = 0;
  /// The answer may be a view of the solver's own memory, valid until the next call.
  virtual void download(Answer& answer, Phases& phases) = 0;

  virtual void solve_with_transfers(Answer& answer, Phases& phases) {
    upload(phases);
    solve(phases);
    download(answer, phases);
  }

  /// Drops what the solver itself keeps of the last answer, such as a number of rows, so that download() without a
  /// solve() does not give it again. Memory that the answer views or that came from the device is overwritten besides.
  virtual void forget() {}

  /// New values for solve-parameters, on the same prepared index.
  virtual void configure(const Parameters& parameters) = 0;
  /// Counters of the last solve() that explain its time (bytes read, passes, bitmaps): recorded as they are.
  [[nodiscard]] virtual std::map<std::string, double> counters() const { return {}; }
  /// Counters of the index that take work to find out, its quality for instance: asked once after prepare(), outside
  /// any time, and recorded beside those of each solve.
  [[nodiscard]] virtual std::map<std::string, double> index_counters() { return {}; }
  /// What explains the last solve() in words, such as a program's version or the query that it ran: recorded as they
  /// are.
  [[nodiscard]] virtual std::map<std::string, std::string> facts() const { return {}; }
};

/// A registered solver of `Problem`: its facts and how to make one.
template <typename Problem>
struct SolverEntry {
  SolverInfo info;
  std::function<std::unique_ptr<Solver<Problem>>(const Parameters&)> make;
};

/// The face towards the harness of a solver of `Problem`.
template <typename Problem>
class TypedBoundSolver final : public BoundSolver {
 public:
  /// `instance` and `info` outlive this.
  TypedBoundSolver(TypedInstance<Problem>& instance, const SolverInfo& info, std::unique_ptr<Solver<Problem>> solver)
      : instance_(instance), info_(info), solver_(std::move(solver)) {}

  void prepare(Phases& phases) override { solver_->prepare(instance_.input(), phases); }
  void examine_index() override { index_counters_ = solver_->index_counters(); }
  /// The solver may free the memory that the answer views, so the answer is poisoned before and dropped.
  void configure(const Parameters& parameters) override {
    answer_.poison();
    answer_ = {};
    solver_->configure(parameters);
  }
  void upload(Phases& phases) override { solver_->upload(phases); }
  void solve(Phases& phases) override {
    const DownloadWatch watch;
    solver_->solve(phases);
  }
  void download(Phases& phases) override {
    const DownloadWatch watch;
    solver_->download(answer_, phases);
  }
  void solve_with_transfers(Phases& phases) override {
    const DownloadWatch watch;
    solver_->solve_with_transfers(answer_, phases);
  }
  void poison_answer() override {
    solver_->forget();
    poison_downloaded();
    answer_.poison();
  }
  std::uint64_t digest() const override { return answer_.digest(); }
  Judgement judge() const override {
    return judged_for(info_, Problem::judge(instance_.input(), answer_, instance_.reference()));
  }
  std::map<std::string, double> counters() const override {
    std::map<std::string, double> counters = solver_->counters();
    counters.insert(index_counters_.begin(), index_counters_.end());
    return counters;
  }
  std::map<std::string, std::string> facts() const override { return solver_->facts(); }

 private:
  TypedInstance<Problem>& instance_;
  const SolverInfo& info_;
  std::unique_ptr<Solver<Problem>> solver_;
  typename Problem::Answer answer_{};
  std::map<std::string, double> index_counters_;
};

namespace detail {
template <typename Problem>
std::vector<SolverEntry<Problem>>& entries_of() {
  static std::vector<SolverEntry<Problem>> entries;
  return entries;
}
}  // namespace detail

/// All solvers of a problem that are linked into this program, in no particular order.
template <typename Problem>
const std::vector<SolverEntry<Problem>>& solvers_of() {
  return detail::entries_of<Problem>();
}

namespace detail {
template <typename Problem>
SolverFamily family_of() {
  return {[] {
            std::vector<const SolverInfo*> infos;
            for (const SolverEntry<Problem>& entry : solvers_of<Problem>()) infos.push_back(&entry.info);
            return infos;
          },
          [](const std::string& id, ProblemInstance& instance, const Parameters& parameters) {
            const auto entry = std::ranges::find(solvers_of<Problem>(), id, [](const auto& e) { return e.info.id; });
            return std::make_unique<TypedBoundSolver<Problem>>(dynamic_cast<TypedInstance<Problem>&>(instance),
                                                               entry->info, entry->make(parameters));
          }};
}
template <typename Problem>
bool register_entry(SolverEntry<Problem> entry) {
  entries_of<Problem>().push_back(std::move(entry));
  return register_family(typeid(Problem), family_of<Problem>());
}
template <typename Problem, typename Class>
bool register_solver(SolverInfo info) {
  return register_entry<Problem>({std::move(info), [](const Parameters& p) { return std::make_unique<Class>(p); }});
}
template <typename Problem>
bool register_unavailable(SolverInfo info, std::string why) {
  info.unavailable = std::move(why);
  return register_entry<Problem>({std::move(info), nullptr});
}
}  // namespace detail

/// Registers `Class<Problem>` for each problem, under the same facts:
///   const bool registered = register_for<Auto, SetIntersection, SetContainment>({.id = "auto", …});
template <template <typename> typename Class, typename... Problems>
bool register_for(const SolverInfo& info) {
  return (detail::register_solver<Problems, Class<Problems>>(info) && ...);
}

/// Registers `Class` (constructible from const Parameters&) under the facts that follow, a SolverInfo initializer:
///   WARPBENCH_SOLVER(CommonNeighbors, Merge, {.id = "merge", .title = "…", …});
/// A macro because only it can name a variable at namespace scope whose initialization registers the class.
#define WARPBENCH_SOLVER(Problem, Class, ...)                                                                         \
  namespace {                                                                                                         \
  [[maybe_unused]] const bool registered_##Class = ::warpbench::detail::register_solver<Problem, Class>(__VA_ARGS__); \
  }

/// The same for a solver whose library this build lacks; `why` names the library and its Debian package.
#define WARPBENCH_SOLVER_UNAVAILABLE(Problem, Class, why, ...)              \
  namespace {                                                               \
  [[maybe_unused]] const bool registered_##Class =                          \
      ::warpbench::detail::register_unavailable<Problem>(__VA_ARGS__, why); \
  }

}  // namespace warpbench
