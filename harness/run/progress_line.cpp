#include "harness/run/progress_line.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace warpbench::harness {
namespace {

constexpr std::string_view kCut = "…";

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// In characters.
std::size_t width_of(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues_character));
}

/// Where the character begins that follows `characters` others.
std::size_t place_of(std::string_view text, std::size_t characters) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (!continues_character(text[at]) && characters-- == 0) break;
  }
  return at;
}

/// How far a line gives in.
struct Shortening {
  std::size_t experiment;  ///< characters that its name keeps at least; 0: it is left out
  std::size_t dataset;
  std::size_t times;  ///< index
};

constexpr std::size_t kReadable = 12;
constexpr std::size_t kFewest = 6;
constexpr std::array<Shortening, 6> kShortenings{{{kReadable, kReadable, 0},
                                                  {kReadable, kReadable, 1},
                                                  {kFewest, kFewest, 1},
                                                  {0, kFewest, 1},
                                                  {0, kFewest, 2},
                                                  {0, 0, 2}}};

/// `experiment: dataset ` of two names that keep so many characters.
std::string named(const ProgressLine& line, std::size_t experiment, std::size_t dataset) {
  std::string text;
  if (experiment > 0 && !line.trial.experiment.empty()) text = without_middle(line.trial.experiment, experiment) + ": ";
  return dataset > 0 ? text + without_middle(line.trial.dataset, dataset) + ' ' : text;
}

}  // namespace

std::string without_middle(std::string_view text, std::size_t columns) {
  const std::size_t width = width_of(text);
  if (width <= columns) return std::string(text);
  if (columns == 0) return "";
  const std::size_t end = (columns - 1) / 2;  // the end of a name tells more seldom than its beginning
  std::string shortened(text.substr(0, place_of(text, columns - 1 - end)));
  return shortened.append(kCut).append(text.substr(place_of(text, width - end)));
}

std::string fitted(const ProgressLine& line, std::size_t columns) {
  const std::size_t full_experiment = width_of(line.trial.experiment);
  const std::size_t full_dataset = line.trial.only_dataset ? 0 : width_of(line.trial.dataset);
  const std::string kept = line.trial.solver + line.state;
  for (const Shortening& most : kShortenings) {
    const std::string times = most.times < line.times.size() ? line.times[most.times] : "";
    const std::size_t least_experiment = std::min(most.experiment, full_experiment);
    const std::size_t least_dataset = std::min(most.dataset, full_dataset);
    std::size_t experiment = most.experiment == 0 ? 0 : full_experiment;
    std::size_t dataset = most.dataset == 0 ? 0 : full_dataset;
    const std::size_t others = width_of(line.count) + width_of(kept) + width_of(times);
    // One character after the other is taken from the longer name, or from the one that may still lose some.
    while (others + width_of(named(line, experiment, dataset)) > columns &&
           (experiment > least_experiment || dataset > least_dataset)) {
      const bool from_experiment = dataset <= least_dataset || (experiment > least_experiment && experiment >= dataset);
      --(from_experiment ? experiment : dataset);
    }
    std::string text = line.count + named(line, experiment, dataset) + kept + times;
    if (width_of(text) <= columns) return text;
  }
  const std::string text = line.count + kept;
  return text.substr(0, place_of(text, columns - 1)).append(kCut);
}

}  // namespace warpbench::harness
