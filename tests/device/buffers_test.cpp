// Buffers, pinned memory, the memory account and injected failures. Host code only.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>
#include <thread>

#include "device/primitives.hpp"
#include "tests/device/support.hpp"

namespace warpbench {
namespace {

using Buffers = testing::DeviceTest;

TEST_F(Buffers, UploadAndDownloadKeepEveryElement) {
  const auto host = testing::random_values<std::int64_t>(100'000, -1'000'000'000'000, 1'000'000'000'000, 1);
  Buffer<std::int64_t> buffer(static_cast<std::int64_t>(host.size()), stream());
  buffer.upload(host, stream());
  EXPECT_EQ(buffer.to_vector(stream()), host);
  EXPECT_EQ(buffer.size(), 100'000);
  EXPECT_EQ(buffer.bytes(), 800'000);
}

TEST_F(Buffers, PageableMemoryMayBeReusedAtOnce) {
  Buffer<int> buffer(1000, stream());
  for (int round = 0; round < 10; ++round) {
    std::vector<int> host(1000, round);
    buffer.upload(host, stream());
    std::fill(host.begin(), host.end(), -1);
    buffer.download(host, stream());
    EXPECT_EQ(std::count(host.begin(), host.end(), round), 1000);
  }
}

TEST_F(Buffers, PartsCanBeCopied) {
  Buffer<int> buffer(10, stream());
  buffer.fill(7, stream());
  buffer.upload(std::vector<int>{1, 2, 3}, stream(), 4);
  std::vector<int> part(4);
  buffer.download(part, stream(), 3);
  stream().synchronize();
  EXPECT_EQ(part, (std::vector<int>{7, 1, 2, 3}));
  const std::vector<int> too_many(8);
  EXPECT_THROW(buffer.upload(too_many, stream(), 4), std::length_error);
  EXPECT_THROW(buffer.download(part, stream(), -1), std::length_error);
}

template <typename T>
void check_fill(const T& value, Stream& stream) {
  Buffer<T> buffer(1001, stream);
  buffer.fill(value, stream);
  const std::vector<T> values = buffer.to_vector(stream);
  EXPECT_EQ(std::count(values.begin(), values.end(), value), 1001) << sizeof(T);
}

TEST_F(Buffers, FillWritesValuesOfEverySize) {
  check_fill<std::uint8_t>(0xa5, stream());
  check_fill<std::int16_t>(-12345, stream());
  check_fill<float>(-1.5F, stream());
  check_fill<std::uint64_t>(0x0123456789abcdefULL, stream());
  check_fill<std::array<std::uint32_t, 4>>({1, 2, 3, 4}, stream());
  Buffer<int> bytes(5, stream());
  bytes.fill_bytes(0xff, stream());
  EXPECT_EQ(bytes.to_vector(stream()), std::vector<int>(5, -1));
}

TEST_F(Buffers, CopiesOnTheDevice) {
  const Buffer<int> from(std::vector<int>{1, 2, 3, 4}, stream());
  Buffer<int> to(6, stream());
  to.fill(0, stream());
  to.copy_from(from, stream(), 1);
  to.copy_from(from.view().subview(2, 2), stream(), 0);
  EXPECT_EQ(to.to_vector(stream()), (std::vector<int>{3, 4, 2, 3, 4, 0}));
  EXPECT_THROW(to.copy_from(from, stream(), 3), std::length_error);
}

TEST_F(Buffers, MovingPassesTheMemoryOn) {
  Buffer<int> first(std::vector<int>{1, 2}, stream());
  const int* data = first.data();
  Buffer<int> second = std::move(first);
  EXPECT_EQ(second.data(), data);
  EXPECT_TRUE(first.empty());  // NOLINT(bugprone-use-after-move): that it is empty is the point
  Buffer<int> third(5, stream());
  third = std::move(second);
  EXPECT_EQ(third.to_vector(stream()), (std::vector<int>{1, 2}));
}

TEST_F(Buffers, NothingIsAnAmountToo) {
  Buffer<int> none(0, stream());
  none.upload(std::vector<int>{}, stream());
  none.fill(1, stream());
  EXPECT_TRUE(none.to_vector(stream()).empty());
  const Buffer<int> some(1, stream());
  runtime::copy(nullptr, some.data(), 0, runtime::Copy::kDownload, *stream().handle());
  EXPECT_THROW(Buffer<int>(-1, stream()), std::length_error);
  EXPECT_THROW(Buffer<double>(std::int64_t{1} << 61, stream()), std::length_error);
}

TEST_F(Buffers, PinnedMemoryIsCopiedInStreamOrder) {
  PinnedBuffer<int> host(1000);
  EXPECT_EQ(std::accumulate(host.span().begin(), host.span().end(), 0), 0);
  std::iota(host.span().begin(), host.span().end(), 0);
  Buffer<int> buffer(1000, stream());
  buffer.upload(host.span(), stream());
  PinnedBuffer<int> back(1000);
  buffer.download(back.span(), stream());
  stream().synchronize();
  EXPECT_TRUE(std::equal(host.span().begin(), host.span().end(), back.span().begin()));
  EXPECT_EQ(back[999], 999);
}

TEST_F(Buffers, ARegisteredRegionIsPinnedWhileItLives) {
  std::vector<int> host(10'000, 3);
  Buffer<int> buffer(10'000, stream());
  {
    const PinnedRegion region{std::span<int>(host)};
    buffer.upload(host, stream());
    stream().synchronize();
  }
  EXPECT_EQ(buffer.to_vector(stream()), host);
}

TEST_F(Buffers, TheAccountFollowsAllocations) {
  stream().synchronize();
  const std::int64_t before = memory_in_use();
  reset_peak_memory();
  {
    const Buffer<int> first(1000, stream());
    EXPECT_EQ(memory_in_use(), before + 4000);
    { const Buffer<double> second(1000, stream()); }
    EXPECT_EQ(memory_in_use(), before + 4000);
    EXPECT_EQ(peak_memory_in_use(), before + 12'000);
  }
  EXPECT_EQ(memory_in_use(), before);
  EXPECT_EQ(peak_memory_in_use(), before + 12'000);
  reset_peak_memory();
  EXPECT_EQ(peak_memory_in_use(), before);
}

TEST_F(Buffers, ARefusedAllocationDoesNotRaiseThePeak) {
  stream().synchronize();
  const std::optional<std::int64_t> limit = memory_limit();
  set_memory_limit(std::numeric_limits<std::int64_t>::max());
  reset_peak_memory();
  const std::int64_t before = peak_memory_in_use();
  EXPECT_THROW(Buffer<std::byte>(std::int64_t{1} << 60, stream()), OutOfDeviceMemory);
  set_memory_limit(limit);
  EXPECT_EQ(peak_memory_in_use(), before);
}

TEST_F(Buffers, WhatTheDeviceRefusesWasNotFree) {
  // Within the limit, so that the device refuses it and not the account.
  set_memory_limit(std::numeric_limits<std::int64_t>::max());
  try {
    const Buffer<std::byte> too_large(std::int64_t{1} << 60, stream());
    FAIL() << "an allocation beyond the device went through";
  } catch (const OutOfDeviceMemory& error) {
    EXPECT_EQ(error.wanted_bytes(), std::int64_t{1} << 60);
    EXPECT_LT(error.free_bytes(), error.wanted_bytes());
  }
}

TEST_F(Buffers, AMemoryLimitBindsAndReportsFreeMemory) {
  const std::int64_t in_use = memory_in_use();
  set_memory_limit(in_use + 1'000'000);
  EXPECT_EQ(free_memory(), 1'000'000);
  const Buffer<std::uint8_t> first(900'000, stream());
  EXPECT_EQ(free_memory(), 100'000);
  try {
    const Buffer<std::uint8_t> more(100'001, stream());
    FAIL() << "an allocation beyond the limit went through";
  } catch (const OutOfDeviceMemory& error) {
    EXPECT_EQ(error.wanted_bytes(), 100'001);
    EXPECT_EQ(error.free_bytes(), 100'000);
  }
  const Buffer<std::uint8_t> rest(100'000, stream());
  EXPECT_EQ(free_memory(), 0);
}

TEST_F(Buffers, NoLimitRestoresTheEnvironmentsLimit) {
  const char* const before = std::getenv("WARPBENCH_DEVICE_MEMORY");
  const std::optional<std::string> kept = before == nullptr ? std::nullopt : std::optional<std::string>(before);
  ASSERT_EQ(setenv("WARPBENCH_DEVICE_MEMORY", "5000000", 1), 0);
  set_memory_limit(1'000'000);
  set_memory_limit(std::nullopt);
  EXPECT_EQ(memory_limit(), 5'000'000);
  ASSERT_EQ(kept ? setenv("WARPBENCH_DEVICE_MEMORY", kept->c_str(), 1) : unsetenv("WARPBENCH_DEVICE_MEMORY"), 0);
}

TEST_F(Buffers, PrimitivesNeedTemporaryStorageWithinTheLimit) {
  Buffer<std::uint32_t> keys(1 << 20, stream());
  Buffer<std::uint32_t> sorted(1 << 20, stream());
  keys.fill(1, stream());
  set_memory_limit(memory_in_use() + 1000);
  EXPECT_THROW(sort_keys(keys.view(), sorted.view(), stream()), OutOfDeviceMemory);
}

TEST_F(Buffers, TheKthAllocationFails) {
  fail_allocation(3);
  const Buffer<int> first(10, stream());
  const Buffer<int> second(10, stream());
  const std::int64_t in_use = memory_in_use();
  EXPECT_THROW(Buffer<int>(10, stream()), OutOfDeviceMemory);
  EXPECT_EQ(memory_in_use(), in_use);
  const Buffer<int> after(10, stream());
}

TEST_F(Buffers, TheKthCallFailsByName) {
  Buffer<int> buffer(4, stream());
  fail_call(2);
  buffer.fill(1, stream());
  EXPECT_TRUE(testing::holds(testing::error_of([&] { stream().synchronize(); }), {"synchronize", "injected"}));
  EXPECT_EQ(buffer.to_vector(stream()), std::vector<int>(4, 1));
}

TEST_F(Buffers, AFailingAllocationAnywhereLeaksNothing) {
  // Whichever allocation of a small program fails, nothing stays allocated and the next run succeeds.
  const auto program = [&] {
    Buffer<std::uint32_t> keys(std::vector<std::uint32_t>{3, 1, 2}, stream());
    Buffer<std::uint32_t> sorted(3, stream());
    sort_keys(keys.view(), sorted.view(), stream());
    return sorted.to_vector(stream());
  };
  const std::int64_t before = memory_in_use();
  for (std::int64_t k = 1; k <= 3; ++k) {
    fail_allocation(k);
    EXPECT_THROW(program(), OutOfDeviceMemory) << k;
    EXPECT_EQ(memory_in_use(), before);
  }
  EXPECT_EQ(program(), (std::vector<std::uint32_t>{1, 2, 3}));
}

TEST_F(Buffers, PropertiesDescribeADevice) {
  const DeviceProperties device = current_device();
  EXPECT_EQ(device.backend, backend_name());
  EXPECT_EQ(device.warp_size, 32);
  EXPECT_FALSE(device.name.empty());
  EXPECT_GT(device.multiprocessors, 0);
  EXPECT_GE(device.shared_bytes_per_block, 48 * 1024);
  EXPECT_GT(device.memory_bytes, 0);
  EXPECT_NE(testing::error_of([] { set_device(1000); }), "");
  set_device(0);
}

TEST_F(Buffers, PinnedMemoryIsFreedOnlyAfterTheWorkThatUsesIt) {
  Stream stream;
  Buffer<int> buffer(1000, stream);
  std::atomic<bool> passed = false;
  {
    PinnedBuffer<int> host(1000);
    std::ranges::fill(host.span(), 7);
    stream.run_on_host([&passed] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      passed = true;
    });
    buffer.upload(host.span(), stream);
  }
  EXPECT_TRUE(passed);
  EXPECT_EQ(buffer.to_vector(stream), std::vector<int>(1000, 7));
}

}  // namespace
}  // namespace warpbench
