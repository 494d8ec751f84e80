#include "device/backend/work_limit.hpp"

#include <mutex>
#include <set>
#include <utility>

#include "device/simt/stream_state.hpp"
#include "device/simt/work_limit.hpp"

namespace warpbench {
namespace {

using TimePoint = std::chrono::steady_clock::time_point;

/// Of the whole process.
struct LivingLimits {
  std::mutex mutex;
  std::uint64_t last = 0;
  std::set<std::uint64_t> numbers;
};
LivingLimits& living_limits() {
  static LivingLimits limits;
  return limits;
}

thread_local TimePoint current_end = TimePoint::max();
thread_local std::uint64_t current_number = 0;

}  // namespace

WorkLimit::WorkLimit(TimePoint end) {
  LivingLimits& limits = living_limits();
  const std::lock_guard lock(limits.mutex);
  limits.numbers.insert(limits.last + 1);
  current_number = ++limits.last;
  current_end = end;
}

WorkLimit::~WorkLimit() {
  current_end = TimePoint::max();
  const std::uint64_t number = std::exchange(current_number, 0);
  runtime::forget_given_up_work(number);
  LivingLimits& limits = living_limits();
  const std::lock_guard lock(limits.mutex);
  limits.numbers.erase(number);
}

TimePoint simt::end_of_work() noexcept {
  return current_end;
}

std::uint64_t simt::current_limit() noexcept {
  return current_number;
}

bool simt::is_living_limit(std::uint64_t limit) {
  LivingLimits& limits = living_limits();
  const std::lock_guard lock(limits.mutex);
  return limits.numbers.contains(limit);
}

}  // namespace warpbench
