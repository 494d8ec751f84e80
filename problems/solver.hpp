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

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "problems/parameters.hpp"
#include "problems/phases.hpp"

namespace warpbench {

enum class Role { proposed, gpu_baseline, cpu_baseline, peer };
enum class Target { cpu, gpu, hybrid };
const char* to_string(Role role);
const char* to_string(Target target);

/// Thrown by a solver's constructor or prepare() where this machine or build cannot do what was asked
/// (no AVX-512, an input beyond the algorithm's limits): the trial's status is `unsupported`, with this reason.
class Unsupported : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

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

  /// New values for solve-parameters, on the same prepared index.
  virtual void configure(const Parameters& parameters) = 0;
  /// Counters of the last solve() that explain its time (bytes read, passes, bitmaps): recorded as they are.
  [[nodiscard]] virtual std::map<std::string, double> counters() const { return {}; }
};

/// What `warpbench list` says of a solver, and what specs are checked against.
struct SolverInfo {
  std::string id;      ///< the fixed name specs use
  std::string title;   ///< one line
  std::string source;  ///< document and section
  Role role = Role::proposed;
  Target device = Target::cpu;
  std::vector<ParameterSpec> parameters = {};
  std::map<std::string, Value> smoke = {};  ///< the point that ends in seconds on two cores without a GPU
  /// Refuses combinations that make no sense, by throwing ParameterError.
  std::function<void(const Parameters&)> validate = [](const Parameters&) {};
  std::string unavailable = {};  ///< "" or why this build lacks it
};

/// A registered solver of `Problem`: its facts and how to make one.
template <typename Problem>
struct SolverEntry {
  SolverInfo info;
  std::function<std::unique_ptr<Solver<Problem>>(const Parameters&)> make;
};

/// All solvers of a problem that are linked into this program, in no particular order.
template <typename Problem>
std::vector<SolverEntry<Problem>>& solvers_of() {
  static std::vector<SolverEntry<Problem>> entries;
  return entries;
}

namespace detail {
template <typename Problem, typename Class>
bool register_solver(SolverInfo info) {
  solvers_of<Problem>().push_back({std::move(info), [](const Parameters& p) { return std::make_unique<Class>(p); }});
  return true;
}
template <typename Problem>
bool register_unavailable(SolverInfo info, std::string why) {
  info.unavailable = std::move(why);
  solvers_of<Problem>().push_back({std::move(info), nullptr});
  return true;
}
}  // namespace detail

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
