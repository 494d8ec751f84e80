// A kernel ends at the time at which its caller gives up, and the stream can be used again.
#include "device/backend/work_limit.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <latch>
#include <thread>

#include "device/buffer.hpp"
#include "device/device.hpp"
#include "device/kernel.hpp"
#include "device/launch.hpp"
#include "device/stream.hpp"

namespace warpbench {
namespace {

using Clock = std::chrono::steady_clock;

__global__ void spin_kernel(View<std::uint32_t> counts, std::uint32_t rounds) {
  for (std::uint32_t i = 0; i < rounds; ++i) {
    __syncwarp();
    counts[threadIdx.x] = i + 1;
  }
}

class WorkLimitTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (backend_name() != "simt") GTEST_SKIP() << "a GPU's kernels run to their end";
  }
  void spin(std::uint32_t rounds) { launch(spin_kernel, Grid{1, 32}, stream_, counts_.view(), rounds); }

  Stream stream_;
  Buffer<std::uint32_t> counts_{32, stream_};
};

TEST_F(WorkLimitTest, EndsAKernelAndLeavesTheStreamUsable) {
  Event stop;
  {
    const WorkLimit limit(Clock::now() + std::chrono::milliseconds(20));
    spin(1U << 31);
    stop.record(stream_);
    EXPECT_THROW(stop.synchronize(), GaveUp);
    EXPECT_THROW(stream_.synchronize(), GaveUp);
  }
  stop.synchronize();
  spin(3);
  EXPECT_EQ(counts_.to_vector(stream_)[31], 3U);
}

TEST_F(WorkLimitTest, TakesBackWhatNobodyWaitedFor) {
  {
    const WorkLimit limit(Clock::now());
    spin(3);
  }
  spin(4);
  EXPECT_EQ(counts_.to_vector(stream_)[0], 4U);
}

TEST_F(WorkLimitTest, EndsAnAllocationOfGigabytes) {
  const std::int64_t before = memory_in_use();
  {
    const WorkLimit limit(Clock::now());
    EXPECT_THROW(Buffer<std::byte>(std::int64_t{1} << 30, stream_), GaveUp);
  }
  EXPECT_EQ(memory_in_use(), before);
}

TEST_F(WorkLimitTest, LeavesWorkAloneThatEndsInTime) {
  const WorkLimit limit(Clock::now() + std::chrono::hours(1));
  spin(5);
  EXPECT_EQ(counts_.to_vector(stream_)[7], 5U);
}

/// Two threads with a limit each: the end of one neither waits for the other's work nor takes back its error.
TEST_F(WorkLimitTest, IsOfOneThread) {
  std::latch is_spinning(1);
  std::latch is_other_over(1);
  std::jthread other([&] {
    const WorkLimit limit(Clock::now() + std::chrono::milliseconds(300));
    spin(1U << 31);
    is_spinning.count_down();
    is_other_over.wait();
    EXPECT_THROW(stream_.synchronize(), GaveUp);
  });
  is_spinning.wait();
  {
    Stream own;
    Buffer<std::uint32_t> counts(32, own);
    const auto start = Clock::now();
    {
      const WorkLimit limit(start + std::chrono::hours(1));
      launch(spin_kernel, Grid{1, 32}, own, counts.view(), 6U);
      EXPECT_EQ(counts.to_vector(own)[0], 6U);
    }
    {
      const WorkLimit limit(start);
      launch(spin_kernel, Grid{1, 32}, own, counts.view(), 1U << 31);
      EXPECT_THROW(own.synchronize(), GaveUp);
    }
    std::this_thread::sleep_until(start + std::chrono::milliseconds(400));
    { const WorkLimit limit(start); }
  }
  is_other_over.count_down();
}

}  // namespace
}  // namespace warpbench
