// Lane order and watchdog settings; see order.hpp.
#include "device/simt/order.hpp"

#include <charconv>
#include <cstdlib>
#include <mutex>
#include <string>

#include "device/error.hpp"

namespace warpbench::simt {
namespace {

// Long enough for any honest block under a sanitizer, short enough for a CI job to say what hangs.
constexpr double kDefaultWatchdogSeconds = 300;

struct Settings {
  std::mutex mutex;
  LaneOrder order;
  double watchdog_seconds = kDefaultWatchdogSeconds;

  Settings() {
    if (const char* text = std::getenv("WARPBENCH_SIMT_ORDER")) order = parse_lane_order(text);
    if (const char* text = std::getenv("WARPBENCH_SIMT_WATCHDOG")) {
      char* end = nullptr;
      watchdog_seconds = std::strtod(text, &end);
      if (end == text || *end != '\0' || !(watchdog_seconds >= 0)) {
        throw DeviceError(std::string("$WARPBENCH_SIMT_WATCHDOG is '") + text + "'; expected seconds");
      }
    }
  }
};

Settings& settings() {
  static Settings instance;
  return instance;
}

}  // namespace

LaneOrder parse_lane_order(std::string_view text) {
  if (text == "ascending") return LaneOrder::ascending();
  if (text == "descending") return LaneOrder::descending();
  constexpr std::string_view kPrefix = "shuffle:";
  if (text.starts_with(kPrefix)) {
    const std::string_view digits = text.substr(kPrefix.size());
    std::uint64_t seed = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seed);
    if (error == std::errc{} && stop == digits.data() + digits.size()) return LaneOrder::shuffle(seed);
  }
  throw DeviceError("lane order '" + std::string(text) + "'; expected ascending, descending or shuffle:SEED");
}

void set_lane_order(LaneOrder order) {
  const std::lock_guard lock(settings().mutex);
  settings().order = order;
}

LaneOrder lane_order() {
  const std::lock_guard lock(settings().mutex);
  return settings().order;
}

void set_watchdog(double seconds) {
  const std::lock_guard lock(settings().mutex);
  settings().watchdog_seconds = seconds;
}

double watchdog() {
  const std::lock_guard lock(settings().mutex);
  return settings().watchdog_seconds;
}

}  // namespace warpbench::simt
