// The solvers that a test is about, chosen by their facts.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "solvers/solver.hpp"

namespace warpbench::testing {

/// Those of the problem that this build has and whose facts satisfy `chosen`, ascending.
template <typename Problem, typename Predicate>
std::vector<std::string> solver_ids(const Predicate& chosen) {
  std::vector<std::string> ids;
  for (const SolverEntry<Problem>& entry : solvers_of<Problem>()) {
    if (entry.make && chosen(entry.info)) ids.push_back(entry.info.id);
  }
  std::ranges::sort(ids);
  return ids;
}

/// The id as GoogleTest takes it in a name.
inline std::string name_of_solver(const ::testing::TestParamInfo<std::string>& solver) {
  std::string name = solver.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

}  // namespace warpbench::testing
