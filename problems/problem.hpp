// Problem: the type-erased face of a problem towards the harness, which knows neither inputs nor answers. A problem is
// one struct with static members (see problems/common_neighbors/problem.hpp); WARPBENCH_PROBLEM wraps it here.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <typeindex>
#include <typeinfo>
#include <vector>

#include "datasets/dataset.hpp"
#include "datasets/outline.hpp"
#include "problems/parameters.hpp"

namespace warpbench {

/// A metric of judgements by which an answer may be better or worse than another one that is right, too.
struct QualityMetric {
  std::string name;  ///< in Judgement::metrics
  std::string label;
  bool higher_is_better = true;
  bool is_count = false;          ///< a whole number of each answer; means of them need not be one
  double tolerance = 0;           ///< answers that differ by no more are as good as each other
  double relative_tolerance = 0;  ///< the same as a share of the metric
};

/// A parameter of the task on which the unverified numbers of an answer (judgement.hpp) do not depend.
struct IndifferentParameter {
  std::string name;
  std::map<std::string, Value> unless = {};  ///< they do depend on it where the task has all of these values
};

/// The facts of a problem.
struct ProblemInfo {
  std::string id;
  std::string title;
  std::string source;                   ///< document and section
  std::vector<ParameterSpec> task;      ///< k, threshold, predicate, …
  std::vector<datasets::Kind> accepts;  ///< kinds of dataset it can be asked on
  std::string work_unit;                ///< the key of ProblemInstance::work() that throughput is given in: "edges"
  std::function<void(const Parameters&)> validate = [](const Parameters&) {};
  /// Why instances of such data will be refused under a task, as far as their outline tells; "" if nothing is known.
  std::function<std::string(const datasets::Outline&, const Parameters&)> foresee =
      [](const datasets::Outline& /*outline*/, const Parameters& /*task*/) { return std::string(); };
  std::vector<QualityMetric> quality = {};  ///< empty: right answers are all as good as each other
  /// The counter that holds the mean seconds of a query, where one that is unsolved counts with its limit: times the
  /// work `queries` it is a time that trials may be compared by. "": no part of an answer is given up.
  std::string mean_with_limits = {};
  std::vector<IndifferentParameter> indifferent = {};
};

/// One dataset read as a problem's input under one task. It owns the reference answer.
class ProblemInstance {
 public:
  ProblemInstance() = default;
  ProblemInstance(const ProblemInstance&) = delete;
  ProblemInstance& operator=(const ProblemInstance&) = delete;
  virtual ~ProblemInstance() = default;

  /// Units of work of one solve, by name: {"edges": 183831}. Throughput is work over time.
  [[nodiscard]] virtual std::map<std::string, double> work() const = 0;
  /// Whether the reference leaves parts open when its time is up. The judge then verifies the others.
  [[nodiscard]] virtual bool reference_has_limit() const = 0;
  /// The reference answer as bytes, computed at the first call: what a cache keeps. Where the reference has a limit it
  /// takes about `seconds`; with 0 it knows nothing.
  [[nodiscard]] virtual std::vector<std::byte> reference_bytes(double seconds) = 0;
  /// Takes a cached reference instead of computing one.
  virtual void set_reference(std::span<const std::byte> bytes) = 0;
  /// Gives parts of the answer `factor` times the time that the task allows them, before a solver is bound.
  virtual void stretch_limits(double factor) = 0;
};

struct ProblemEntry {
  ProblemInfo info;
  std::type_index type = typeid(void);  ///< of the problem's struct, by which its solvers are found
  std::function<std::unique_ptr<ProblemInstance>(std::shared_ptr<const datasets::Dataset>, const Parameters& task)>
      instance;
};

/// All problems linked into this program, sorted by id.
const std::vector<ProblemEntry>& problems();
/// nullptr where there is none of that name.
const ProblemEntry* find_problem(const std::string& id);

namespace detail {
bool register_problem(ProblemEntry entry);
}

}  // namespace warpbench
