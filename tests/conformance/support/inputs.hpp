// The part that a problem adds to the conformance suite: inputs, and how good an answer has to be.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "datasets/dataset.hpp"
#include "problems/rules.hpp"

namespace warpbench::conformance {

/// A dataset under a task.
template <typename Problem>
struct Case {
  std::string name;
  std::string task;                                  ///< its parameters, spelled out
  std::shared_ptr<TypedInstance<Problem>> instance;  ///< computes its reference when it is first asked for
  /// Needs so much memory that a solver on a device may refuse it.
  bool is_wide = false;
  /// Takes simt minutes: there only solvers on the CPU answer it.
  bool is_heavy = false;
};

template <typename Problem>
Case<Problem> case_of(datasets::Dataset dataset, const std::map<std::string, Value>& task = {}) {
  const Parameters parameters(Problem::info().task, task);
  const std::string name = dataset.name;
  return {
      name, parameters.canonical(),
      std::make_shared<TypedInstance<Problem>>(std::make_shared<datasets::Dataset>(std::move(dataset)), parameters)};
}

template <typename Problem>
Case<Problem> case_of(std::string name, datasets::Data data, const std::map<std::string, Value>& task = {}) {
  datasets::Dataset dataset;
  dataset.name = std::move(name);
  dataset.kind = datasets::kind_of(data);
  dataset.data = std::move(data);
  return case_of<Problem>(std::move(dataset), task);
}

/// The fault of an answer, "" where there is none.
template <typename Problem>
using Complaint = std::function<std::string(const Case<Problem>&, const Judgement&)>;

/// `exact` is what most problems ask.
template <typename Problem>
std::string not_exact(const Case<Problem>& /*input*/, const Judgement& judgement) {
  return judgement.verdict == Verdict::exact ? "" : to_string(judgement.verdict) + (": " + judgement.difference);
}

template <typename Problem>
struct Inputs {
  std::vector<Case<Problem>> all;    ///< each is answered once
  std::vector<Case<Problem>> few;    ///< answered at many points, and again and again
  std::vector<Case<Problem>> large;  ///< need more device memory than they are given

  /// At a solver's best, for those of its parameters that its best does not name.
  std::map<std::string, Value> beside_best;

  bool is_approximate = false;                                     ///< equally good answers may differ
  bool answers_vary = false;                                       ///< … and those of one solver, from run to run
  Complaint<Problem> complaint = not_exact<Problem>;               ///< at any point
  Complaint<Problem> quality = [](const auto&...) { return ""; };  ///< beyond it where a solver is at its usual points
  std::map<std::string, Complaint<Problem>> quality_of;            ///< in place of it for the solvers of these ids
};

/// Each problem's file defines it.
template <typename Problem>
const Inputs<Problem>& inputs();

}  // namespace warpbench::conformance
