// Bit sets and digests on the device, against the same on the host.
#include <bit>
#include <numeric>

#include "device/bits.cuh"
#include "device/digest.cuh"
#include "tests/device/support.hpp"

namespace warpbench {
namespace {

using testing::under_all_orders;
using Bits = testing::DeviceTest;
using Digests = testing::DeviceTest;

TEST(BitWords, SplitAnIndex) {
  static_assert(words_for(0) == 0 && words_for(1) == 1 && words_for(32) == 1 && words_for(std::int64_t{33}) == 2);
  static_assert(word_of(31U) == 0 && word_of(32U) == 1 && mask_of(33U) == 2 && mask_of(std::int64_t{31}) == 1U << 31);
  static_assert(bits_below(0) == 0 && bits_below(33) == 1 && bits_below(31) == 0x7fffffffU);
  static_assert(low_bits(0) == 0 && low_bits(5) == 31 && low_bits(31) == 0x7fffffffU && low_bits(32) == 0xffffffffU);
  std::uint32_t words[2] = {0, 0};
  std::uint32_t* const set = words;
  set_bit(set, 3U);
  set_bit(set, 63U);
  EXPECT_TRUE(test_bit(set, 3U) && test_bit(set, 63U) && !test_bit(set, 4U));
  clear_bit(set, 3U);
  EXPECT_FALSE(test_bit(set, 3U));
  EXPECT_EQ(words[1], 1U << 31);
}

/// Sets the bits of `members`, then clears those divisible by 3; repeated[0]: bits that were set before.
__global__ void bits_kernel(View<const std::uint32_t> members, View<std::uint32_t> words, View<int> repeated) {
  for (const std::int64_t i : block::strided(members.size())) {
    if (atomic_set_bit(words, members[i])) atomicAdd(&repeated[0], 1);
  }
  __syncthreads();
  for (const std::int64_t i : block::strided(members.size())) {
    if (members[i] % 3 == 0) atomic_clear_bit(words.data(), members[i]);
  }
}

TEST_F(Bits, AreSetByManyThreads) {
  under_all_orders([&] {
    const auto members = testing::random_values<std::uint32_t>(200, 0, 299, 3);
    const Buffer<std::uint32_t> device_members(members, stream());
    Buffer<std::uint32_t> words(words_for(300), stream());
    Buffer<int> repeated(1, stream());
    words.fill(0, stream());
    repeated.fill(0, stream());
    launch(bits_kernel, Grid{1, 64}, stream(), device_members.view(), words.view(), repeated.view());
    const std::vector<std::uint32_t> found = words.to_vector(stream());
    std::vector<bool> expected(300, false);
    for (const std::uint32_t member : members) expected[member] = true;
    const auto distinct = std::count(expected.begin(), expected.end(), true);
    EXPECT_EQ(repeated.to_vector(stream())[0], 200 - static_cast<int>(distinct));
    for (std::uint32_t i = 0; i < 300; ++i) EXPECT_EQ(test_bit(found, i), expected[i] && i % 3 != 0) << i;
  });
}

__global__ void set_bits_kernel(std::uint32_t mask, View<int> places, View<int> count) {
  int at = 0;
  for (const int place : set_bits(mask)) places[at++] = place;
  count[0] = at;
}

TEST_F(Bits, AreListedAscending) {
  Buffer<int> places(32, stream());
  Buffer<int> count(1, stream());
  for (const std::uint32_t mask : {0U, 1U, 0x80000000U, 0x00120481U, 0xffffffffU}) {
    launch(set_bits_kernel, Grid{1, 1}, stream(), mask, places.view(), count.view());
    const std::vector<int> found = places.to_vector(stream());
    ASSERT_EQ(count.to_vector(stream())[0], std::popcount(mask));
    std::uint32_t rebuilt = 0;
    for (int i = 0; i < std::popcount(mask); ++i) {
      rebuilt |= 1U << found[static_cast<std::size_t>(i)];
      if (i > 0) {
        EXPECT_LT(found[static_cast<std::size_t>(i) - 1], found[static_cast<std::size_t>(i)]);
      }
    }
    EXPECT_EQ(rebuilt, mask);
  }
}

TEST(Mix64, IsTheFinaliserOfSplitMix64) {
  // The first outputs of Vigna's splitmix64 seeded with 0, whose state grows by the constant that mix64 adds.
  static_assert(mix64(0) == 0xe220a8397b1dcdafULL);
  static_assert(mix64(0x9e3779b97f4a7c15ULL) == 0x6e789e6aa1b965f4ULL);
  static_assert(mix64(3, 5) == mix64(mix64(3) ^ 5) && mix64(3, 5) != mix64(5, 3));
}

TEST_F(Digests, AgreeWithTheHost) {
  for (const std::int64_t count : {0, 1, 255, 1000}) {
    const auto values = testing::random_values<std::uint32_t>(count, 0, 99, 7);
    std::uint64_t expected = 40;
    for (std::size_t i = 0; i < values.size(); ++i) expected += mix64(17 + i, values[i]);
    const Buffer<std::uint32_t> device_values(values, stream());
    Buffer<DigestWord> digest(1, stream());
    digest.fill(40, stream());
    add_digests(count, DigestOfValues<std::uint32_t>{device_values.view(), 17}, digest.view(), stream());
    EXPECT_EQ(digest.to_vector(stream())[0], expected) << count;
  }
}

__global__ void accumulate_kernel(View<int> total) {
  block::accumulate(total[0], static_cast<int>(block::index() * 1000) + block::rank());
}

TEST_F(Digests, AccumulateABlockAtATime) {
  under_all_orders([&] {
    Buffer<int> total(1, stream());
    total.fill(5, stream());
    launch(accumulate_kernel, Grid{3, {9, 7}}, stream(), total.view());
    EXPECT_EQ(total.to_vector(stream())[0], 5 + 3 * (62 * 63 / 2) + 63 * 3000);
  });
}

}  // namespace
}  // namespace warpbench
