// The share of a machine's ceiling that a trial reached.
#pragma once

#include <optional>

#include "harness/machine/ceilings.hpp"
#include "harness/record/record.hpp"

namespace warpbench::harness {

/// The share of a ceiling that a trial reached: its counter `gather_bytes` (random reads) or `bytes_moved` over its
/// median time, against the ceiling of the solver's side. nullopt where counter, time or ceiling is absent, and for
/// a GPU solver on simt.
std::optional<CeilingShare> ceiling_share(const Record& record, const Ceilings& ceilings);

}  // namespace warpbench::harness
