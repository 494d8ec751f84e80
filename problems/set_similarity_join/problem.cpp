#include "problems/set_similarity_join/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "datasets/input_error.hpp"
#include "problems/set_similarity_join/reference.hpp"

namespace warpbench {
namespace {

using Input = SetSimilarityJoin::Input;
using Output = SetSimilarityJoin::Output;
using Reference = SetSimilarityJoin::Reference;
using similarity::Measure;
using similarity::Pair;

#pragma omp declare reduction(+ : Reference : omp_out += omp_in)

Reference digested(std::span<const Pair> pairs) {
  Reference all;
#pragma omp parallel for reduction(+ : all) if (pairs.size() > 10'000)
  for (std::size_t i = 0; i < pairs.size(); ++i) all.add(pairs[i]);
  return all;
}

/// What is wrong with a pair by itself; "" where nothing is.
std::string fault_of(const Input& input, const Pair& pair) {
  const auto sets = static_cast<std::uint64_t>(input.sets->count());
  if (pair.a >= pair.b || pair.b >= sets) {
    return fmt::format("expected two of {} sets, the lower number first", sets);
  }
  if (!input.joins(pair.a, pair.b)) {
    return fmt::format("expected one of the first {} sets and one of the others", input.left);
  }
  const std::int64_t size_a = input.sets->size(pair.a);
  const std::int64_t size_b = input.sets->size(pair.b);
  const std::uint32_t overlap = similarity::overlap_of(input.sets->set(pair.a), input.sets->set(pair.b));
  if (!input.similar(overlap, size_a, size_b)) {
    return fmt::format("these sets of {} and {} tokens are not similar: they share {}", size_a, size_b, overlap);
  }
  const float expected = similarity::value_of(input.measure, overlap, static_cast<std::uint32_t>(size_a),
                                              static_cast<std::uint32_t>(size_b));
  if (std::bit_cast<std::uint32_t>(expected) == std::bit_cast<std::uint32_t>(pair.similarity)) return "";
  return fmt::format("expected the similarity {}", expected);
}

/// The first pair that is wrong by itself or, where none is, that is there twice.
std::string first_false_pair(const Input& input, std::span<const Pair> pairs) {
  const auto found = [&](std::size_t place) {
    const Pair& pair = pairs[place];
    return fmt::format("found the pair {}, {} of similarity {} at place {}", pair.a, pair.b, pair.similarity, place);
  };
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::string fault = fault_of(input, pairs[i]);
    if (!fault.empty()) return fault + ", " + found(i);
  }
  std::vector<std::size_t> places(pairs.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  const auto numbers = [&](std::size_t place) { return std::pair(pairs[place].a, pairs[place].b); };
  std::ranges::stable_sort(places, {}, numbers);
  const auto twice = std::ranges::adjacent_find(places, {}, numbers);
  if (twice == places.end()) return "";
  return fmt::format("expected each pair once, {} and at place {}", found(*twice), *std::next(twice));
}

Judgement judge_pairs(const Input& input, const SetSimilarityJoin::Answer& answer, const Reference& reference,
                      Judgement exact) {
  if (answer.pairs.size() != answer.count) {
    return wrong(fmt::format("expected {} pairs in memory, found {}", answer.count, answer.pairs.size()));
  }
  if (digested(answer.pairs).parts() == reference.parts()) return exact;
  const std::string fault = first_false_pair(input, answer.pairs);
  if (!fault.empty()) return wrong(fault);
  const char* const why = answer.count < reference.count ? "some are missing" : "the reference is wrong";
  return wrong(fmt::format("expected {} pairs, found {}, all of them right: {}", reference.count, answer.count, why));
}

}  // namespace

ProblemInfo SetSimilarityJoin::info() {
  ProblemInfo info;
  info.id = "set_similarity_join";
  info.title = "Set similarity join: the pairs of sets whose similarity is at least a threshold";
  info.source = "bellas2022, §4, §5";
  info.task = {
      parameter("threshold", 0.8)
          .range(0, 1)
          .means("similarity from which on two sets are joined, above 0; read as the simplest fraction: 0.8 is 4/5"),
      parameter("similarity", "jaccard")
          .one_of({"jaccard", "cosine", "dice"})
          .means("of sets of a and b tokens with o in common: o / (a + b - o), o / sqrt(a b), 2 o / (a + b)"),
      parameter("output", "digest")
          .one_of({"digest", "count", "pairs"})
          .means("the number of pairs; or a digest, too; or the pairs in memory, each with its similarity"),
      parameter("left", 0)
          .range(0, static_cast<double>(datasets::kMaxSets))
          .in("sets")
          .means("pairs have one of the first so many sets and one of the others; 0: any two (self-join)")};
  info.accepts = {datasets::Kind::Sets};
  info.work_unit = "pairs";
  info.validate = [](const Parameters& task) {
    try {
      static_cast<void>(similarity::fraction_of(task.real("threshold")));
    } catch (const std::invalid_argument& error) {
      throw ParameterError("threshold", error.what());
    }
  };
  return info;
}

std::uint64_t Input::pairs() const {
  const auto all = static_cast<std::uint64_t>(sets->count());
  const auto first = static_cast<std::uint64_t>(left);
  if (left > 0) return first * (all - first);
  return all % 2 == 0 ? all / 2 * (all - (all == 0 ? 0 : 1)) : (all - 1) / 2 * all;
}

std::map<std::string, double> Input::work() const {
  return {{"pairs", static_cast<double>(pairs())}, {"tokens", static_cast<double>(sets->total())}};
}

std::uint64_t SetSimilarityJoin::Answer::digest() const {
  const Reference of_pairs = digested(pairs);
  return mix64(mix64(count, pair_digest), mix64(of_pairs.count, of_pairs.similarity_digest));
}

void SetSimilarityJoin::Answer::poison() {
  count = kPoison;
  pair_digest = kPoison;
  std::ranges::fill(pairs, Pair{kPoison, kPoison, std::bit_cast<float>(kPoison)});
}

void Reference::add(const Pair& pair) {
  const std::uint64_t digest = similarity::digest_of_pair(pair.a, pair.b);
  ++count;
  pair_digest += digest;
  similarity_digest += mix64(digest, std::bit_cast<std::uint32_t>(pair.similarity));
}

Reference& Reference::operator+=(const Reference& other) {
  count += other.count;
  pair_digest += other.pair_digest;
  similarity_digest += other.similarity_digest;
  return *this;
}

Input SetSimilarityJoin::input(const datasets::Dataset& dataset, const Parameters& task) {
  Input input;
  input.sets = &dataset.as<datasets::SetCollection>();
  input.left = task.integer("left");
  if (input.left > input.sets->count()) {
    throw datasets::InputError(dataset.name, 0, fmt::format("at least {0} sets, for left: {0}", input.left),
                               fmt::format("{}", input.sets->count()), "ask a smaller left, or 0 for a self-join");
  }
  const std::string& measure = task.text("similarity");
  input.measure = measure == "cosine" ? Measure::cosine : measure == "dice" ? Measure::dice : Measure::jaccard;
  input.threshold = similarity::fraction_of(task.real("threshold"));
  const std::string& output = task.text("output");
  input.output = output == "count" ? Output::count : output == "pairs" ? Output::pairs : Output::digest;
  return input;
}

Reference SetSimilarityJoin::reference(const Input& input) {
  const bool is_small = similarity::compared_tokens(input) <= input.limits.compared_tokens;
  return is_small ? similarity::by_brute_force(input) : similarity::by_prefixes(input);
}

Judgement SetSimilarityJoin::judge(const Input& input, const Answer& answer, const Reference& reference) {
  Judgement judgement;
  judgement.verdict = Verdict::exact;
  const auto count = static_cast<double>(reference.count);
  judgement.metrics["similar_pairs"] = count;
  if (input.pairs() > 0) judgement.metrics["selectivity"] = count / static_cast<double>(input.pairs());
  if (input.output == Output::pairs) return judge_pairs(input, answer, reference, std::move(judgement));
  if (answer.count != reference.count) {
    return wrong(fmt::format("expected {} pairs, found {}", reference.count, answer.count));
  }
  if (input.output == Output::digest && answer.pair_digest != reference.pair_digest) {
    return wrong(fmt::format("expected {} pairs of digest {:016x}, found as many of digest {:016x}", reference.count,
                             reference.pair_digest, answer.pair_digest));
  }
  return judgement;
}

Reference SetSimilarityJoin::read_reference(const Input& input, ReferenceReader& stored) {
  Reference reference;
  reference.count = stored.take<std::uint64_t>(1)[0];
  reference.pair_digest = stored.take<std::uint64_t>(1)[0];
  reference.similarity_digest = stored.take<std::uint64_t>(1)[0];
  if (reference.count > input.pairs()) {
    stored.refuse(fmt::format("{} similar pairs of {}", reference.count, input.pairs()));
  }
  return reference;
}

WARPBENCH_PROBLEM(SetSimilarityJoin)

}  // namespace warpbench
