// The shadow checker's findings: races and unwritten words in shared memory, and accesses of a kernel to memory that
// a GPU could not address. Racy kernels are reported under every order, correct ones under none.
#include "device/kernel.hpp"
#include "tests/device/support.hpp"

namespace warpbench {
namespace {

using testing::error_of;
using testing::holds;
using testing::under_all_orders;
using ShadowCheck = testing::ShadowTest;

std::string error_from(void (*kernel)(View<int>), const Grid& grid) {
  Stream stream;
  Buffer<int> out(1024, stream);
  out.fill(0, stream);
  return error_of([&] {
    launch(kernel, grid, stream, out.view());
    stream.synchronize();
  });
}

__global__ void missing_barrier(View<int> out) {
  __shared__ int staged[64];
  staged[threadIdx.x] = static_cast<int>(threadIdx.x);
  out[threadIdx.x] = staged[63 - threadIdx.x];
}

TEST_F(ShadowCheck, AMissingBarrierIsReportedUnderEveryOrder) {
  under_all_orders([&] {
    EXPECT_TRUE(
        holds(error_from(missing_barrier, Grid{1, 64}), {"missing_barrier", "shared memory", "shadow_test.cu:"}));
  });
}

__global__ void write_after_read(View<int> out) {
  __shared__ int staged[64];
  staged[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  const int next = staged[(threadIdx.x + 32) % 64];
  staged[threadIdx.x] = next;  // the neighbour may not have read yet
  __syncthreads();
  out[threadIdx.x] = staged[threadIdx.x];
}

TEST_F(ShadowCheck, AWriteAfterAnothersReadIsARace) {
  under_all_orders([&] {
    EXPECT_TRUE(holds(error_from(write_after_read, Grid{1, 64}),
                      {"race in shared memory", "thread (", "with no barrier between", "shadow_test.cu:"}));
  });
}

__global__ void write_write(View<int> out) {
  __shared__ int last;
  last = static_cast<int>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = last;
}

TEST_F(ShadowCheck, TwoWritersNameBothThreadsAndPlaces) {
  EXPECT_TRUE(
      holds(error_from(write_write, Grid{1, 64}),
            {"thread (1,0,0): race in shared memory: writes 4 bytes that thread (0,0,0) writes", "shadow_test.cu:"}));
  under_all_orders([&] { EXPECT_TRUE(holds(error_from(write_write, Grid{1, 64}), {"race"})); });
}

__global__ void dynamic_race(View<int> out) {
  int* staged = dynamic_shared<int>();
  staged[threadIdx.x % 32] = 1;
  __syncthreads();
  out[threadIdx.x] = staged[threadIdx.x % 32];
}

TEST_F(ShadowCheck, DynamicSharedMemoryIsWatchedToo) {
  under_all_orders([&] { EXPECT_TRUE(holds(error_from(dynamic_race, Grid{1, 64, 128}), {"race"})); });
}

__global__ void shuffle_orders_nothing(View<int> out) {
  __shared__ int staged[32];
  staged[threadIdx.x] = 1;
  const int other = __shfl_xor_sync(kFullMask, static_cast<int>(threadIdx.x), 1);
  out[threadIdx.x] = staged[other];
}

TEST_F(ShadowCheck, AShuffleDoesNotOrderSharedMemory) {
  under_all_orders([&] { EXPECT_TRUE(holds(error_from(shuffle_orders_nothing, Grid{1, 32}), {"race"})); });
}

__global__ void syncwarp_is_not_enough(View<int> out) {
  __shared__ int staged[64];
  staged[threadIdx.x] = 1;
  __syncwarp();
  out[threadIdx.x] = staged[(threadIdx.x + 32) % 64];
}

TEST_F(ShadowCheck, SyncwarpDoesNotOrderTwoWarps) {
  under_all_orders([&] { EXPECT_TRUE(holds(error_from(syncwarp_is_not_enough, Grid{1, 64}), {"shared memory"})); });
}

__global__ void atomic_against_plain(View<int> out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);
  out[threadIdx.x] = count;
}

TEST_F(ShadowCheck, AnAtomicRacesWithAPlainRead) {
  under_all_orders([&] { EXPECT_TRUE(holds(error_from(atomic_against_plain, Grid{1, 64}), {"race", "atomically"})); });
}

__global__ void unwritten(View<int> out) {
  __shared__ int staged[64];
  if (threadIdx.x < 40) staged[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = staged[threadIdx.x];
}

TEST_F(ShadowCheck, AReadOfUnwrittenSharedMemory) {
  // The block before this one wrote all of it, which must not count as written here.
  EXPECT_NE(error_from(missing_barrier, Grid{4, 64}), "");
  EXPECT_TRUE(holds(error_from(unwritten, Grid{1, 64}), {"thread (40,0,0)", "no thread of the block has written"}));
}

__global__ void correct(View<int> out) {
  // Every kind of order that is enough: barrier, syncwarp within a warp, atomics among themselves, own words,
  // different bytes of a word, and reads by all.
  __shared__ int staged[256];
  __shared__ unsigned char bytes[256];
  __shared__ int count;
  __shared__ float4 vectors[64];
  auto* dynamic = dynamic_shared<long long>();
  const int tid = static_cast<int>(threadIdx.x);
  const int size = static_cast<int>(blockDim.x);
  if (tid == 0) count = 0;
  staged[tid] = tid;
  __syncwarp();
  const int neighbour = staged[tid ^ 1];
  __syncwarp();
  staged[tid] = neighbour;
  bytes[tid] = static_cast<unsigned char>(tid);
  dynamic[tid] = tid;
  if (tid < 64) vectors[tid] = make_float4(1, 2, 3, static_cast<float>(tid));
  __syncthreads();
  atomicAdd(&count, bytes[size - 1 - tid]);
  const int far = staged[size - 1 - tid] + static_cast<int>(dynamic[(tid + 5) % size]);
  const float4 vector = vectors[(tid + 1) % 64];
  __syncthreads();
  staged[tid] = far + count;
  for (int distance = 1; distance < size; distance *= 2) {
    __syncthreads();
    const int other = tid >= distance ? staged[tid - distance] : 0;
    __syncthreads();
    staged[tid] += other;
  }
  out[tid] = staged[tid] + static_cast<int>(vector.w);
}

TEST_F(ShadowCheck, CorrectKernelsAreSilent) {
  under_all_orders([&] {
    EXPECT_EQ(error_from(correct, Grid{6, 256, 256 * 8}), "");
    EXPECT_EQ(error_from(correct, Grid{2, 64, 64 * 8}), "");
  });
}

__global__ void beyond(int* data, int first) {
  data[first + static_cast<int>(threadIdx.x)] = 1;
}

TEST_F(ShadowCheck, AnAccessPastTheEndOfAnAllocation) {
  Buffer<int> data(100, stream());
  launch(beyond, Grid{1, 32}, stream(), data.data(), 96);
  EXPECT_TRUE(holds(error_of([&] { stream().synchronize(); }),
                    {"beyond", "thread (4,0,0)", "writes 4 bytes out of bounds: bytes [400, 404)", "of 400 bytes",
                     "shadow_test.cu:"}));
}

TEST_F(ShadowCheck, AnAccessBeforeAnAllocation) {
  const Buffer<int> first(1024, stream());
  Buffer<int> data(100, stream());
  launch(beyond, Grid{1, 1}, stream(), data.data(), -1);
  EXPECT_TRUE(holds(error_of([&] { stream().synchronize(); }), {"writes 4 bytes out of bounds"}));
}

TEST_F(ShadowCheck, AUseAfterFree) {
  Buffer<int> data(100, stream());
  int* stale = data.data();
  data.reset();
  launch(beyond, Grid{1, 1}, stream(), stale, 7);
  EXPECT_TRUE(
      holds(error_of([&] { stream().synchronize(); }), {"use after free: byte 28 of a freed allocation of 400"}));
}

TEST_F(ShadowCheck, HostMemoryIsNotForKernelsUnlessItIsPinned) {
  std::vector<int> host(64);
  Stream other;
  launch(beyond, Grid{1, 64}, other, host.data(), 0);
  EXPECT_TRUE(holds(error_of([&] { other.synchronize(); }), {"host memory that is not pinned"}));
  PinnedBuffer<int> pinned(64);
  launch(beyond, Grid{1, 64}, stream(), pinned.span().data(), 0);
  stream().synchronize();
  EXPECT_EQ(pinned[63], 1);
}

__global__ void local_memory(View<const int*> leaked) {
  int local[4] = {static_cast<int>(threadIdx.x), 1, 2, 3};
  leaked[threadIdx.x] = local;
  __syncthreads();
  leaked[threadIdx.x] = leaked[threadIdx.x] + *leaked[1 - threadIdx.x];
}

TEST_F(ShadowCheck, LocalMemoryIsForItsThreadOnly) {
  Buffer<const int*> leaked(2, stream());
  launch(local_memory, Grid{1, 2}, stream(), leaked.view());
  EXPECT_TRUE(holds(error_of([&] { stream().synchronize(); }), {"of another thread's local memory"}));
}

__global__ void shared_overrun(View<int> out) {
  int* data = dynamic_shared<int>();
  data[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = data[threadIdx.x];
}

TEST_F(ShadowCheck, DynamicSharedMemoryPastItsEnd) {
  EXPECT_TRUE(holds(error_from(shared_overrun, Grid{1, 64, 128}),
                    {"thread (32,0,0)", "writes 4 bytes at byte 128 of 128 bytes of dynamic shared memory"}));
  EXPECT_EQ(error_from(shared_overrun, Grid{1, 64, 256}), "");
}

__global__ void misaligned_copy(const float* from, float4* to) {
  to[threadIdx.x] = *reinterpret_cast<const float4*>(from + threadIdx.x);
}

TEST_F(ShadowCheck, AMisalignedVectorCopy) {
  Buffer<float> from(64, stream());
  Buffer<float4> to(4, stream());
  from.fill(0, stream());
  launch(misaligned_copy, Grid{1, 4}, stream(), from.data(), to.data());
  EXPECT_TRUE(holds(error_of([&] { stream().synchronize(); }), {"thread (1,0,0)", "misaligned access"}));
}

__global__ void endless(volatile int* flag) {
  while (flag[0] == 0) {
  }
}

TEST_F(ShadowCheck, AnEndlessLoopWithoutAtomicsIsEndedToo) {
#if defined(WARPBENCH_SIMT)
  simt::set_watchdog(0.2);
#endif
  Buffer<int> flag(1, stream());
  flag.fill(0, stream());
  launch(endless, Grid{1, 1}, stream(), flag.data());
  EXPECT_TRUE(holds(error_of([&] { stream().synchronize(); }), {"endless", "watchdog", "shadow_test.cu:"}));
}

#if defined(WARPBENCH_SIMT_SHADOW)
TEST(ShadowDeathTest, HostCodeOfAKernelFileThatTouchesDeviceMemoryIsEnded) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_DEATH(
      {
        Stream stream;
        Buffer<int> data(4, stream);
        *const_cast<volatile int*>(data.data()) = 1;
      },
      "host code accesses device memory");
}
#endif

}  // namespace
}  // namespace warpbench
