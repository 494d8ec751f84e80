// CeilingShare: the share of a machine's ceiling that a trial reached.
#pragma once

#include <optional>

#include "harness/machine/ceilings.hpp"
#include "harness/record/record.hpp"

namespace warpbench::harness {

/// The share of a ceiling that a trial reached: its counter `gather_shared_bytes` (random reads of shared
/// memory), `gather_bytes` (of device memory) or `bytes_moved`, divided by its median time and by the ceiling of the
/// solver's side. Of several, that of the ceiling it came nearest to. nullopt if counters, time or ceilings are
/// missing, and for a GPU solver on simt.
std::optional<CeilingShare> ceiling_share(const Record& record, const Ceilings& ceilings);

}  // namespace warpbench::harness
