// Every primitive against std on random data of many sizes; the seed is in the trace of a failure.
#include <algorithm>
#include <limits>
#include <numeric>

#include "device/primitives.hpp"
#include "tests/device/support.hpp"

namespace warpbench {
namespace {

using Primitives = testing::DeviceTest;

const std::vector<std::int64_t> kSizes{0, 1, 2, 31, 32, 33, 1000, 4097, 100'000};

/// Calls body(size, seed) for every size.
template <typename Body>
void for_each_size(const Body& body) {
  std::uint64_t seed = 1000;
  for (const std::int64_t size : kSizes) {
    SCOPED_TRACE("size " + std::to_string(size) + ", seed " + std::to_string(++seed));
    body(size, seed);
  }
}

template <typename In, typename T>
void check_scans(Stream& stream, std::int64_t low, std::int64_t high) {
  for_each_size([&](std::int64_t size, std::uint64_t seed) {
    const auto host = testing::random_values<In>(size, low, high, seed);
    const Buffer<In> input(host, stream);
    Buffer<T> output(size, stream);
    Buffer<T> total(1, stream);
    std::vector<T> expected(host.size());
    std::exclusive_scan(host.begin(), host.end(), expected.begin(), T{5});
    exclusive_scan(input.view(), output.view(), stream, T{5});
    EXPECT_EQ(output.to_vector(stream), expected);
    std::inclusive_scan(host.begin(), host.end(), expected.begin(), std::plus<T>{}, T{});
    inclusive_scan(input.view(), output.view(), stream);
    EXPECT_EQ(output.to_vector(stream), expected);
    reduce_sum(input.view(), total.view(), stream);
    EXPECT_EQ(total.to_vector(stream)[0], std::accumulate(host.begin(), host.end(), T{}));
  });
}

TEST_F(Primitives, ScansAndSums) {
  check_scans<std::int32_t, std::int32_t>(stream(), -1000, 1000);
  check_scans<std::uint32_t, std::uint32_t>(stream(), 0, 1000);
  check_scans<std::int64_t, std::int64_t>(stream(), -1'000'000'000'000, 1'000'000'000'000);
  check_scans<std::uint64_t, std::uint64_t>(stream(), 0, 1'000'000'000'000);
  check_scans<std::int32_t, std::int64_t>(stream(), -2'000'000'000, 2'000'000'000);
  check_scans<std::uint32_t, std::uint64_t>(stream(), 0, 4'000'000'000);
  check_scans<std::uint8_t, std::int64_t>(stream(), 0, 255);
  check_scans<float, float>(stream(), 0, 100);  // whole numbers below 2^24: exact in any order
  check_scans<float, double>(stream(), 0, 1 << 24);
}

TEST_F(Primitives, AScanMayWriteOverItsInput) {
  const auto host = testing::random_values<std::int64_t>(5000, 0, 100, 7);
  Buffer<std::int64_t> data(host, stream());
  exclusive_scan(data.view(), data.view(), stream());
  std::vector<std::int64_t> expected(host.size());
  std::exclusive_scan(host.begin(), host.end(), expected.begin(), std::int64_t{0});
  EXPECT_EQ(data.to_vector(stream()), expected);
}

template <typename T>
void check_extremes(Stream& stream, std::int64_t low, std::int64_t high) {
  for_each_size([&](std::int64_t size, std::uint64_t seed) {
    const auto host = testing::random_values<T>(size, low, high, seed);
    const Buffer<T> input(host, stream);
    Buffer<T> result(1, stream);
    reduce_min(input.view(), result.view(), stream);
    EXPECT_EQ(result.to_vector(stream)[0],
              size == 0 ? std::numeric_limits<T>::max() : *std::min_element(host.begin(), host.end()));
    reduce_max(input.view(), result.view(), stream);
    EXPECT_EQ(result.to_vector(stream)[0],
              size == 0 ? std::numeric_limits<T>::lowest() : *std::max_element(host.begin(), host.end()));
  });
}

TEST_F(Primitives, Extremes) {
  check_extremes<std::int32_t>(stream(), -1'000'000, 1'000'000);
  check_extremes<std::uint64_t>(stream(), 0, 1'000'000'000'000);
  check_extremes<float>(stream(), -1'000'000, -5);
}

template <typename K, typename V>
void check_sorts(Stream& stream, std::int64_t low, std::int64_t high) {
  for_each_size([&](std::int64_t size, std::uint64_t seed) {
    const auto host_keys = testing::random_values<K>(size, low, high, seed);
    std::vector<V> host_values(host_keys.size());
    std::iota(host_values.begin(), host_values.end(), V{0});
    const Buffer<K> keys(host_keys, stream);
    const Buffer<V> values(host_values, stream);
    Buffer<K> sorted_keys(size, stream);
    Buffer<V> sorted_values(size, stream);

    std::vector<K> expected_keys = host_keys;
    std::sort(expected_keys.begin(), expected_keys.end());
    sort_keys(keys.view(), sorted_keys.view(), stream);
    EXPECT_EQ(sorted_keys.to_vector(stream), expected_keys);

    std::vector<V> expected_values = host_values;
    const auto key_of = [&](V value) { return host_keys[static_cast<std::size_t>(value)]; };
    std::stable_sort(expected_values.begin(), expected_values.end(), [&](V a, V b) { return key_of(a) < key_of(b); });
    sort_pairs(keys.view(), sorted_keys.view(), values.view(), sorted_values.view(), stream);
    EXPECT_EQ(sorted_keys.to_vector(stream), expected_keys);
    EXPECT_EQ(sorted_values.to_vector(stream), expected_values);

    expected_values = host_values;
    std::stable_sort(expected_values.begin(), expected_values.end(), [&](V a, V b) { return key_of(b) < key_of(a); });
    sort_pairs_descending(keys.view(), sorted_keys.view(), values.view(), sorted_values.view(), stream);
    EXPECT_EQ(sorted_values.to_vector(stream), expected_values);
  });
}

TEST_F(Primitives, SortsAreStableForEveryType) {
  check_sorts<std::int32_t, std::int32_t>(stream(), -100, 100);
  check_sorts<std::uint32_t, std::uint32_t>(stream(), 0, 4'000'000'000);
  check_sorts<std::int64_t, std::int32_t>(stream(), -1'000'000'000'000, 1'000'000'000'000);
  check_sorts<std::uint64_t, std::int64_t>(stream(), 0, 50);
  check_sorts<float, std::uint32_t>(stream(), -1000, 1000);
}

TEST_F(Primitives, SortsValuesOfTwoBytes) {
  const Buffer<std::uint32_t> keys(std::vector<std::uint32_t>{9, 2, 9, 0}, stream());
  const Buffer<std::uint16_t> values(std::vector<std::uint16_t>{65'535, 7, 1, 40'000}, stream());
  Buffer<std::uint32_t> sorted_keys(4, stream());
  Buffer<std::uint16_t> sorted_values(4, stream());
  sort_pairs(keys.view(), sorted_keys.view(), values.view(), sorted_values.view(), stream());
  EXPECT_EQ(sorted_keys.to_vector(stream()), (std::vector<std::uint32_t>{0, 2, 9, 9}));
  EXPECT_EQ(sorted_values.to_vector(stream()), (std::vector<std::uint16_t>{40'000, 7, 65'535, 1}));
}

TEST_F(Primitives, ASortCanLookAtSomeBitsOnly) {
  const std::vector<std::uint32_t> host{0x3f2, 0x1f1, 0x2f2, 0x0f1};
  const Buffer<std::uint32_t> keys(host, stream());
  Buffer<std::uint32_t> sorted(4, stream());
  sort_keys(keys.view(), sorted.view(), stream(), 0, 4);
  EXPECT_EQ(sorted.to_vector(stream()), (std::vector<std::uint32_t>{0x1f1, 0x0f1, 0x3f2, 0x2f2}));
  sort_keys(keys.view(), sorted.view(), stream(), 8);
  EXPECT_EQ(sorted.to_vector(stream()), (std::vector<std::uint32_t>{0x0f1, 0x1f1, 0x2f2, 0x3f2}));
}

TEST_F(Primitives, SegmentsAreSortedApart) {
  for_each_size([&](std::int64_t size, std::uint64_t seed) {
    const auto host = testing::random_values<std::uint32_t>(size, 0, 1'000'000, seed);
    std::vector<std::int64_t> cuts = testing::random_values<std::int64_t>(20, 0, size, seed + 1);
    cuts.insert(cuts.end(), {0, size});
    std::sort(cuts.begin(), cuts.end());
    const Buffer<std::uint32_t> keys(host, stream());
    Buffer<std::uint32_t> sorted(size, stream());
    const Buffer<std::int64_t> offsets(cuts, stream());
    sort_segments(keys.view(), sorted.view(), offsets.view(), stream());
    std::vector<std::uint32_t> expected = host;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
      std::sort(expected.begin() + cuts[i], expected.begin() + cuts[i + 1]);
    EXPECT_EQ(sorted.to_vector(stream()), expected);
  });
}

/// The first `count[0]` elements of a buffer.
template <typename T>
std::vector<T> leading(const Buffer<T>& buffer, const Buffer<std::int64_t>& count, Stream& stream) {
  std::vector<T> values = buffer.to_vector(stream);
  const std::int64_t used = count.to_vector(stream)[0];
  EXPECT_LE(used, buffer.size());
  values.resize(static_cast<std::size_t>(std::min(used, buffer.size())));
  return values;
}

TEST_F(Primitives, FlaggedElementsAreSelectedInOrder) {
  for_each_size([&](std::int64_t size, std::uint64_t seed) {
    const auto host = testing::random_values<std::int64_t>(size, -50, 50, seed);
    const auto host_flags = testing::random_values<std::uint8_t>(size, 0, 2, seed + 1);
    std::vector<std::int64_t> expected;
    for (std::size_t i = 0; i < host.size(); ++i) {
      if (host_flags[i] != 0) expected.push_back(host[i]);
    }
    const Buffer<std::int64_t> input(host, stream());
    const Buffer<std::uint8_t> flags(host_flags, stream());
    Buffer<std::int64_t> output(size, stream());
    Buffer<std::int64_t> count(1, stream());
    select_flagged(input.view(), flags.view(), output.view(), count.view(), stream());
    EXPECT_EQ(leading(output, count, stream()), expected);
  });
}

TEST_F(Primitives, RunsOfEqualElements) {
  for_each_size([&](std::int64_t size, std::uint64_t seed) {
    auto host = testing::random_values<std::int32_t>(size, -20, 20, seed);
    std::sort(host.begin(), host.begin() + static_cast<std::ptrdiff_t>(size) / 2);
    const auto host_weights = testing::random_values<float>(size, 0, 10, seed + 1);
    std::vector<std::int32_t> expected_keys;
    std::vector<std::int64_t> expected_lengths;
    std::vector<float> expected_sums;
    for (std::size_t i = 0; i < host.size(); ++i) {
      if (i == 0 || host[i] != host[i - 1]) {
        expected_keys.push_back(host[i]);
        expected_lengths.push_back(0);
        expected_sums.push_back(0);
      }
      ++expected_lengths.back();
      expected_sums.back() += host_weights[i];
    }
    const Buffer<std::int32_t> input(host, stream());
    const Buffer<float> weights(host_weights, stream());
    Buffer<std::int32_t> keys(size, stream());
    Buffer<std::int64_t> lengths(size, stream());
    Buffer<float> sums(size, stream());
    Buffer<std::int64_t> count(1, stream());
    unique(input.view(), keys.view(), count.view(), stream());
    EXPECT_EQ(leading(keys, count, stream()), expected_keys);
    run_length_encode(input.view(), keys.view(), lengths.view(), count.view(), stream());
    EXPECT_EQ(leading(keys, count, stream()), expected_keys);
    EXPECT_EQ(leading(lengths, count, stream()), expected_lengths);
    reduce_by_key(input.view(), weights.view(), keys.view(), sums.view(), count.view(), stream());
    EXPECT_EQ(leading(keys, count, stream()), expected_keys);
    EXPECT_EQ(leading(sums, count, stream()), expected_sums);
  });
}

TEST_F(Primitives, HistogramsCountElementsInTheRange) {
  for_each_size([&](std::int64_t size, std::uint64_t seed) {
    const auto host = testing::random_values<std::int32_t>(size, -50, 150, seed);
    std::vector<std::int64_t> expected(10, 0);
    for (const int value : host) {
      if (value >= 0 && value < 100) ++expected[static_cast<std::size_t>(value / 10)];
    }
    const Buffer<std::int32_t> input(host, stream());
    Buffer<std::int64_t> counts(10, stream());
    histogram_even(input.view(), counts.view(), 0, 100, stream());
    EXPECT_EQ(counts.to_vector(stream()), expected);
  });
}

TEST_F(Primitives, LowerBoundsOfManyQueries) {
  for_each_size([&](std::int64_t size, std::uint64_t seed) {
    auto host = testing::random_values<std::uint64_t>(size, 0, 2 * size, seed);
    std::sort(host.begin(), host.end());
    const auto host_queries = testing::random_values<std::uint64_t>(500, 0, 2 * size + 5, seed + 1);
    std::vector<std::int64_t> expected;
    for (const std::uint64_t query : host_queries) {
      expected.push_back(std::lower_bound(host.begin(), host.end(), query) - host.begin());
    }
    const Buffer<std::uint64_t> sorted(host, stream());
    const Buffer<std::uint64_t> queries(host_queries, stream());
    Buffer<std::int64_t> positions(500, stream());
    lower_bound(sorted.view(), queries.view(), positions.view(), stream());
    EXPECT_EQ(positions.to_vector(stream()), expected);
  });
}

TEST_F(Primitives, IotaCountsUp) {
  Buffer<std::int64_t> output(1000, stream());
  iota(output.view(), stream(), -3);
  std::vector<std::int64_t> expected(1000);
  std::iota(expected.begin(), expected.end(), -3);
  EXPECT_EQ(output.to_vector(stream()), expected);
}

TEST_F(Primitives, ViewsThatAreTooSmallAreRefused) {
  const Buffer<int> input(10, stream());
  Buffer<int> output(9, stream());
  EXPECT_THROW(exclusive_scan(input.view(), output.view(), stream()), std::length_error);
  EXPECT_THROW(sort_keys(input.view(), output.view(), stream()), std::length_error);
  EXPECT_THROW(reduce_sum(input.view(), output.view().first(0), stream()), std::length_error);
}

}  // namespace
}  // namespace warpbench
