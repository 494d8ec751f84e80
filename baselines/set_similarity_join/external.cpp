#include "baselines/set_similarity_join/external.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>

#include "solvers/external/own_program.hpp"

namespace warpbench::similarity {
namespace {

using Json = nlohmann::json;
using Output = SetSimilarityJoin::Output;

constexpr const char* kProblem = "set_similarity_join";
constexpr const char* kPairFile = "pairs.bin";

const char* name_of(Measure measure) {
  if (measure == Measure::jaccard) return "jaccard";
  return measure == Measure::cosine ? "cosine" : "dice";
}

const char* name_of(Output output) {
  if (output == Output::count) return "count";
  return output == Output::pairs ? "pairs" : "digest";
}

Json task_of(const SetSimilarityJoin::Input& input) {
  return {{"similarity", name_of(input.measure)},
          {"threshold", {input.threshold.numerator, input.threshold.denominator}},
          {"left", input.left},
          {"output", name_of(input.output)}};
}

[[maybe_unused]] const bool kRegisteredOwnProgram = register_own_program<SetSimilarityJoin, ExternalSimilarityJoin>();

}  // namespace

void ExternalSimilarityJoin::prepare(const Input& input, Phases& phases) {
  input_ = &input;
  start(phases);
  const datasets::SetCollection& sets = *input.sets;
  {
    const auto scope = phases.cpu("write");
    const std::vector<std::uint64_t> of_nothing{0};  // a collection without sets may lack them
    session().write("offsets.u64",
                    sets.offsets.empty() ? std::span<const std::uint64_t>(of_nothing) : sets.offsets.span());
    session().write("tokens.u32", sets.tokens);
  }
  session().prepare(kProblem, {{"sets", sets.count()}, {"tokens", sets.total()}}, parameters(), phases);
}

void ExternalSimilarityJoin::solve(Phases& phases) {
  answer_ = {};
  pairs_.clear();
  session().solve_in_one_turn(kProblem, {{"task", task_of(*input_)}}, parameters(), "join", kPairFile, phases);
  const auto scope = phases.untimed("program");
  answer_.count = session().program().answered_count("count");
  if (input_->output == Output::count) return;
  pairs_ = session().read<Pair>(kPairFile, answer_.count);
  if (input_->output == Output::pairs) {
    answer_.pairs = pairs_;
  } else {
    for (const Pair& pair : pairs_) answer_.pair_digest += digest_of_pair(pair.a, pair.b);
  }
}

void ExternalSimilarityJoin::download(Answer& answer, Phases& /*phases*/) {
  answer = answer_;
}

}  // namespace warpbench::similarity
