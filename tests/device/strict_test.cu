// Misuse that simt reports and a GPU leaves undefined: one test for each misuse, which must name the kernel, the block,
// the thread and the line.
#include <stdexcept>

#include "device/kernel.hpp"
#include "tests/device/support.hpp"

namespace warpbench {
namespace {

using testing::error_of;
using testing::holds;
using Strict = testing::StrictTest;

/// Runs a kernel of one View<int> of 64 zeros; returns its error.
std::string error_from(void (*kernel)(View<int>), Stream& stream, const Grid& grid) {
  Buffer<int> out(64, stream);
  out.fill(0, stream);
  return error_of([&] {
    launch(kernel, grid, stream, out.view());
    stream.synchronize();
  });
}

__global__ void exited_lane(View<int> out) {
  if (threadIdx.x >= 16) return;
  out[threadIdx.x] = static_cast<int>(__ballot_sync(kFullMask, 1));
}

TEST_F(Strict, ACollectiveWhoseMaskNamesAnExitedLane) {
  const std::string error = error_from(exited_lane, stream(), Grid{1, 32});
  EXPECT_TRUE(holds(error, {"kernel", "exited_lane", "block (0,0,0)", "thread (16,0,0)", "__ballot_sync(0xffffffff)",
                            "strict_test.cu:", "left the kernel"}));
#if defined(WARPBENCH_SIMT)
  Stream second;
  simt::set_lane_order(simt::LaneOrder::descending());  // now the lanes are gone before anyone asks for them
  EXPECT_TRUE(holds(error_from(exited_lane, second, Grid{1, 32}),
                    {"thread (15,0,0)", "mask 0xffffffff names lanes 0xffff0000 that have left the kernel"}));
#endif
}

__global__ void waits_elsewhere(View<int> out) {
  if (threadIdx.x % 2 == 0) {
    out[threadIdx.x] = static_cast<int>(__ballot_sync(kFullMask, 1));
  } else {
    out[threadIdx.x] = __shfl_sync(kFullMask, 1, 0);
  }
}

TEST_F(Strict, ACollectiveWhoseMaskNamesALaneThatWaitsElsewhere) {
  EXPECT_TRUE(holds(error_from(waits_elsewhere, stream(), Grid{1, 32}),
                    {"thread (1,0,0)", "__shfl_sync", "__ballot_sync", "differ in mask or operation"}));
}

__global__ void at_the_barrier(View<int> out) {
  if (threadIdx.x < 32) {  // NOLINT(bugprone-branch-clone): each __syncthreads() is a place of its own
    __syncthreads();
  } else if (threadIdx.x == 32) {
    __syncwarp();
  } else {
    __syncthreads();
  }
  out[threadIdx.x] = 1;
}

TEST_F(Strict, ACollectiveWhoseMaskNamesALaneAtABarrier) {
  EXPECT_NE(error_from(at_the_barrier, stream(), Grid{1, 64}), "");
}

__global__ void barrier_against_collective(View<int> out) {
  if (threadIdx.x == 0) {
    __syncwarp();
  } else {
    __syncthreads();
  }
  out[threadIdx.x] = 1;
}

TEST_F(Strict, ABarrierWhileACollectiveNamesTheLane) {
  EXPECT_TRUE(holds(error_from(barrier_against_collective, stream(), Grid{1, 32}),
                    {"thread (1,0,0)", "__syncthreads() although", "__syncwarp(0xffffffff)"}));
}

__global__ void not_in_own_mask(View<int> out) {
  out[threadIdx.x] = static_cast<int>(__ballot_sync(0xfffffffeU, 1));
}

TEST_F(Strict, ACallerThatIsNotInItsOwnMask) {
  EXPECT_TRUE(holds(error_from(not_in_own_mask, stream(), Grid{1, 32}),
                    {"thread (0,0,0)", "__ballot_sync", "lane 0, is not in its own mask 0xfffffffe"}));
}

__global__ void masks_disagree(View<int> out) {
  out[threadIdx.x] = __shfl_sync(threadIdx.x < 8 ? 0xffU : kFullMask, 1, static_cast<int>(threadIdx.x));
  if (threadIdx.x < 8) out[threadIdx.x] = __shfl_sync(0xffffU, 1, static_cast<int>(threadIdx.x));
}

TEST_F(Strict, MasksThatDisagree) {
  EXPECT_TRUE(holds(error_from(masks_disagree, stream(), Grid{1, 32}),
                    {"mask 0xffff", "0xffffffff", "name each other's lanes"}));
}

__global__ void lanes_that_do_not_exist(View<int> out) {
  out[threadIdx.x] = __shfl_xor_sync(kFullMask, 1, 1);
}

TEST_F(Strict, AMaskThatNamesLanesBeyondTheBlock) {
  EXPECT_TRUE(holds(error_from(lanes_that_do_not_exist, stream(), Grid{1, 48}),
                    {"thread (32,0,0)", "names lanes 0xffff0000 that the block does not have"}));
}

__global__ void reads_outside_the_mask(View<int> out) {
  if (threadIdx.x < 16) out[threadIdx.x] = __shfl_down_sync(0xffffU, 1, 8U);
}

TEST_F(Strict, AShuffleFromALaneOutsideTheMask) {
  EXPECT_TRUE(holds(error_from(reads_outside_the_mask, stream(), Grid{1, 32}),
                    {"__shfl_down_sync: lane 8 reads lane 16, which is not in mask 0xffff"}));
}

__global__ void bad_width(View<int> out) {
  out[threadIdx.x] = __shfl_sync(kFullMask, 1, 0, 12);
}

TEST_F(Strict, AShuffleWidthThatIsNoPowerOfTwo) {
  EXPECT_TRUE(holds(error_from(bad_width, stream(), Grid{1, 32}), {"width 12"}));
}

__global__ void barrier_not_by_all(View<int> out) {
  if (threadIdx.x < 40) __syncthreads();
  out[threadIdx.x] = 1;
}

TEST_F(Strict, ABarrierThatNotAllThreadsReach) {
  EXPECT_TRUE(holds(error_from(barrier_not_by_all, stream(), Grid{1, 64}),
                    {"thread (40,0,0)", "40 of 64 threads wait at __syncthreads()", "strict_test.cu:"}));
#if defined(WARPBENCH_SIMT)
  Stream second;
  simt::set_lane_order(simt::LaneOrder::descending());
  EXPECT_TRUE(holds(error_from(barrier_not_by_all, second, Grid{1, 64}),
                    {"thread (39,0,0)", "after 24 of 64 threads have left the kernel"}));
#endif
}

__global__ void two_barriers(View<int> out) {
  if (threadIdx.x < 32) {  // NOLINT(bugprone-branch-clone): each __syncthreads() is a place of its own
    __syncthreads();
  } else {
    __syncthreads();
  }
  out[threadIdx.x] = 1;
}

TEST_F(Strict, TwoBarriersThatMeetInDifferentPlaces) {
  EXPECT_TRUE(
      holds(error_from(two_barriers, stream(), Grid{1, 64}), {"thread (32,0,0)", "32 threads wait at another one"}));
}

__global__ void ring_of_masks(View<int> out) {
  // Three groups, each waiting for a lane of the next.
  const unsigned lane = threadIdx.x;
  if (lane == 0) __syncwarp(0x3U);
  if (lane == 1) __syncwarp(0x6U);
  if (lane == 2) __syncwarp(0x5U);
  if (lane > 2) __syncwarp(0xfffffff8U);
  out[lane] = 1;
}

TEST_F(Strict, ADeadlockListsWhoWaitsForWhom) {
  EXPECT_TRUE(holds(error_from(ring_of_masks, stream(), Grid{1, 32}),
                    {"deadlock", "lanes 0x1 wait at __syncwarp(0x3)", "lanes 0x2 wait at __syncwarp(0x6)",
                     "lanes 0x4 wait at __syncwarp(0x5)"}));
}

__global__ void too_much_dynamic(View<int> out) {
  out[threadIdx.x] = *dynamic_shared<int>(threadIdx.x < 32 ? 0 : 4096);
}

TEST_F(Strict, DynamicSharedMemoryBeyondTheLaunchs) {
  const std::string error = error_from(too_much_dynamic, stream(), Grid{1, 64, 256});
  EXPECT_NE(error, "");
}

__global__ void misaligned_dynamic(View<int> out) {
  *dynamic_shared<double>(4) = 1.0;
  out[threadIdx.x] = 1;
}

TEST_F(Strict, DynamicSharedMemoryAtAMisalignedOffset) {
  EXPECT_TRUE(holds(error_from(misaligned_dynamic, stream(), Grid{1, 32, 256}), {"dynamic_shared", "aligned to 8"}));
}

__global__ void beyond_the_view(View<int> out) {
  out[static_cast<std::int64_t>(threadIdx.x) - 1] = 1;
}

TEST_F(Strict, AViewsIndexOutOfRange) {
  EXPECT_TRUE(holds(error_from(beyond_the_view, stream(), Grid{1, 32}),
                    {"beyond_the_view", "thread (0,0,0)", "index -1 of a view of 64 elements", "strict_test.cu:"}));
  const View<int> host_view;
  EXPECT_NE(error_of([&] { (void)host_view[0]; }), "");
}

__global__ void misaligned_ldg(View<int> out) {
  const auto* vectors = reinterpret_cast<const int4*>(out.data() + 1);
  out[threadIdx.x] = __ldg(vectors).x;
}

TEST_F(Strict, AMisalignedVectorLoad) {
  EXPECT_TRUE(holds(error_from(misaligned_ldg, stream(), Grid{1, 1}), {"misaligned access of 16 bytes"}));
}

__global__ void misaligned_atomic(View<int> out) {
  atomicAdd(reinterpret_cast<unsigned long long*>(out.data() + 1), 1ULL);
}

TEST_F(Strict, AMisalignedAtomic) {
  EXPECT_TRUE(holds(error_from(misaligned_atomic, stream(), Grid{1, 1}), {"misaligned atomic of 8 bytes"}));
}

__global__ void atomic_outside(View<int> out) {
  atomicAdd(out.data() + out.size(), 1);
}

TEST_F(Strict, AnAtomicOutsideAnAllocation) {
  EXPECT_TRUE(holds(error_from(atomic_outside, stream(), Grid{1, 1}),
                    {"atomic out of bounds: bytes [256, 260) of an allocation of 256 bytes"}));
}

__global__ void never_ends(View<int> out) {
  if (threadIdx.x < 4) {
    while (atomicAdd(&out[1], 0) == 0) {
    }
  }
  __syncthreads();
}

TEST_F(Strict, AKernelThatNeverEndsIsEndedByTheWatchdog) {
#if defined(WARPBENCH_SIMT)
  simt::set_watchdog(0.2);
#endif
  EXPECT_TRUE(holds(error_from(never_ends, stream(), Grid{1, 64}),
                    {"never_ends", "block (0,0,0)", "watchdog", "60 of 64 threads wait at __syncthreads()"}));
}

__global__ void throwing(View<int> out) {
#if defined(WARPBENCH_SIMT)
  if (threadIdx.x == 3) throw std::runtime_error("from a kernel");
#endif
  out[threadIdx.x] = 1;
}

TEST_F(Strict, AnExceptionInAKernelBecomesItsError) {
  EXPECT_TRUE(holds(error_from(throwing, stream(), Grid{1, 32}), {"thread (3,0,0)", "from a kernel"}));
}

__global__ void failing_assert(View<int> out) {
  out[threadIdx.x] = 1;
#if defined(WARPBENCH_SIMT) && !defined(NDEBUG)
  assert(threadIdx.x != 7);
#elif defined(WARPBENCH_SIMT)
  if (threadIdx.x == 7) __trap();
#endif
}

TEST_F(Strict, AnAssertOrTrapEndsTheKernel) {
  EXPECT_TRUE(holds(error_from(failing_assert, stream(), Grid{1, 32}), {"thread (7,0,0)", "strict_test.cu:"}));
}

TEST_F(Strict, TheHostMayUseAtomicsButNotCollectives) {
#if defined(WARPBENCH_SIMT)
  EXPECT_NE(error_of([] { __syncthreads(); }), "");
  int value = 1;
  atomicAdd(&value, 2);
  EXPECT_EQ(value, 3);
#endif
}

__global__ void sound(View<int> out) {
  out[threadIdx.x] = __syncthreads_count(1);
}

TEST_F(Strict, AfterAnErrorTheNextKernelRuns) {
  EXPECT_NE(error_from(barrier_not_by_all, stream(), Grid{1, 64}), "");
  Stream second;
  EXPECT_EQ(error_from(sound, second, Grid{1, 64}), "");
}

TEST_F(Strict, LaneOrdersAreParsed) {
#if defined(WARPBENCH_SIMT)
  EXPECT_EQ(simt::parse_lane_order("shuffle:12").seed, 12U);
  EXPECT_EQ(simt::parse_lane_order("descending").kind, simt::LaneOrder::Kind::kDescending);
  EXPECT_NE(error_of([] { simt::parse_lane_order("shuffle"); }), "");
  EXPECT_NE(error_of([] { simt::parse_lane_order("shuffle:x"); }), "");
#endif
}

}  // namespace
}  // namespace warpbench
