#include "harness/run/finished.hpp"

#include <algorithm>
#include <cstdint>

#include "harness/record/statistics.hpp"

namespace warpbench::harness {

bool wants_more_samples(const Protocol& wanted, const Record& record) {
  if (!record.outcome.time || record.outcome.time->samples.empty()) return false;
  const TimeFacts& time = *record.outcome.time;
  const Protocol& had = record.protocol;
  const bool asks_for_more = wanted.repetitions > had.repetitions ||
                             wanted.minimum_repetitions > had.minimum_repetitions ||
                             wanted.target_half_width < had.target_half_width;
  if (!asks_for_more) return false;
  const auto taken = static_cast<std::int64_t>(time.samples.size());
  if (taken >= wanted.repetitions) return false;
  if (time.stopped_by == "timeout" && wanted.timeout_seconds <= had.timeout_seconds) return false;
  return taken < wanted.minimum_repetitions ||
         median_interval(time.samples).relative_half_width() > wanted.target_half_width;
}

bool wants_more_preparations(const Protocol& wanted, const Record& record) {
  if (!record.outcome.time || !record.outcome.prepare) return false;
  // A record of before has the time of its only one, and no list.
  const auto taken = std::max<std::int64_t>(1, static_cast<std::int64_t>(record.outcome.prepare->samples.size()));
  if (taken >= wanted.preparations) return false;
  const bool was_cut_short = taken < record.protocol.preparations;
  return !was_cut_short || wanted.prepare_timeout_seconds > record.protocol.prepare_timeout_seconds;
}

bool is_finished(const Record& record, const Protocol& protocol, const std::set<Status>& retry) {
  const Status status = record.outcome.status;
  return status != Status::interrupted && !retry.contains(status) && !wants_more_samples(protocol, record) &&
         !wants_more_preparations(protocol, record);
}

}  // namespace warpbench::harness
