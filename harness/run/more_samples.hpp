// More samples: whether a finished trial has fewer samples than a changed protocol asks for.
#pragma once

#include "harness/record/record.hpp"
#include "harness/spec/protocol.hpp"

namespace warpbench::harness {

/// Whether `wanted` asks for more samples than the record's own protocol did, and would not have ended the trial with
/// those that it has. A trial that its timeout ended must also be given a longer one. False for records without times.
[[nodiscard]] bool wants_more_samples(const Protocol& wanted, const Record& record);

}  // namespace warpbench::harness
