// Unverified: what an answer says that no reference could verify, and solvers that contradict each other there.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/record/record.hpp"

namespace warpbench::harness {

/// Begins the names of the metrics that are numbers of an answer that no reference verified (problems/judgement.hpp).
inline constexpr const char* kUnverified = "unverified_";

/// ", 18 of 20 verified", to follow a time, from the judge's metrics `verified` and `solved`; "" where no solved part
/// is unverified.
[[nodiscard]] std::string remark_on_unverified(const Outcome& outcome);

/// The unverified numbers of several records. They are the same in all right answers.
class UnverifiedNumbers {
 public:
  /// Takes those of one record. Returns a sentence for each that is another one in an earlier record of the same
  /// dataset and of a task that asks for the same numbers (ProblemInfo::indifferent).
  [[nodiscard]] std::vector<std::string> contradictions(const Record& record);

 private:
  struct Statement {
    double number;
    std::string solver;
    std::string trial;
  };
  std::map<std::string, Statement> first_;  // by problem, deciding part of the task, dataset and metric
};

}  // namespace warpbench::harness
