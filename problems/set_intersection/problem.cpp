#include "problems/set_intersection/problem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "datasets/input_error.hpp"

namespace warpbench {
namespace {

using Token = datasets::Token;
using Mode = SetIntersection::Mode;

constexpr const char* kTwoSets = "two sets, for mode: single";
constexpr const char* kToTwoSets = "take two of them, `first: 2` or `largest: 2`, or ask mode: multi";

std::string foresee(const datasets::Outline& outline, const Parameters& task) {
  if (task.text("mode") != "single" || outline.sets.value_or(2) == 2) return {};
  return fmt::format("expected {}, found {} ({})", kTwoSets, *outline.sets, kToTwoSets);
}

/// The tokens of `a` that `b` holds, each looked up: ascending. O(|a| log |b|).
std::vector<Token> common_tokens(std::span<const Token> a, std::span<const Token> b) {
  std::vector<Token> common;
  std::ranges::copy_if(a, std::back_inserter(common),
                       [b](Token token) { return std::ranges::binary_search(b, token); });
  return common;
}

std::uint32_t number_itself(std::uint32_t common, std::int64_t /*a*/, std::int64_t /*b*/) {
  return common;
}

Judgement judge_single(const SetIntersection::Input& input, const SetIntersection::Answer& answer,
                       const SetIntersection::Reference& reference) {
  if (answer.common != reference.common) {
    return wrong(fmt::format("expected {} common tokens, found {}", reference.common, answer.common));
  }
  if (input.as_set) {
    if (answer.tokens.size() != reference.tokens.size()) {
      return wrong(
          fmt::format("expected a set of {} tokens, found one of {}", reference.tokens.size(), answer.tokens.size()));
    }
    const auto [found, expected] = std::ranges::mismatch(answer.tokens, reference.tokens);
    if (expected != reference.tokens.end()) {
      return wrong(fmt::format("place {}: expected the token {}, found {}", expected - reference.tokens.begin(),
                               *expected, *found));
    }
  }
  Judgement judgement;
  judgement.verdict = Verdict::exact;
  judgement.metrics["common"] = static_cast<double>(answer.common);
  return judgement;
}

}  // namespace

ProblemInfo SetIntersection::info() {
  ProblemInfo info;
  info.id = "set_intersection";
  info.title = "Set intersection, of one pair or of all pairs";
  info.source = "bellas2022, §6.1.1";
  info.task = {parameter("mode", "multi")
                   .one_of({"single", "multi"})
                   .means("single: the two sets of a collection of two (SISI); multi: all pairs (MISI)"),
               parameter("answer", "count")
                   .one_of({"count", "set"})
                   .means("the number of common tokens, or (mode: single) also the tokens")};
  info.accepts = {datasets::Kind::Sets};
  info.work_unit = "elements";
  info.validate = [](const Parameters& task) {
    if (task.text("answer") == "set" && task.text("mode") != "single") {
      throw ParameterError("answer", "answer: set needs mode: single; of all pairs only the numbers are asked for");
    }
  };
  info.foresee = foresee;
  return info;
}

std::uint64_t SetIntersection::Answer::digest() const {
  return counts.digest() + mix64(common) + digest_of_places(tokens);
}

SetIntersection::Input SetIntersection::input(const datasets::Dataset& dataset, const Parameters& task) {
  const auto& sets = dataset.as<datasets::SetCollection>();
  const Mode mode = task.text("mode") == "single" ? Mode::single : Mode::multi;
  if (mode == Mode::single && sets.count() != 2) {
    throw datasets::InputError(dataset.name, 0, kTwoSets, fmt::format("{}", sets.count()), kToTwoSets);
  }
  return {.sets = &sets, .mode = mode, .as_set = task.text("answer") == "set"};
}

SetIntersection::Reference SetIntersection::reference(const Input& input) {
  Reference reference;
  if (!input.is_single()) {
    reference.counts = pairs::reference(*input.sets, number_itself, input.limits);
    return reference;
  }
  const bool swap = input.a().size() > input.b().size();
  std::vector<Token> common = common_tokens(swap ? input.b() : input.a(), swap ? input.a() : input.b());
  reference.common = common.size();
  if (input.as_set) reference.tokens = std::move(common);
  return reference;
}

Judgement SetIntersection::judge(const Input& input, const Answer& answer, const Reference& reference) {
  if (input.is_single()) return judge_single(input, answer, reference);
  return pairs::judge(*input.sets, answer.counts, reference.counts, input.limits);
}

SetIntersection::Reference SetIntersection::read_reference(const Input& input, ReferenceReader& stored) {
  Reference reference;
  if (!input.is_single()) reference.counts = pairs::read(stored, input.sets->count(), input.limits);
  reference.common = stored.take<std::uint64_t>(1)[0];
  if (input.is_single() && reference.common > std::min(input.a().size(), input.b().size())) {
    stored.refuse(
        fmt::format("{} common tokens of sets of {} and {}", reference.common, input.a().size(), input.b().size()));
  }
  reference.tokens = stored.take<Token>(input.as_set ? reference.common : 0);
  return reference;
}

WARPBENCH_PROBLEM(SetIntersection)

}  // namespace warpbench
