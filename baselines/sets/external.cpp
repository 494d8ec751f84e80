#include "baselines/sets/external.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>

#include "solvers/external/own_program.hpp"
#include "solvers/registry.hpp"

namespace warpbench::cpu_sets {
namespace {

using Json = nlohmann::json;

constexpr const char* kPhase = "intersect";
constexpr const char* kValueFile = "values.u32";
constexpr const char* kTokenFile = "common.u32";
constexpr const char* kPairFile = "pairs.u32";

const char* id_of(const SetIntersection::Input& /*input*/) {
  return "set_intersection";
}
const char* id_of(const SetContainment::Input& /*input*/) {
  return "set_containment";
}

Json task_of(const SetIntersection::Input& input) {
  return {{"mode", input.is_single() ? "single" : "multi"}, {"answer", input.as_set ? "set" : "count"}};
}
Json task_of(const SetContainment::Input& input) {
  switch (input.output) {
    case SetContainment::Output::degree:
      return {{"output", "degree"}};
    case SetContainment::Output::contained:
      return {{"output", "contained"}};
    case SetContainment::Output::pairs:
      break;
  }
  return {{"output", "pairs"}};
}

bool asks_for_all_values(const SetIntersection::Input& input) {
  return !input.is_single();
}
bool asks_for_all_values(const SetContainment::Input& input) {
  return input.output != SetContainment::Output::pairs;
}

[[maybe_unused]] const bool kRegisteredIntersection = register_own_program<SetIntersection, ExternalIntersection>();
[[maybe_unused]] const bool kRegisteredContainment = register_own_program<SetContainment, ExternalContainment>();

}  // namespace

template <typename Problem>
void ExternalSets<Problem>::prepare(const Input& input, Phases& phases) {
  input_ = &input;
  const datasets::SetCollection& sets = *input.sets;
  if (asks_for_all_values(input)) {
    const std::uint64_t pairs = pairs::count(sets.count());
    if (pairs > input.limits.kept) {
      throw Unsupported(
          fmt::format("{} pairs do not fit the answer of a program of one's own, which has at most {}; "
                      "take fewer sets with `first`",
                      pairs, input.limits.kept));
    }
    values_.resize(pairs);
  }
  this->start(phases);
  {
    const auto scope = phases.cpu("write");
    const std::vector<std::uint64_t> of_nothing{0};  // a collection without sets may lack them
    this->session().write("offsets.u64",
                          sets.offsets.empty() ? std::span<const std::uint64_t>(of_nothing) : sets.offsets.span());
    this->session().write("tokens.u32", sets.tokens);
  }
  this->session().prepare(id_of(input), {{"sets", sets.count()}, {"tokens", sets.total()}}, this->parameters(), phases);
}

template <typename Problem>
void ExternalSets<Problem>::solve_pairs(Phases& phases) {
  this->session().solve_once(id_of(input()), {{"task", task_of(input())}}, this->parameters(), kPhase, kValueFile,
                             values_, phases);
}

void ExternalIntersection::solve(Phases& phases) {
  input().is_single() ? solve_one_pair(phases) : solve_pairs(phases);
}

void ExternalIntersection::solve_one_pair(Phases& phases) {
  tokens_.clear();
  session().solve_in_one_turn(id_of(input()), {{"task", task_of(input())}}, parameters(), kPhase, kTokenFile, phases);
  const auto scope = phases.untimed("program");
  common_ = session().program().answered_count("count");
  if (!input().as_set) return;
  tokens_ = session().read<std::uint32_t>(kTokenFile, common_);
}

void ExternalIntersection::download(SetIntersection::Answer& answer, Phases& /*phases*/) {
  answer = {};
  if (input().is_single()) {
    answer.common = common_;
    answer.tokens = tokens_;
  } else {
    answer.counts = values();
  }
}

void ExternalContainment::solve(Phases& phases) {
  if (input().output == SetContainment::Output::pairs) {
    solve_contained_pairs(phases);
  } else {
    solve_pairs(phases);
  }
}

void ExternalContainment::solve_contained_pairs(Phases& phases) {
  places_.clear();
  session().solve_in_one_turn(id_of(input()), {{"task", task_of(input())}}, parameters(), kPhase, kPairFile, phases);
  const auto scope = phases.untimed("program");
  const std::int64_t sets = input().sets->count();
  for (const auto& [a, b] :
       session().read<std::array<std::uint32_t, 2>>(kPairFile, session().program().answered_count("count"))) {
    if (a >= b || b >= sets) {
      throw std::runtime_error(
          fmt::format("expected pairs of set numbers below {}, the lower one first, from {}, found {} and {}", sets,
                      session().program().title(), a, b));
    }
    places_.push_back(pairs::place_of(sets, a, b));
  }
  std::ranges::sort(places_);
}

void ExternalContainment::download(SetContainment::Answer& answer, Phases& /*phases*/) {
  answer = {};
  if (input().output == SetContainment::Output::pairs) {
    answer.places = places_;
  } else {
    answer = {values(), {}};
  }
}

template class ExternalSets<SetIntersection>;
template class ExternalSets<SetContainment>;

}  // namespace warpbench::cpu_sets
