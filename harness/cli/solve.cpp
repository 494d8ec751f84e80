// `warpbench solve`: runs one trial in this process, for debuggers and profilers, which cannot follow a worker forked
// without exec.
#include <fmt/format.h>

#include <iostream>
#include <stdexcept>

#include "harness/cli/commands.hpp"
#include "harness/plan/load_plan.hpp"
#include "harness/record/solved.hpp"
#include "harness/run/failure.hpp"
#include "harness/run/prepared_group.hpp"
#include "harness/run/run_options.hpp"
#include "harness/spec/spec.hpp"

namespace warpbench::harness {
namespace {

struct FoundTrial {
  const Plan& plan;
  const Trial& trial;
};

/// The trial whose id begins with the given digits. An id that two experiments of a suite share is one trial. Throws
/// std::invalid_argument if no trial or several match.
FoundTrial find_trial(const std::vector<Plan>& plans, const SolveCommand& command) {
  std::map<std::string, FoundTrial> found;
  std::size_t trials = 0;
  for (const Plan& plan : plans) {
    trials += plan.trials.size();
    for (const Trial& trial : plan.trials) {
      if (trial.id.starts_with(command.trial)) found.emplace(trial.id, FoundTrial{plan, trial});
    }
  }
  if (found.size() == 1) return found.begin()->second;
  std::string what = command.trial.empty() ? "none" : fmt::format("'{}'", command.trial);
  if (!command.trial.empty() && !found.empty()) what += fmt::format(", with which {} of them begin", found.size());
  std::string lister = fmt::format("warpbench plan {} --trials", command.request);
  for (const std::string& override : command.overrides) lister += fmt::format(" --set {}", override);
  throw std::invalid_argument(fmt::format("{}: expected the id of one of its {} trials, found {}; `{}` lists them",
                                          command.request, trials, what, lister));
}

std::string text_of(const Judgement& judgement) {
  std::string text = to_string(judgement.verdict);
  for (const auto& [name, value] : judgement.metrics) text += fmt::format(" {}={}", name, value);
  if (!judgement.difference.empty()) text += fmt::format(" ({})", judgement.difference);
  return text;
}

}  // namespace

int solve_trial(const SolveCommand& command) {
  const std::vector<Plan> plans = load_request(command.request, {command.data, command.overrides});
  const auto [plan, trial] = find_trial(plans, command);
  RunOptions options;
  options.data = command.data;
  options.cache = command.cache;
  options.threads = command.threads;
  options.max_inflation = command.max_inflation;
  options.patience = command.patience;
  std::string step = "loading the dataset";
  try {
    Plan once = plan;
    once.protocol.preparations = 1;  // nothing is timed
    PreparedGroup group(once, trial, options);
    group.need_device();
    group.load();
    group.make_instance("", [](bool) {});
    step = "preparing the solver";
    group.make_solver(trial.parameters);
    group.prepare();
    step = "solving";
    const TrialContext context = group.context(trial);
    const Judgement judgement = solve_once(context);
    const std::optional<Solved> solved = solved_of(judgement.metrics, context.work);
    const bool nothing = judgement.verdict != Verdict::wrong && solved && solved->none();
    std::string text = nothing ? to_string(*solved) : text_of(judgement) + remark_on(solved);
    const std::string digest = fmt::format("{:016x}", context.verifier.last_digest());
    const bool other = !command.digest.empty() && command.digest != digest;
    if (other) text += fmt::format("; expected an answer of digest {}, found {}", command.digest, digest);
    std::cout << fmt::format("{}: {}\n", label_of(plan, trial), text);
    return judgement.verdict == Verdict::wrong || nothing || other ? kSomeNotOk : kAllWell;
  } catch (...) {
    const Failure failure = failure_from(std::current_exception(), step);
    std::cout << fmt::format("{}: {}: {}\n", label_of(plan, trial), to_string(failure.status), failure.reason);
    return kSomeNotOk;
  }
}

}  // namespace warpbench::harness
