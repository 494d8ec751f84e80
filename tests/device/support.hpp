// Shared by the device tests: skipping without a GPU, running a kernel under several orders, looking at errors.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "device/buffer.hpp"
#include "device/device.hpp"
#include "device/error.hpp"
#include "device/stream.hpp"

#if defined(WARPBENCH_SIMT)
#include "device/simt/order.hpp"
#endif

namespace warpbench::testing {

/// Skips on a machine without a device; every test starts with default settings and a stream of its own.
class DeviceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (devices().empty()) GTEST_SKIP() << "no device of backend " << backend_name();
    limit_ = memory_limit();
    stream_ = std::make_unique<Stream>();
  }
  void TearDown() override {
    stream_.reset();
    fail_allocation(0);
    fail_call(0);
    if (!devices().empty()) set_memory_limit(limit_);
#if defined(WARPBENCH_SIMT)
    simt::set_lane_order(order_);
    simt::set_watchdog(watchdog_);
#endif
  }
  Stream& stream() {
    return *stream_;
  }

 private:
  std::optional<std::int64_t> limit_;
  std::unique_ptr<Stream> stream_;
#if defined(WARPBENCH_SIMT)
  simt::LaneOrder order_ = simt::lane_order();
  double watchdog_ = simt::watchdog();
#endif
};

/// For misuse that only simt reports; skips on a GPU.
class StrictTest : public DeviceTest {
 protected:
  void SetUp() override {
#if defined(WARPBENCH_CUDA)
    GTEST_SKIP() << "a GPU leaves this misuse undefined";
#else
    DeviceTest::SetUp();
    // Which error comes first depends on the order; messages are compared under one.
    simt::set_lane_order(simt::LaneOrder::ascending());
#endif
  }
};

/// For misuse that only the shadow checker of the simt preset sees.
class ShadowTest : public StrictTest {
 protected:
  void SetUp() override {
#if !defined(WARPBENCH_SIMT_SHADOW)
    GTEST_SKIP() << "the shadow checker is not in this build (sanitizer presets and cuda)";
#else
    StrictTest::SetUp();
#endif
  }
};

/// Runs `body` once on a GPU, and on simt under ascending, descending and six shuffled orders.
inline void under_all_orders(const std::function<void()>& body) {
#if defined(WARPBENCH_SIMT)
  std::vector<simt::LaneOrder> orders{simt::LaneOrder::ascending(), simt::LaneOrder::descending()};
  for (std::uint64_t seed = 1; seed <= 6; ++seed) orders.push_back(simt::LaneOrder::shuffle(seed));
  for (const simt::LaneOrder& order : orders) {
    SCOPED_TRACE("lane order " + std::to_string(static_cast<int>(order.kind)) + ", seed " + std::to_string(order.seed));
    simt::set_lane_order(order);
    body();
  }
  simt::set_lane_order(simt::LaneOrder::ascending());
#else
  body();
#endif
}

/// The message of the DeviceError that `body` ends with; "" if it ends without one.
inline std::string error_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const DeviceError& error) {
    return error.what();
  }
  return "";
}

/// True if `text` holds every part; else says which one is missing.
inline ::testing::AssertionResult holds(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    if (text.find(part) == std::string::npos) {
      return ::testing::AssertionFailure() << "'" << part << "' is not in: " << (text.empty() ? "(no error)" : text);
    }
  }
  return ::testing::AssertionSuccess();
}

/// `count` uniform integers of [low, high], the same for the same seed.
template <typename T>
std::vector<T> random_values(std::int64_t count, std::int64_t low, std::int64_t high, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::uniform_int_distribution<std::int64_t> distribution(low, high);
  std::vector<T> values(static_cast<std::size_t>(count));
  for (T& value : values) value = static_cast<T>(distribution(engine));
  return values;
}

}  // namespace warpbench::testing
