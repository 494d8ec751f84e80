// BoundSolver: the type-erased face of a solver towards the harness: one solver bound to one problem instance.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "problems/judgement.hpp"
#include "problems/parameters.hpp"
#include "solvers/phases.hpp"

namespace warpbench {

/// Calls as in solvers/solver.hpp; the answer stays inside and is only judged.
class BoundSolver {
 public:
  BoundSolver() = default;
  BoundSolver(const BoundSolver&) = delete;
  BoundSolver& operator=(const BoundSolver&) = delete;
  virtual ~BoundSolver() = default;

  virtual void prepare(Phases& phases) = 0;
  /// Once after prepare(), outside any time: finds the counters that depend on the index alone.
  virtual void examine_index() = 0;
  virtual void configure(const Parameters& parameters) = 0;
  virtual void upload(Phases& phases) = 0;
  virtual void solve(Phases& phases) = 0;
  virtual void download(Phases& phases) = 0;
  virtual void solve_with_transfers(Phases& phases) = 0;

  /// Overwrites the answer on the host, and what the last solve and download read from the device: a solve that leaves
  /// the answer of the one before is found out.
  virtual void poison_answer() = 0;
  /// Of the downloaded answer: an order-independent 64-bit digest, and the judgement against the reference.
  [[nodiscard]] virtual std::uint64_t digest() const = 0;
  [[nodiscard]] virtual Judgement judge() const = 0;
  [[nodiscard]] virtual std::map<std::string, double> counters() const = 0;
  [[nodiscard]] virtual std::map<std::string, std::string> facts() const = 0;
};

}  // namespace warpbench
