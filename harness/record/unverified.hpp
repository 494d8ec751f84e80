// Unverified: what an answer says that no reference could verify, and solvers that contradict each other there.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/record/record.hpp"

namespace warpbench::harness {

/// ", 18 of 20 verified", to follow a time, from the judge's metrics `verified` and `solved`; "" where no solved part
/// is unverified.
[[nodiscard]] std::string remark_on_unverified(const Outcome& outcome);

/// The metrics `unverified_…` of several records (problems/judgement.hpp). They are the same in all right answers.
class UnverifiedNumbers {
 public:
  /// Takes those of one record. Returns a sentence for each that is another one in an earlier record of the same
  /// dataset and task.
  [[nodiscard]] std::vector<std::string> contradictions(const Record& record);

 private:
  struct Statement {
    double number;
    std::string solver;
    std::string trial;
  };
  std::map<std::string, Statement> first_;  // by problem, task, dataset and metric
};

}  // namespace warpbench::harness
