// Problem: the type-erased face of a problem towards the harness, which knows neither inputs nor answers. A problem
// is one struct with static members (see problems/common_neighbors/problem.hpp); WARPBENCH_PROBLEM wraps it here.
//
//   ProblemEntry  a problem as registered: facts, solvers, how to make an instance
//   Instance      one dataset read as the problem's input under one task; owns the reference answer
//   Contest       one solver on one instance: what a trial drives
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "datasets/dataset.hpp"
#include "problems/judgement.hpp"
#include "problems/parameters.hpp"
#include "problems/phases.hpp"
#include "problems/solver.hpp"

namespace warpbench {

/// What a problem says of itself.
struct ProblemInfo {
  std::string id;
  std::string title;
  std::string source;                   ///< document and section
  std::vector<ParameterSpec> task;      ///< k, threshold, predicate, …
  std::vector<datasets::Kind> accepts;  ///< kinds of dataset it can be asked on
  std::string work_unit;                ///< the key of Instance::work() that throughput is given in: "edges"
  std::function<void(const Parameters&)> validate = [](const Parameters&) {};
};

/// One solver on one instance. Calls as in problems/solver.hpp; answers stay inside and are only judged.
class Contest {
 public:
  Contest() = default;
  Contest(const Contest&) = delete;
  Contest& operator=(const Contest&) = delete;
  virtual ~Contest() = default;

  virtual void prepare(Phases& phases) = 0;
  virtual void configure(const Parameters& parameters) = 0;
  virtual void upload(Phases& phases) = 0;
  virtual void solve(Phases& phases) = 0;
  virtual void download(Phases& phases) = 0;
  virtual void solve_with_transfers(Phases& phases) = 0;

  /// Of the downloaded answer: an order-independent 64-bit digest, and the judgement against the reference.
  [[nodiscard]] virtual std::uint64_t digest() const = 0;
  [[nodiscard]] virtual Judgement judge() const = 0;
  /// Spoils the downloaded answer a little; tests use it to see that judge() and digest() notice.
  virtual void corrupt() = 0;
  [[nodiscard]] virtual std::map<std::string, double> counters() const = 0;
};

class Instance {
 public:
  Instance() = default;
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  virtual ~Instance() = default;

  /// Units of work of one solve, by name: {"edges": 183831}. Throughput is work over time.
  [[nodiscard]] virtual std::map<std::string, double> work() const = 0;
  /// The reference answer as bytes, computed at the first call: what a cache keeps.
  [[nodiscard]] virtual std::vector<std::byte> reference_bytes() = 0;
  /// Takes a cached reference instead of computing one.
  virtual void set_reference(std::span<const std::byte> bytes) = 0;
  [[nodiscard]] virtual std::unique_ptr<Contest> contest(const std::string& solver, const Parameters& parameters) = 0;
};

struct ProblemEntry {
  ProblemInfo info;
  std::function<std::vector<const SolverInfo*>()> solvers;  ///< sorted by id
  std::function<std::unique_ptr<Instance>(std::shared_ptr<const datasets::Dataset>, const Parameters& task)> instance;

  /// nullptr where there is no such solver.
  [[nodiscard]] const SolverInfo* solver(const std::string& id) const;
};

/// All problems linked into this program, sorted by id.
const std::vector<ProblemEntry>& problems();
/// nullptr where there is none of that name.
const ProblemEntry* find_problem(const std::string& id);

namespace detail {
bool register_problem(ProblemEntry entry);
}

}  // namespace warpbench
