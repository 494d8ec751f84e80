// simt has no GPU that a profiler could watch.
#include "device/profiled_range.hpp"

namespace warpbench {
namespace {

thread_local bool lives = false;

}  // namespace

ProfiledRange::ProfiledRange() {
  lives = true;
}

ProfiledRange::~ProfiledRange() {
  lives = false;
}

bool ProfiledRange::open() {
  return lives;
}

}  // namespace warpbench
