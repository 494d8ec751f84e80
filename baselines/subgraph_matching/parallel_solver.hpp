// Base and facts of the CPU solvers of subgraph matching that share out the search for a query's matches to threads.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "solvers/subgraph_matching/query_solver.hpp"
#include "solvers/threads.hpp"

namespace warpbench::matching {

class ParallelSolver : public QuerySolver {
 public:
  explicit ParallelSolver(const Parameters& parameters) : parameters_(parameters) {}
  void configure(const Parameters& parameters) final { parameters_ = parameters; }

 protected:
  [[nodiscard]] std::map<std::string, double> query_counters() const final { return counters_; }
  [[nodiscard]] int threads_for(std::int64_t tasks) const { return threads_of(parameters_, tasks); }

  std::map<std::string, double> counters_;  ///< of the query just matched

 private:
  Parameters parameters_;
};

/// The documents run these solvers on one thread.
inline SolverInfo parallel_solver(std::string id, std::string title, std::string source) {
  return {.id = std::move(id),
          .title = std::move(title),
          .source = std::move(source),
          .role = Role::cpu_baseline,
          .device = Target::cpu,
          .parameters = {threads_parameter(1).document({1})},
          .smoke = {{"threads", 2}},
          .best = {{"threads", "all"}}};
}

}  // namespace warpbench::matching
