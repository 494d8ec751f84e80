#include "problems/set_containment/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace warpbench {

using Output = SetContainment::Output;

namespace {

/// "sets 3 and 7", or "place 9 of no pair".
std::string pair_text(std::int64_t sets, std::uint64_t place) {
  if (place >= pairs::count(sets)) return fmt::format("place {} of no pair", place);
  const pairs::Pair pair = pairs::pair_at(sets, place);
  return fmt::format("sets {} and {}", pair.row, pair.column);
}

Judgement judge_pairs(const datasets::SetCollection& sets, std::span<const std::uint64_t> found,
                      std::span<const std::uint64_t> expected) {
  const auto [first_found, first_expected] = std::ranges::mismatch(found, expected);
  const std::string among = fmt::format(" at number {} of the contained pairs", first_found - found.begin());
  const std::int64_t k = sets.count();
  if (first_found != found.end() && first_expected != expected.end()) {
    return wrong(
        fmt::format("expected {}, found {}{}", pair_text(k, *first_expected), pair_text(k, *first_found), among));
  }
  if (first_expected != expected.end()) {
    return wrong(fmt::format("expected {} contained pairs, found {}, without {}", expected.size(), found.size(),
                             pair_text(k, *first_expected)));
  }
  if (first_found != found.end()) {
    return wrong(fmt::format("expected {} contained pairs, found {}, among them {}", expected.size(), found.size(),
                             pair_text(k, *first_found)));
  }
  Judgement judgement;
  judgement.verdict = Verdict::exact;
  judgement.metrics["contained"] = static_cast<double>(expected.size());
  return judgement;
}

}  // namespace

std::uint32_t value_of(Output output, std::uint32_t common, std::int64_t a, std::int64_t b) {
  const std::int64_t smaller = std::min(a, b);
  if (output != Output::degree) return static_cast<std::int64_t>(common) == smaller ? 1 : 0;
  const float degree = smaller == 0 ? 1.0F : static_cast<float>(common) / static_cast<float>(smaller);
  return std::bit_cast<std::uint32_t>(degree);
}

ProblemInfo SetContainment::info() {
  ProblemInfo info;
  info.id = "set_containment";
  info.title = "Set containment of all pairs";
  info.source = "bellas2022, §6.1.2, §6.3";
  info.task = {parameter("output", "degree")
                   .one_of({"degree", "contained", "pairs"})
                   .means("degree: of each pair the common tokens over the smaller set's; contained: of each pair "
                          "whether that is 1; pairs: only the pairs of which it is")};
  info.accepts = {datasets::Kind::Sets};
  info.work_unit = "elements";
  return info;
}

SetContainment::Input SetContainment::input(const datasets::Dataset& dataset, const Parameters& task) {
  const std::string& output = task.text("output");
  return {.sets = &dataset.as<datasets::SetCollection>(),
          .output = output == "pairs"       ? Output::pairs
                    : output == "contained" ? Output::contained
                                            : Output::degree};
}

std::uint64_t SetContainment::Answer::digest() const {
  std::uint64_t sum = pairs::Answer::digest();
  for (std::size_t i = 0; i < places.size(); ++i) sum += mix64(i, places[i]);  // their order counts, too
  return sum;
}

SetContainment::Reference SetContainment::reference(const Input& input) {
  if (input.output == Output::pairs) {
    Reference reference;
    reference.places = contained_pairs(*input.sets);
    return reference;
  }
  const auto value = [output = input.output](std::uint32_t common, std::int64_t a, std::int64_t b) {
    return value_of(output, common, a, b);
  };
  return {pairs::reference(*input.sets, value, input.limits), {}};
}

Judgement SetContainment::judge(const Input& input, const Answer& answer, const Reference& reference) {
  if (input.output == Output::pairs) return judge_pairs(*input.sets, answer.places, reference.places);
  Judgement judgement = pairs::judge(*input.sets, answer, reference, input.limits);
  if (judgement.verdict == Verdict::exact && answer.band_digests.empty()) {
    const std::uint32_t one = value_of(input.output, 1, 1, 1);
    judgement.metrics["contained"] = static_cast<double>(std::ranges::count(answer.kept, one));
  }
  return judgement;
}

SetContainment::Reference SetContainment::read_reference(const Input& input, ReferenceReader& stored) {
  Reference reference;
  if (input.output == Output::pairs) {
    reference.places = stored.take_rest<std::uint64_t>();
  } else {
    static_cast<pairs::Values&>(reference) = pairs::read(stored, input.sets->count(), input.limits);
  }
  return reference;
}

WARPBENCH_PROBLEM(SetContainment)

}  // namespace warpbench
