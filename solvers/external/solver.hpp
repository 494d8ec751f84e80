// ExternalSolver: the base of solvers that are programs of their own (docs/external-programs.md), whatever their
// problem.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "solvers/external/session.hpp"
#include "solvers/solver.hpp"

namespace warpbench {

template <typename Problem>
class ExternalSolver : public Solver<Problem> {
 public:
  /// `command` starts the program.
  ExternalSolver(std::string command, Parameters parameters)
      : command_(std::move(command)), parameters_(std::move(parameters)) {}

  void configure(const Parameters& parameters) final { parameters_ = parameters; }
  [[nodiscard]] std::map<std::string, std::string> facts() const final { return session_->program().facts(); }
  /// The phases that the program reports, which the harness did not time: `program_NAME_s`.
  [[nodiscard]] std::map<std::string, double> counters() const final {
    std::map<std::string, double> counters;
    for (const auto& [name, seconds] : session_->program().phases()) counters["program_" + name + "_s"] = seconds;
    return counters;
  }

 protected:
  /// Throws Unsupported where the program cannot be had.
  void start(Phases& phases) { session_ = std::make_unique<ExternalSession>(command_, phases); }
  [[nodiscard]] ExternalSession& session() const { return *session_; }
  [[nodiscard]] const Parameters& parameters() const { return parameters_; }

 private:
  std::string command_;
  Parameters parameters_;
  std::unique_ptr<ExternalSession> session_;
};

}  // namespace warpbench
