// simt has no GPU that a profiler could watch.
#include "device/profiled_range.hpp"

namespace warpbench {

ProfiledRange::ProfiledRange() {
  open_ = true;
}

ProfiledRange::~ProfiledRange() {
  open_ = false;
}

}  // namespace warpbench
