// CeilingShare: the share of a machine's ceiling that a trial reached.
#pragma once

#include <optional>

#include "harness/machine/ceilings.hpp"
#include "harness/record/record.hpp"

namespace warpbench::harness {

/// The share of a ceiling that a trial reached: its counter `gather_shared_bytes` (random reads of shared memory),
/// `gather_l2_bytes` (of a table that fits the L2 cache), `gather_bytes` (of device memory) or `bytes_moved`, divided
/// by its median time and by the ceiling of the solver's side. Of several, that of the ceiling it came nearest to
/// without exceeding it. Where it exceeds all of them, the one that it exceeds the least, without a share. nullopt if
/// counters, time or ceilings are missing, and for a GPU solver on simt.
std::optional<CeilingShare> ceiling_share(const Record& record, const Ceilings& ceilings);

}  // namespace warpbench::harness
