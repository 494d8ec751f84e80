// Which recorded trials a run has done, and which it runs again.
#pragma once

#include <set>

#include "harness/record/record.hpp"
#include "harness/record/status.hpp"
#include "harness/spec/protocol.hpp"

namespace warpbench::harness {

/// Whether the trial of the record, its last one, need not run: it was not interrupted, has not ended with one of the
/// statuses `retry`, and has as many samples as the protocol asks for.
[[nodiscard]] bool is_finished(const Record& record, const Protocol& protocol, const std::set<Status>& retry);

}  // namespace warpbench::harness
