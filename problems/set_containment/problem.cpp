#include "problems/set_containment/problem.hpp"

#include <algorithm>
#include <bit>

namespace warpbench {

using Output = SetContainment::Output;

std::uint32_t value_of(Output output, std::uint32_t common, std::int64_t a, std::int64_t b) {
  const std::int64_t smaller = std::min(a, b);
  if (output == Output::contained) return static_cast<std::int64_t>(common) == smaller ? 1 : 0;
  const float degree = smaller == 0 ? 1.0F : static_cast<float>(common) / static_cast<float>(smaller);
  return std::bit_cast<std::uint32_t>(degree);
}

ProblemInfo SetContainment::info() {
  ProblemInfo info;
  info.id = "set_containment";
  info.title = "Set containment of all pairs";
  info.source = "bellas2022, §6.1.2, §6.3";
  info.task = {parameter("output", "degree")
                   .one_of({"degree", "contained"})
                   .means("degree: common tokens over the smaller set's; contained: whether that is 1")};
  info.accepts = {datasets::Kind::Sets};
  info.work_unit = "elements";
  return info;
}

SetContainment::Input SetContainment::input(const datasets::Dataset& dataset, const Parameters& task) {
  return {.sets = &dataset.as<datasets::SetCollection>(),
          .output = task.text("output") == "contained" ? Output::contained : Output::degree};
}

SetContainment::Reference SetContainment::reference(const Input& input) {
  const auto value = [output = input.output](std::uint32_t common, std::int64_t a, std::int64_t b) {
    return value_of(output, common, a, b);
  };
  return pairs::reference(*input.sets, value, input.limits);
}

Judgement SetContainment::judge(const Input& input, const Answer& answer, const Reference& reference) {
  Judgement judgement = pairs::judge(*input.sets, answer, reference, input.limits);
  if (judgement.verdict == Verdict::exact && answer.band_digests.empty()) {
    const std::uint32_t one = value_of(input.output, 1, 1, 1);
    judgement.metrics["contained"] = static_cast<double>(std::ranges::count(answer.kept, one));
  }
  return judgement;
}

SetContainment::Reference SetContainment::read_reference(const Input& input, ReferenceReader& stored) {
  return pairs::read(stored, input.sets->count(), input.limits);
}

WARPBENCH_PROBLEM(SetContainment)

}  // namespace warpbench
