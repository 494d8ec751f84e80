#include "harness/record/ceiling_share.hpp"

#include <array>
#include <string>
#include <utility>

namespace warpbench::harness {

std::optional<CeilingShare> ceiling_share(const Record& record, const Ceilings& ceilings) {
  if (!record.timed()) return std::nullopt;
  const std::string side = record.solver.device == "cpu" ? "host_" : "device_";
  constexpr std::array<std::pair<const char*, const char*>, 4> kPairs{{{"gather_shared_bytes", "gather_shared"},
                                                                       {"gather_l2_bytes", "gather_l2"},
                                                                       {"gather_bytes", "gather"},
                                                                       {"bytes_moved", "copy"}}};
  std::optional<CeilingShare> nearest;
  std::optional<std::pair<double, CeilingShare>> exceeded;
  for (const auto& [counter, kind] : kPairs) {
    const auto counted = record.outcome.counters.find(counter);
    const auto ceiling = ceilings.find(side + kind);
    if (counted == record.outcome.counters.end() || ceiling == ceilings.end()) continue;
    const double rate = counted->second / record.outcome.time->median;
    if (rate <= 0 || ceiling->second.value <= 0) continue;
    const double share = rate / ceiling->second.value;
    if (share > 1) {  // nearer memory served it: this ceiling is none of its bounds
      if (!exceeded || share < exceeded->first) exceeded.emplace(share, CeilingShare{ceiling->first, std::nullopt});
    } else if (!nearest || share > *nearest->share) {
      nearest = CeilingShare{ceiling->first, share};
    }
  }
  if (!nearest && exceeded) return exceeded->second;
  return nearest;
}

}  // namespace warpbench::harness
