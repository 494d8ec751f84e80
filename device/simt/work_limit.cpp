#include "device/backend/work_limit.hpp"

#include <atomic>

#include "device/simt/stream_state.hpp"
#include "device/simt/work_limit.hpp"

namespace warpbench {
namespace {

using TimePoint = std::chrono::steady_clock::time_point;

std::atomic<TimePoint> current_end{TimePoint::max()};

}  // namespace

WorkLimit::WorkLimit(TimePoint end) {
  current_end = end;
}

WorkLimit::~WorkLimit() {
  current_end = TimePoint::max();
  runtime::forget_given_up_work();
}

TimePoint simt::end_of_work() {
  return current_end;
}

}  // namespace warpbench
