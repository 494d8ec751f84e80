// simt has no GPU that a profiler could watch.
#include "device/profiled_range.hpp"

namespace warpbench {

ProfiledRange::ProfiledRange() = default;
ProfiledRange::~ProfiledRange() = default;

}  // namespace warpbench
