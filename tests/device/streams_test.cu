// Streams and events: order within a stream, across streams, host callbacks, time, and how errors come out.
#include <atomic>
#include <chrono>
#include <thread>

#include "device/kernel.hpp"
#include "tests/device/support.hpp"

namespace warpbench {
namespace {

using Streams = testing::DeviceTest;

__global__ void append_kernel(View<int> log, int value) {
  // log[0] counts.
  log[++log[0]] = value;
}

TEST_F(Streams, WorkOfOneStreamRunsInOrder) {
  Buffer<int> log(101, stream());
  log.fill(0, stream());
  std::vector<int> expected{100};
  for (int i = 0; i < 100; ++i) {
    launch(append_kernel, Grid{1, 1}, stream(), log.view(), i * i);
    expected.push_back(i * i);
  }
  EXPECT_EQ(log.to_vector(stream()), expected);
}

TEST_F(Streams, LaunchesDoNotWait) {
  // CUDA loads a kernel at its first launch, for which it waits for the streams: a stream held up below would be a
  // deadlock.
  Buffer<int> log(4, stream());
  log.fill(0, stream());
  launch(append_kernel, Grid{1, 1}, stream(), log.view(), 1);
  stream().synchronize();

  std::atomic<bool> open = false;
  std::atomic<bool> passed = false;
  stream().run_on_host([&] {
    while (!open) std::this_thread::yield();
  });
  launch(append_kernel, Grid{1, 1}, stream(), log.view(), 1);
  stream().run_on_host([&] { passed = true; });
  Event behind;
  behind.record(stream());
  EXPECT_FALSE(behind.ready());
  EXPECT_FALSE(passed);
  open = true;
  behind.synchronize();
  EXPECT_TRUE(behind.ready());
  EXPECT_TRUE(passed);
}

TEST_F(Streams, EventsOrderTwoStreams) {
  for (int round = 0; round < 20; ++round) {
    Stream other;
    std::atomic<int> step = 0;
    int seen = -1;
    Event first;
    stream().run_on_host([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(round % 3));
      step = 1;
    });
    first.record(stream());
    other.wait(first);
    other.run_on_host([&] { seen = step; });
    other.synchronize();
    EXPECT_EQ(seen, 1);
  }
}

TEST_F(Streams, AnEventThatNeverRecordedHoldsNobodyUp) {
  Event event;
  EXPECT_TRUE(event.ready());
  event.synchronize();
  stream().wait(event);
  stream().synchronize();
}

TEST_F(Streams, AReRecordedEventMeansItsLatestPlace) {
  Event event;
  event.record(stream());
  event.synchronize();
  std::atomic<bool> open = false;
  stream().run_on_host([&] {
    while (!open) std::this_thread::yield();
  });
  event.record(stream());
  EXPECT_FALSE(event.ready());
  open = true;
  event.synchronize();
  EXPECT_TRUE(event.ready());
}

TEST_F(Streams, SecondsBetweenEventsIsTheTimeOfTheWork) {
  Event start;
  Event stop;
  start.record(stream());
  stream().run_on_host([] { std::this_thread::sleep_for(std::chrono::milliseconds(30)); });
  stop.record(stream());
  stop.synchronize();
  EXPECT_GE(seconds_between(start, stop), 0.029);
  EXPECT_LT(seconds_between(start, stop), 10.0);
  const Event unrecorded;
  EXPECT_NE(testing::error_of([&] { (void)seconds_between(start, unrecorded); }), "");
}

TEST_F(Streams, AHostCallbackThatThrowsIsTheStreamsError) {
  stream().run_on_host([] { throw DeviceError("thrown by the callback"); });
  EXPECT_TRUE(testing::holds(testing::error_of([&] { stream().synchronize(); }), {"thrown by the callback"}));
  // Sticky, and other streams are well.
  EXPECT_NE(testing::error_of([&] { stream().synchronize(); }), "");
  Stream other;
  other.synchronize();
}

TEST_F(Streams, ManyStreamsAtOnce) {
  constexpr int kStreams = 8;
  std::vector<Stream> streams(kStreams);
  std::vector<Buffer<int>> logs;
  for (Stream& each : streams) {
    logs.emplace_back(51, each);
    logs.back().fill(0, each);
  }
  for (int i = 0; i < 50; ++i) {
    for (std::size_t s = 0; s < kStreams; ++s) {
      launch(append_kernel, Grid{1, 1}, streams[s], logs[s].view(), i + static_cast<int>(s));
    }
  }
  for (std::size_t s = 0; s < kStreams; ++s) {
    const std::vector<int> values = logs[s].to_vector(streams[s]);
    EXPECT_EQ(values[0], 50);
    for (std::size_t i = 0; i < 50; ++i) EXPECT_EQ(values[i + 1], static_cast<int>(i + s));
  }
}

TEST_F(Streams, ABufferMayOutliveItsStream) {
  Buffer<int> kept;
  {
    Stream brief;
    kept = Buffer<int>(std::vector<int>{1, 2, 3}, brief);
    brief.synchronize();
  }
  EXPECT_EQ(kept.to_vector(stream()), (std::vector<int>{1, 2, 3}));
}

using StrictStreams = testing::StrictTest;

__global__ void failing_kernel(View<int> data) {
  data[data.size()] = 1;
}

TEST_F(StrictStreams, AKernelsErrorIsStickyAndLaterWorkIsSkipped) {
  Buffer<int> data(std::vector<int>{5}, stream());
  Buffer<int> log(8, stream());
  log.fill(0, stream());
  stream().synchronize();
  std::atomic<bool> ran = false;
  launch(failing_kernel, Grid{1, 1}, stream(), data.view());
  stream().run_on_host([&] { ran = true; });
  EXPECT_NE(testing::error_of([&] { stream().synchronize(); }), "");
  EXPECT_NE(testing::error_of([&] { stream().synchronize(); }), "");
  EXPECT_FALSE(ran);
  std::vector<int> host(8);
  EXPECT_NE(testing::error_of([&] { log.download(host, stream()); }), "");
}

TEST_F(StrictStreams, AnErrorReachesStreamsThatWaitForIt) {
  Buffer<int> data(1, stream());
  Stream other;
  Event event;
  launch(failing_kernel, Grid{1, 1}, stream(), data.view());
  event.record(stream());
  other.wait(event);
  EXPECT_NE(testing::error_of([&] { event.synchronize(); }), "");
  EXPECT_NE(testing::error_of([&] { other.synchronize(); }), "");
}

}  // namespace
}  // namespace warpbench
