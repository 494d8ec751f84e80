// Warp collectives under full, partial and diverging masks; the same expectations on a GPU and on simt.
#include <bit>

#include "device/kernel.hpp"
#include "tests/device/support.hpp"

namespace warpbench {
namespace {

using testing::under_all_orders;
using Collectives = testing::DeviceTest;

// Each kernel writes one value per lane and case: out[case * 32 + lane].

__global__ void shuffle_kernel(View<int> out) {
  const int lane = static_cast<int>(threadIdx.x);
  const int value = 100 + lane;
  out[0 * 32 + lane] = __shfl_sync(kFullMask, value, 5);
  out[1 * 32 + lane] = __shfl_sync(kFullMask, value, lane + 1);  // wraps modulo the width
  out[2 * 32 + lane] = __shfl_sync(kFullMask, value, 3, 8);      // lane 3 of each group of 8
  out[3 * 32 + lane] = __shfl_up_sync(kFullMask, value, 2U);     // lanes 0 and 1 keep their own
  out[4 * 32 + lane] = __shfl_up_sync(kFullMask, value, 3U, 16);
  out[5 * 32 + lane] = __shfl_down_sync(kFullMask, value, 2U);
  out[6 * 32 + lane] = __shfl_down_sync(kFullMask, value, 3U, 16);
  out[7 * 32 + lane] = __shfl_xor_sync(kFullMask, value, 5);
  out[8 * 32 + lane] = __shfl_xor_sync(kFullMask, value, 9, 8);  // an earlier group may be read, a later not
}

int expected_shuffle(int which, int lane) {
  const auto value = [](int from) { return 100 + from; };
  switch (which) {
    case 0:
      return value(5);
    case 1:
      return value((lane + 1) % 32);
    case 2:
      return value(lane / 8 * 8 + 3);
    case 3:
      return value(lane < 2 ? lane : lane - 2);
    case 4:
      return value(lane % 16 < 3 ? lane : lane - 3);
    case 5:
      return value(lane >= 30 ? lane : lane + 2);
    case 6:
      return value(lane % 16 >= 13 ? lane : lane + 3);
    case 7:
      return value(lane ^ 5);
    default: {
      const int from = lane ^ 9;
      return value(from >= lane / 8 * 8 + 8 ? lane : from);
    }
  }
}

TEST_F(Collectives, ShufflesOfEveryKindAndWidth) {
  under_all_orders([&] {
    Buffer<int> out(9 * 32, stream());
    launch(shuffle_kernel, Grid{1, 32}, stream(), out.view());
    const std::vector<int> values = out.to_vector(stream());
    for (int i = 0; i < 9 * 32; ++i) {
      EXPECT_EQ(values[static_cast<std::size_t>(i)], expected_shuffle(i / 32, i % 32)) << i / 32 << ", lane " << i % 32;
    }
  });
}

template <typename T>
__global__ void typed_shuffle_kernel(View<T> out, T scale) {
  const int lane = static_cast<int>(threadIdx.x);
  out[lane] = __shfl_xor_sync(kFullMask, static_cast<T>(static_cast<T>(lane) * scale), 1);
}

template <typename T>
void check_typed_shuffle(Stream& stream, T scale) {
  Buffer<T> out(32, stream);
  launch(typed_shuffle_kernel<T>, Grid{1, 32}, stream, out.view(), scale);
  const std::vector<T> values = out.to_vector(stream);
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(values[static_cast<std::size_t>(lane)], static_cast<T>(static_cast<T>(lane ^ 1) * scale)) << lane;
  }
}

TEST_F(Collectives, ShufflesKeepAllBitsOfEveryType) {
  check_typed_shuffle<int>(stream(), -60000003);
  check_typed_shuffle<unsigned>(stream(), 100000007U);
  check_typed_shuffle<long long>(stream(), -123456789012345LL);
  check_typed_shuffle<unsigned long long>(stream(), 0x0102030405060708ULL);
  check_typed_shuffle<float>(stream(), 0.1F);
  check_typed_shuffle<double>(stream(), 1.0 / 3.0);
}

__global__ void vote_kernel(View<unsigned> out) {
  const int lane = static_cast<int>(threadIdx.x);
  out[0 * 32 + lane] = __ballot_sync(kFullMask, lane % 3 == 0);
  out[1 * 32 + lane] = static_cast<unsigned>(__any_sync(kFullMask, lane == 17));
  out[2 * 32 + lane] = static_cast<unsigned>(__any_sync(kFullMask, 0));
  out[3 * 32 + lane] = static_cast<unsigned>(__all_sync(kFullMask, lane < 32));
  out[4 * 32 + lane] = static_cast<unsigned>(__all_sync(kFullMask, lane != 9));
  out[5 * 32 + lane] = __match_any_sync(kFullMask, lane % 5);
  int all_equal = -1;
  out[6 * 32 + lane] = __match_all_sync(kFullMask, 42ULL, &all_equal) + static_cast<unsigned>(all_equal);
  out[7 * 32 + lane] = __match_all_sync(kFullMask, lane, &all_equal) + static_cast<unsigned>(all_equal);
}

TEST_F(Collectives, VotesAndMatches) {
  under_all_orders([&] {
    Buffer<unsigned> out(8 * 32, stream());
    launch(vote_kernel, Grid{1, 32}, stream(), out.view());
    const std::vector<unsigned> values = out.to_vector(stream());
    for (std::size_t lane = 0; lane < 32; ++lane) {
      unsigned same_class = 0;
      for (std::size_t other = lane % 5; other < 32; other += 5) same_class |= 1U << other;
      const std::vector<unsigned> expected{0x49249249U, 1, 0, 1, 0, same_class, 0xffffffffU + 1U, 0};
      for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ(values[i * 32 + lane], expected[i]) << i << " " << lane;
    }
  });
}

__global__ void reduce_kernel(View<int> out) {
  const int lane = static_cast<int>(threadIdx.x);
  const int value = (lane * 7) % 32 - 10;
  const auto bits = static_cast<unsigned>(value);
  out[0 * 32 + lane] = __reduce_add_sync(kFullMask, value);
  out[1 * 32 + lane] = __reduce_min_sync(kFullMask, value);
  out[2 * 32 + lane] = __reduce_max_sync(kFullMask, value);
  out[3 * 32 + lane] = static_cast<int>(__reduce_min_sync(kFullMask, bits));
  out[4 * 32 + lane] = static_cast<int>(__reduce_max_sync(kFullMask, bits));
  out[5 * 32 + lane] = static_cast<int>(__reduce_and_sync(kFullMask, bits | 0x100U));
  out[6 * 32 + lane] = static_cast<int>(__reduce_or_sync(kFullMask, static_cast<unsigned>(lane)));
  out[7 * 32 + lane] = static_cast<int>(__reduce_xor_sync(kFullMask, 1U << lane));
  out[8 * 32 + lane] = static_cast<int>(__reduce_add_sync(kFullMask, bits));
}

TEST_F(Collectives, Reductions) {
  under_all_orders([&] {
    Buffer<int> out(9 * 32, stream());
    launch(reduce_kernel, Grid{1, 32}, stream(), out.view());
    const std::vector<int> values = out.to_vector(stream());
    // The values are -10 … 21, each once: 176 in all.
    const std::vector<int> expected{176, -10, 21, 0, -1, 0x100, 31, -1, 176};
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], expected[i / 32]) << i / 32 << " " << i % 32;
  });
}

__global__ void diverged_kernel(View<unsigned> out) {
  const int lane = static_cast<int>(threadIdx.x);
  unsigned result = 0;
  if (lane % 2 == 0) {
    result = __ballot_sync(0x55555555U, lane % 4 == 0);
  } else {
    // Another number of collectives, in other places, than the other half does.
    result = __ballot_sync(0xaaaaaaaaU, lane % 4 == 1);
    result += __shfl_sync(0xaaaaaaaaU, result, 1) & 1U;
    if (lane > 16) result ^= __ballot_sync(0xaaaa0000U, 1);
  }
  __syncwarp();
  out[lane] = result + __ballot_sync(kFullMask, lane == 0);
}

TEST_F(Collectives, HalvesOfAWarpDivergeAndMeetAgain) {
  under_all_orders([&] {
    Buffer<unsigned> out(32, stream());
    launch(diverged_kernel, Grid{1, 32}, stream(), out.view());
    const std::vector<unsigned> values = out.to_vector(stream());
    for (std::size_t lane = 0; lane < 32; ++lane) {
      unsigned expected = lane % 2 == 0 ? 0x11111111U : 0x22222222U;
      if (lane % 2 == 1 && lane > 16) expected ^= 0xaaaa0000U;
      EXPECT_EQ(values[lane], expected + 1) << lane;
    }
  });
}

__global__ void nested_loop_kernel(View<int> out) {
  // Each lane leaves the loop after its own number of rounds; the mask of those still inside is agreed on each round.
  const int lane = static_cast<int>(threadIdx.x) % 32;
  unsigned mask = kFullMask;
  int rounds = 0;
  while (true) {
    mask = __ballot_sync(mask, lane >= rounds);
    if (lane < rounds) break;
    ++rounds;
    if (rounds == 33) break;
  }
  out[static_cast<int>(threadIdx.x)] = rounds;
}

TEST_F(Collectives, LanesLeaveALoopOneByOne) {
  under_all_orders([&] {
    Buffer<int> out(64, stream());
    launch(nested_loop_kernel, Grid{1, 64}, stream(), out.view());
    const std::vector<int> values = out.to_vector(stream());
    for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(values[i], static_cast<int>(i % 32) + 1) << i;
  });
}

__global__ void random_masks_kernel(View<const unsigned> class_masks, View<const int> lane_class, View<unsigned> out) {
  // Lanes of each class work on their own, as often as their class says, then all meet.
  const int lane = static_cast<int>(threadIdx.x);
  const int own = lane_class[lane];
  const unsigned mask = class_masks[own];
  unsigned sum = 0;
  for (int round = 0; round <= own; ++round) {
    sum += __reduce_add_sync(mask, static_cast<unsigned>(lane + round));
  }
  out[lane] = sum + static_cast<unsigned>(__popc(__ballot_sync(kFullMask, 1)));
}

TEST_F(Collectives, RandomPartitionsOfAWarp) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<int> lane_class = testing::random_values<int>(32, 0, 4, seed);
    std::vector<unsigned> masks(5, 0);
    for (std::size_t lane = 0; lane < 32; ++lane) masks[static_cast<std::size_t>(lane_class[lane])] |= 1U << lane;
    under_all_orders([&] {
      SCOPED_TRACE("seed " + std::to_string(seed));
      const Buffer<unsigned> mask_buffer(masks, stream());
      const Buffer<int> class_buffer(lane_class, stream());
      Buffer<unsigned> out(32, stream());
      launch(random_masks_kernel, Grid{1, 32}, stream(), mask_buffer.view(), class_buffer.view(), out.view());
      const std::vector<unsigned> values = out.to_vector(stream());
      for (std::size_t lane = 0; lane < 32; ++lane) {
        unsigned expected = 32;
        for (int round = 0; round <= lane_class[lane]; ++round) {
          for (std::size_t other = 0; other < 32; ++other) {
            if (lane_class[other] == lane_class[lane])
              expected += static_cast<unsigned>(other) + static_cast<unsigned>(round);
          }
        }
        EXPECT_EQ(values[lane], expected) << lane;
      }
    });
  }
}

__global__ void active_mask_kernel(View<unsigned> out) {
  const int lane = static_cast<int>(threadIdx.x);
  const unsigned mask = __activemask();
  // Whatever it says, it holds the caller and is a mask that these lanes can use together.
  out[lane] = ((mask >> lane) & 1U) + static_cast<unsigned>(__popc(__ballot_sync(mask, 1))) * 0U;
}

TEST_F(Collectives, ActiveMaskHoldsTheCaller) {
  Buffer<unsigned> out(32, stream());
  launch(active_mask_kernel, Grid{1, 32}, stream(), out.view());
  for (const unsigned value : out.to_vector(stream())) EXPECT_EQ(value, 1U);
}

__global__ void bits_kernel(View<unsigned> out, View<const unsigned> constant) {
  out[0] = static_cast<unsigned>(__popc(0xf0f0U) + __popcll(0xff00000000000001ULL));
  out[1] = static_cast<unsigned>(__ffs(0) * 100 + __ffs(8) + __ffsll(1LL << 40));
  out[2] = static_cast<unsigned>(__clz(1) + __clz(0) * 100 + __clzll(1LL));
  out[3] = __brev(1U) ^ __brev(0x12345678U);
  out[4] = static_cast<unsigned>(__brevll(1ULL) >> 63);
  out[5] = __funnelshift_l(0x80000000U, 1U, 4U);
  out[6] = __funnelshift_r(0U, 0xabcd1234U, 8U);
  out[7] = __byte_perm(0x33221100U, 0x77665544U, 0x7412U);
  out[8] = __umulhi(0x80000000U, 6U) + static_cast<unsigned>(__umul64hi(1ULL << 63, 4ULL));
  out[9] = __float_as_uint(__uint_as_float(0x3fc00000U) * 2.0F);
  out[10] = static_cast<unsigned>(min(3, -2) + max(7, 5) + static_cast<int>(min(2.5F, 9.0F) * 2.0F));
  out[11] = __ldg(&constant[0]) + 77U;  // memory that this kernel only reads: __ldg may take it from a stale cache
}

TEST_F(Collectives, BitIntrinsics) {
  Buffer<unsigned> out(12, stream());
  const std::vector<unsigned> ten{10};
  const Buffer<unsigned> constant(ten, stream());
  launch(bits_kernel, Grid{1, 1}, stream(), out.view(), constant.view());
  const std::vector<unsigned> expected{
      17, 45, 3294, 0x80000000U ^ 0x1e6a2c48U, 1, 0x18U, 0x34000000U, 0x77441122U, 5, 0x40400000U, 10, 87};
  const std::vector<unsigned> values = out.to_vector(stream());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(values[i], expected[i]) << i;
}

}  // namespace
}  // namespace warpbench
