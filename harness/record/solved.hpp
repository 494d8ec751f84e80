// Solved: how much of an answer there is, where a solver may give up parts of it, such as queries whose time is up, and
// the time that such a trial may be compared by.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/record/record.hpp"
#include "harness/record/statistics.hpp"

namespace warpbench::harness {

/// By so much the mean of counts over samples may miss a whole number.
inline constexpr double kRounding = 1e-6;

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

/// The seconds to add to each of the record's times so that every unsolved query counts with its limit, also one that
/// ended early for want of memory: 0 where all are solved. From the counter that the problem names
/// (ProblemInfo::mean_with_limits), which is of the last sample. Nothing where the record cannot tell: without that
/// counter, and where some samples solved more than others.
[[nodiscard]] std::optional<double> seconds_up_to_limits(const Record& record);
/// The median time by which a trial may be compared with others, with its interval: seconds_up_to_limits() are in it.
/// Nothing where there is no time that counts, or the record cannot tell.
[[nodiscard]] std::optional<MedianInterval> comparable_time(const Record& record);

}  // namespace warpbench::harness
