// The warp:: and block:: helpers against std, for many block sizes and lane orders.
#include <algorithm>
#include <numeric>

#include "device/block.cuh"
#include "device/kernel.hpp"
#include "device/search.cuh"
#include "device/warp.cuh"
#include "tests/device/support.hpp"

namespace warpbench {
namespace {

using testing::under_all_orders;
using WarpBlock = testing::DeviceTest;

template <typename T>
__global__ void warp_kernel(View<const T> in, View<T> out) {
  const int lane = warp::lane();
  const T value = in[warp::thread_rank()];
  T* row = out.data() + static_cast<std::int64_t>(warp::rank()) * 7 * 32 + lane;
  row[0 * 32] = warp::reduce_sum(value);
  row[1 * 32] = warp::reduce_min(value);
  row[2 * 32] = warp::reduce_max(value);
  row[3 * 32] = warp::inclusive_scan(value);
  T total{};
  row[4 * 32] = warp::exclusive_scan(value, total);
  row[5 * 32] = total;
  row[6 * 32] = warp::reduce(value, warp::Sum{}, 8);
}

template <typename T>
void check_warp(Stream& stream) {
  const auto host = testing::random_values<T>(64, 0, 1000, 11);
  const Buffer<T> in(host, stream);
  Buffer<T> out(2 * 7 * 32, stream);
  launch(warp_kernel<T>, Grid{1, {16, 4}}, stream, in.view(), out.view());
  const std::vector<T> values = out.to_vector(stream);
  for (std::size_t w = 0; w < 2; ++w) {
    const auto first = host.begin() + static_cast<std::ptrdiff_t>(w) * 32;
    const T sum = std::accumulate(first, first + 32, T{});
    T running{};
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const auto got = [&](std::size_t i) { return values[(w * 7 + i) * 32 + lane]; };
      const auto group = first + static_cast<std::ptrdiff_t>(lane / 8 * 8);
      EXPECT_EQ(got(0), sum);
      EXPECT_EQ(got(1), *std::min_element(first, first + 32));
      EXPECT_EQ(got(2), *std::max_element(first, first + 32));
      EXPECT_EQ(got(4), running) << lane;
      running = static_cast<T>(running + first[static_cast<std::ptrdiff_t>(lane)]);
      EXPECT_EQ(got(3), running) << lane;
      EXPECT_EQ(got(5), sum);
      EXPECT_EQ(got(6), std::accumulate(group, group + 8, T{}));
    }
  }
}

TEST_F(WarpBlock, WarpReductionsAndScans) {
  under_all_orders([&] {
    check_warp<int>(stream());
    check_warp<unsigned>(stream());
    check_warp<long long>(stream());
    check_warp<float>(stream());
    check_warp<double>(stream());
  });
}

__global__ void warp_sort_kernel(View<const float> in, View<float> out, View<int> values) {
  const int tid = warp::thread_rank();
  out[tid] = warp::bitonic_sort(in[tid]);
  float key = in[tid];
  int value = tid;
  warp::bitonic_sort_pairs(key, value);
  values[tid] = value;
}

TEST_F(WarpBlock, WarpSort) {
  under_all_orders([&] {
    const auto host = testing::random_values<float>(128, -40, 40, 5);
    const Buffer<float> in(host, stream());
    Buffer<float> out(128, stream());
    Buffer<int> values(128, stream());
    launch(warp_sort_kernel, Grid{1, 128}, stream(), in.view(), out.view(), values.view());
    std::vector<float> expected = host;
    for (auto first = expected.begin(); first != expected.end(); first += 32) std::sort(first, first + 32);
    EXPECT_EQ(out.to_vector(stream()), expected);
    std::vector<int> sources = values.to_vector(stream());
    for (std::size_t i = 0; i < 128; ++i) EXPECT_EQ(host[static_cast<std::size_t>(sources[i])], expected[i]);
    std::sort(sources.begin(), sources.end());
    for (std::size_t i = 0; i < 128; ++i) EXPECT_EQ(sources[i], static_cast<int>(i));
  });
}

__global__ void warp_merge_kernel(View<const int> in, View<int> out) {
  const int lane = warp::lane();
  int low = warp::bitonic_sort(in[lane]);
  int high = warp::bitonic_sort(in[32 + lane]);
  warp::merge_sorted(low, high);
  out[lane] = low;
  out[32 + lane] = high;
  // First ascending, then descending: bitonic_merge's input.
  out[64 + lane] = warp::bitonic_merge(lane < 20 ? lane * 3 : (50 - lane) * 2);
}

TEST_F(WarpBlock, WarpMerge) {
  under_all_orders([&] {
    const auto host = testing::random_values<int>(64, 0, 1000, 6);
    const Buffer<int> in(host, stream());
    Buffer<int> out(96, stream());
    launch(warp_merge_kernel, Grid{1, 32}, stream(), in.view(), out.view());
    std::vector<int> expected = host;
    std::sort(expected.begin(), expected.end());
    std::vector<int> bitonic;
    for (int lane = 0; lane < 32; ++lane) bitonic.push_back(lane < 20 ? lane * 3 : (50 - lane) * 2);
    std::sort(bitonic.begin(), bitonic.end());
    expected.insert(expected.end(), bitonic.begin(), bitonic.end());
    EXPECT_EQ(out.to_vector(stream()), expected);
  });
}

__global__ void search_kernel(View<const int> sorted, View<const int> queries, View<std::int64_t> out) {
  // Each warp answers queries together, then each lane one alone.
  for (std::int64_t q = warp::rank(); q < queries.size(); q += block::size() / kWarpSize) {
    const std::int64_t position = warp::lower_bound(sorted.data(), sorted.size(), queries[q]);
    if (warp::lane() == 0) out[q] = position;
  }
  for (std::int64_t q = block::rank(); q < queries.size(); q += block::size()) {
    out[queries.size() + q] = lower_bound(sorted, queries[q]);
    out[2 * queries.size() + q] = upper_bound(sorted.data(), sorted.size(), queries[q]);
    out[3 * queries.size() + q] = binary_search(sorted, queries[q]) ? 1 : 0;
  }
}

TEST_F(WarpBlock, BinarySearchesAloneAndTogether) {
  for (const std::int64_t size : {0, 1, 2, 31, 32, 33, 63, 64, 65, 1000, 1023, 1024, 1025, 33'000}) {
    SCOPED_TRACE(size);
    auto host = testing::random_values<int>(size, 0, static_cast<int>(size), 9);
    std::sort(host.begin(), host.end());
    const auto host_queries = testing::random_values<int>(100, -1, size + 1, 10);
    const Buffer<int> sorted(host, stream());
    const Buffer<int> queries(host_queries, stream());
    Buffer<std::int64_t> out(400, stream());
    launch(search_kernel, Grid{1, 128}, stream(), sorted.view(), queries.view(), out.view());
    const std::vector<std::int64_t> values = out.to_vector(stream());
    for (std::size_t q = 0; q < 100; ++q) {
      const auto low = std::lower_bound(host.begin(), host.end(), host_queries[q]) - host.begin();
      const auto high = std::upper_bound(host.begin(), host.end(), host_queries[q]) - host.begin();
      EXPECT_EQ(values[q], low) << host_queries[q];
      EXPECT_EQ(values[100 + q], low);
      EXPECT_EQ(values[200 + q], high);
      EXPECT_EQ(values[300 + q], low < high ? 1 : 0);
    }
  }
}

__global__ void compact_kernel(View<const int> in, View<int> by_warp, View<int> by_block, View<int> counts) {
  const int tid = block::rank();
  const bool wanted = in[tid] % 3 == 0;
  const warp::Slot mine = warp::compact(wanted, block::warp_mask());
  if (wanted) by_warp[warp::rank() * kWarpSize + mine.index] = in[tid];
  const warp::Slot slot = block::compact(wanted);
  if (wanted) by_block[slot.index] = in[tid];
  counts[tid] = slot.count;
}

TEST_F(WarpBlock, CompactionKeepsOrder) {
  for (const int threads : {1, 32, 45, 100, 256}) {
    under_all_orders([&] {
      SCOPED_TRACE(threads);
      const auto host = testing::random_values<int>(threads, 0, 100, 12);
      const Buffer<int> in(host, stream());
      Buffer<int> by_warp(threads, stream());
      Buffer<int> by_block(threads, stream());
      Buffer<int> counts(threads, stream());
      by_warp.fill(-1, stream());
      by_block.fill(-1, stream());
      launch(compact_kernel, Grid{1, threads}, stream(), in.view(), by_warp.view(), by_block.view(), counts.view());
      std::vector<int> expected;
      std::copy_if(host.begin(), host.end(), std::back_inserter(expected), [](int v) { return v % 3 == 0; });
      EXPECT_EQ(counts.to_vector(stream()),
                std::vector<int>(static_cast<std::size_t>(threads), static_cast<int>(expected.size())));
      const std::vector<int> from_warps = by_warp.to_vector(stream());
      std::vector<int> joined;
      std::copy_if(from_warps.begin(), from_warps.end(), std::back_inserter(joined), [](int v) { return v >= 0; });
      EXPECT_EQ(joined, expected);
      expected.resize(static_cast<std::size_t>(threads), -1);
      EXPECT_EQ(by_block.to_vector(stream()), expected);
    });
  }
}

template <typename T>
__global__ void block_kernel(View<const T> in, View<T> out) {
  const int tid = block::rank();
  const int size = block::size();
  const T value = in[tid];
  out[0 * size + tid] = block::reduce_sum(value);
  out[1 * size + tid] = block::reduce_min(value);
  out[2 * size + tid] = block::reduce_max(value);
  T total{};
  out[3 * size + tid] = block::inclusive_scan(value, total);
  out[4 * size + tid] = block::exclusive_scan(value, total);
  out[5 * size + tid] = total;
}

template <typename T>
void check_block(Stream& stream, Dim3 threads) {
  const auto count = static_cast<std::size_t>(threads.count());
  const auto host = testing::random_values<T>(threads.count(), 0, 10000, 21);
  const Buffer<T> in(host, stream);
  Buffer<T> out(6 * threads.count(), stream);
  launch(block_kernel<T>, Grid{1, threads}, stream, in.view(), out.view());
  const std::vector<T> values = out.to_vector(stream);
  const T sum = std::accumulate(host.begin(), host.end(), T{});
  T running{};
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(values[i], sum);
    ASSERT_EQ(values[count + i], *std::min_element(host.begin(), host.end()));
    ASSERT_EQ(values[2 * count + i], *std::max_element(host.begin(), host.end()));
    ASSERT_EQ(values[4 * count + i], running) << i;
    running = static_cast<T>(running + host[i]);
    ASSERT_EQ(values[3 * count + i], running) << i;
    ASSERT_EQ(values[5 * count + i], sum);
  }
}

TEST_F(WarpBlock, BlockReductionsAndScansOfAnySize) {
  under_all_orders([&] {
    for (const int threads : {1, 2, 31, 32, 33, 64, 100, 256, 1000, 1024}) {
      SCOPED_TRACE(threads);
      check_block<int>(stream(), threads);
    }
    check_block<long long>(stream(), {10, 7, 3});
    check_block<float>(stream(), 96);
  });
}

__global__ void block_sort_kernel(View<const unsigned> in, View<unsigned> keys_out, View<int> values_out,
                                  View<unsigned> sorted_out) {
  const int count = static_cast<int>(in.size());
  auto* keys = dynamic_shared<unsigned>();
  auto* values = dynamic_shared<int>(static_cast<std::size_t>(count) * sizeof(unsigned));
  for (int i = block::rank(); i < count; i += block::size()) {
    keys[i] = in[i];
    values[i] = i;
  }
  block::bitonic_sort_pairs(keys, values, count);
  for (int i = block::rank(); i < count; i += block::size()) {
    keys_out[i] = keys[i];
    values_out[i] = values[i];
  }
  __syncthreads();
  for (int i = block::rank(); i < count; i += block::size()) keys[i] = in[i];
  block::bitonic_sort(keys, count);
  for (int i = block::rank(); i < count; i += block::size()) sorted_out[i] = keys[i];
}

TEST_F(WarpBlock, BlockSortOfAnyCount) {
  for (const std::int64_t count : {1, 2, 3, 31, 64, 100, 513, 1000}) {
    under_all_orders([&] {
      SCOPED_TRACE(count);
      const auto host = testing::random_values<unsigned>(count, 0, 300, 31);
      const Buffer<unsigned> in(host, stream());
      Buffer<unsigned> keys(count, stream());
      Buffer<unsigned> sorted(count, stream());
      Buffer<int> values(count, stream());
      launch(block_sort_kernel, Grid{1, 96, static_cast<std::size_t>(count) * 8}, stream(), in.view(), keys.view(),
             values.view(), sorted.view());
      std::vector<unsigned> expected = host;
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(keys.to_vector(stream()), expected);
      EXPECT_EQ(sorted.to_vector(stream()), expected);
      std::vector<int> sources = values.to_vector(stream());
      for (std::size_t i = 0; i < sources.size(); ++i)
        EXPECT_EQ(host[static_cast<std::size_t>(sources[i])], expected[i]);
      std::sort(sources.begin(), sources.end());
      for (std::size_t i = 0; i < sources.size(); ++i) EXPECT_EQ(sources[i], static_cast<int>(i));
    });
  }
}

__global__ void block_merge_kernel(View<const int> a, View<const int> b, View<int> merged) {
  block::merge_sorted(a.data(), static_cast<int>(a.size()), b.data(), static_cast<int>(b.size()), merged.data());
}

TEST_F(WarpBlock, BlockMerge) {
  for (const std::int64_t count : {0, 1, 50, 333}) {
    auto first = testing::random_values<int>(count, 0, 100, 41);
    auto second = testing::random_values<int>(200, 0, 100, 42);
    std::sort(first.begin(), first.end());
    std::sort(second.begin(), second.end());
    const Buffer<int> a(first, stream());
    const Buffer<int> b(second, stream());
    Buffer<int> merged(count + 200, stream());
    launch(block_merge_kernel, Grid{1, 64}, stream(), a.view(), b.view(), merged.view());
    std::vector<int> expected;
    std::merge(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(expected));
    EXPECT_EQ(merged.to_vector(stream()), expected);
  }
}

}  // namespace
}  // namespace warpbench
