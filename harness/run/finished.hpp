// Which recorded trials a run has done, and which it runs again.
#pragma once

#include <set>

#include "harness/record/record.hpp"
#include "harness/record/status.hpp"
#include "harness/spec/protocol.hpp"

namespace warpbench::harness {

/// Whether `wanted` asks for more samples than the record's own protocol did, and would not have ended the trial with
/// those that it has. A trial that its timeout ended must also be given a longer one. False for records without times.
[[nodiscard]] bool wants_more_samples(const Protocol& wanted, const Record& record);

/// The same of preparations, which prepare_timeout may have cut short.
[[nodiscard]] bool wants_more_preparations(const Protocol& wanted, const Record& record);

/// Whether the trial of the record, its last one, need not run: it was not interrupted, has not ended with one of the
/// statuses `retry`, and has as many samples and preparations as the protocol asks for.
[[nodiscard]] bool is_finished(const Record& record, const Protocol& protocol, const std::set<Status>& retry);

}  // namespace warpbench::harness
