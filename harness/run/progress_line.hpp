// ProgressLine: what is shown of the running trial in one line of a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/plan/trial_labels.hpp"

namespace warpbench::harness {

struct ProgressLine {
  std::string count;  ///< `[3/12] `
  TrialLabel trial;
  std::string state;               ///< what it does, such as `, preparing`
  std::vector<std::string> times;  ///< of the run, in words that get shorter
};

/// The line in at most `columns` characters. It leaves out the dataset that all trials share. Where it is too long, the
/// names of experiment and dataset lose their middles, then the times words, then the experiment goes; solver and
/// values, which tell the trial from the others, are cut last. Cuts no UTF-8 sequence.
[[nodiscard]] std::string fitted(const ProgressLine& line, std::size_t columns);

/// A text with `…` in place of its middle, if it is longer than `columns`.
[[nodiscard]] std::string without_middle(std::string_view text, std::size_t columns);

}  // namespace warpbench::harness
