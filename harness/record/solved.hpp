// Solved: how much of an answer there is, where a solver may give up parts of it, such as queries whose time is up.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/record/record.hpp"

namespace warpbench::harness {

struct Solved {
  std::int64_t solved = 0;  ///< the mean over the samples, rounded down
  std::int64_t asked = 0;

  [[nodiscard]] bool all() const { return solved >= asked; }
  [[nodiscard]] bool none() const { return solved == 0 && asked > 0; }
};

/// From the judge's metric `solved` and the input's work `queries`; nothing for problems without that metric.
[[nodiscard]] std::optional<Solved> solved_of(const Numbers& metrics, const Numbers& work);
/// Of a record's answer; nothing where there is none.
[[nodiscard]] std::optional<Solved> solved_of(const Outcome& outcome);

/// "12 of 20 solved".
[[nodiscard]] std::string to_string(const Solved& solved);
/// ", 12 of 20 solved", to follow a time or a verdict; "" where nothing was given up.
[[nodiscard]] std::string remark_on(const std::optional<Solved>& solved);

}  // namespace warpbench::harness
