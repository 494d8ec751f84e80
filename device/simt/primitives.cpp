// The primitives on simt: std algorithms that run as tasks of the stream, in one thread. Temporary storage is
// accounted as a GPU's would be, roughly, so that memory limits bite in the same places.
#include "device/primitives.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "device/backend/primitives_instances.hpp"
#include "device/buffer.hpp"

namespace warpbench::detail {
namespace {

/// Bits of a key that sort like the key: radix order. -0 sorts before +0 and NaNs last, as CUB's does not promise.
template <typename K>
BitsOf<K> radix_bits(K key) {
  using Bits = BitsOf<K>;
  constexpr Bits kTop = Bits{1} << (sizeof(Bits) * 8 - 1);
  if constexpr (std::is_floating_point_v<K>) {
    // CUB sorts -0 and +0 as equal, in a stable way.
    const Bits bits = std::bit_cast<Bits>(key == K{0} ? K{0} : key);
    return (bits & kTop) != 0 ? ~bits : bits | kTop;
  } else if constexpr (std::is_signed_v<K>) {
    return static_cast<Bits>(key) ^ kTop;
  } else {
    return key;
  }
}

/// The bits [begin, end) of `bits`; end < 0 means all above begin.
template <typename Bits>
Bits window(Bits bits, int begin, int end) {
  constexpr int kBits = sizeof(Bits) * 8;
  if (end >= 0 && end < kBits) bits &= (Bits{1} << end) - 1;
  return begin >= kBits ? Bits{0} : bits >> begin;
}

/// Temporary storage of about `bytes`, for the account only: freed in stream order behind what is queued meanwhile.
Buffer<std::uint8_t> temporary(std::int64_t bytes, Stream& stream) {
  return Buffer<std::uint8_t>(std::max<std::int64_t>(bytes, 1), stream);
}

void enqueue(Stream& stream, std::function<void()> task) {
  runtime::run_on_host(*stream.handle(), std::move(task));
}

/// Visits the runs of equal elements: visit(first, last).
template <typename Bits, typename Visit>
void for_each_run(View<const Bits> input, const Visit& visit) {
  for (const Bits* run = input.begin(); run != input.end();) {
    const Bits* last = std::find_if(run, input.end(), [run](Bits value) { return value != *run; });
    visit(run - input.begin(), last - input.begin());
    run = last;
  }
}

}  // namespace

template <typename In, typename T>
void exclusive_scan(View<const In> input, View<T> output, T initial, Stream& stream) {
  enqueue(stream, [=] {
    T sum = initial;
    for (std::int64_t i = 0; i < input.size(); ++i) {
      const T value = static_cast<T>(input[i]);
      output[i] = sum;
      sum = static_cast<T>(sum + value);
    }
  });
}

template <typename In, typename T>
void inclusive_scan(View<const In> input, View<T> output, Stream& stream) {
  enqueue(stream, [=] {
    T sum{};
    for (std::int64_t i = 0; i < input.size(); ++i) output[i] = sum = static_cast<T>(sum + static_cast<T>(input[i]));
  });
}

template <typename In, typename T>
void reduce(Reduction reduction, View<const In> input, View<T> result, Stream& stream) {
  enqueue(stream, [=] {
    T total{};
    if (reduction == Reduction::kMin) total = std::numeric_limits<T>::max();
    if (reduction == Reduction::kMax) total = std::numeric_limits<T>::lowest();
    for (const In& element : input) {
      const T value = static_cast<T>(element);
      if (reduction == Reduction::kSum) total = static_cast<T>(total + value);
      if (reduction == Reduction::kMin) total = std::min(total, value);
      if (reduction == Reduction::kMax) total = std::max(total, value);
    }
    result[0] = total;
  });
}

template <typename K>
void sort_keys(View<const K> keys, View<K> sorted, int begin_bit, int end_bit, Stream& stream) {
  const auto scratch = temporary(keys.bytes(), stream);
  enqueue(stream, [=] {
    std::copy(keys.begin(), keys.end(), sorted.begin());
    std::stable_sort(sorted.begin(), sorted.begin() + keys.size(), [=](K a, K b) {
      return window(radix_bits(a), begin_bit, end_bit) < window(radix_bits(b), begin_bit, end_bit);
    });
  });
}

template <typename K, typename Bits>
void sort_pairs(bool descending, View<const K> keys, View<K> sorted_keys, View<const Bits> values,
                View<Bits> sorted_values, int begin_bit, int end_bit, Stream& stream) {
  const auto scratch = temporary(keys.bytes() + values.bytes(), stream);
  enqueue(stream, [=] {
    std::vector<std::int64_t> order(static_cast<std::size_t>(keys.size()));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    const auto bits_of = [=](std::int64_t i) { return window(radix_bits(keys[i]), begin_bit, end_bit); };
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
      return descending ? bits_of(b) < bits_of(a) : bits_of(a) < bits_of(b);
    });
    for (std::int64_t i = 0; i < keys.size(); ++i) {
      const std::int64_t from = order[static_cast<std::size_t>(i)];
      sorted_keys[i] = keys[from];
      sorted_values[i] = values[from];
    }
  });
}

template <typename K>
void sort_segments(View<const K> keys, View<K> sorted, View<const std::int64_t> offsets, Stream& stream) {
  const auto scratch = temporary(keys.bytes(), stream);
  enqueue(stream, [=] {
    std::copy(keys.begin(), keys.end(), sorted.begin());
    for (std::int64_t segment = 0; segment + 1 < offsets.size(); ++segment) {
      std::sort(sorted.begin() + offsets[segment], sorted.begin() + offsets[segment + 1],
                [](K a, K b) { return radix_bits(a) < radix_bits(b); });
    }
  });
}

template <typename Bits>
void select_flagged(View<const Bits> input, View<const std::uint8_t> flags, View<Bits> output,
                    View<std::int64_t> selected_count, Stream& stream) {
  const auto scratch = temporary(input.size() / 128, stream);
  enqueue(stream, [=] {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < input.size(); ++i) {
      if (flags[i] != 0) output[count++] = input[i];
    }
    selected_count[0] = count;
  });
}

template <typename Bits>
void unique(View<const Bits> input, View<Bits> output, View<std::int64_t> unique_count, Stream& stream) {
  const auto scratch = temporary(input.size() / 128, stream);
  enqueue(stream, [=] {
    std::int64_t count = 0;
    for_each_run(input, [&](std::int64_t first, std::int64_t) { output[count++] = input[first]; });
    unique_count[0] = count;
  });
}

template <typename Bits, typename V>
void reduce_by_key(View<const Bits> keys, View<const V> values, View<Bits> run_keys, View<V> run_sums,
                   View<std::int64_t> run_count, Stream& stream) {
  const auto scratch = temporary(keys.size() / 128, stream);
  enqueue(stream, [=] {
    std::int64_t count = 0;
    for_each_run(keys, [&](std::int64_t first, std::int64_t last) {
      run_keys[count] = keys[first];
      run_sums[count] = std::accumulate(values.begin() + first, values.begin() + last, V{});
      ++count;
    });
    run_count[0] = count;
  });
}

template <typename Bits>
void run_length_encode(View<const Bits> input, View<Bits> run_values, View<std::int64_t> run_lengths,
                       View<std::int64_t> run_count, Stream& stream) {
  const auto scratch = temporary(input.size() / 128, stream);
  enqueue(stream, [=] {
    std::int64_t count = 0;
    for_each_run(input, [&](std::int64_t first, std::int64_t last) {
      run_values[count] = input[first];
      run_lengths[count++] = last - first;
    });
    run_count[0] = count;
  });
}

template <typename T>
void histogram_even(View<const T> input, View<std::int64_t> counts, T lower, T upper, Stream& stream) {
  enqueue(stream, [=] {
    std::fill(counts.begin(), counts.end(), std::int64_t{0});
    const double width = (static_cast<double>(upper) - static_cast<double>(lower)) / static_cast<double>(counts.size());
    for (const T& value : input) {
      if (!(value >= lower) || !(value < upper)) continue;
      const auto bin = static_cast<std::int64_t>((static_cast<double>(value) - static_cast<double>(lower)) / width);
      ++counts[std::min(bin, counts.size() - 1)];
    }
  });
}

template <typename T>
void lower_bound(View<const T> sorted, View<const T> queries, View<std::int64_t> positions, Stream& stream) {
  enqueue(stream, [=] {
    for (std::int64_t i = 0; i < queries.size(); ++i) {
      positions[i] = std::lower_bound(sorted.begin(), sorted.end(), queries[i]) - sorted.begin();
    }
  });
}

template <typename T>
void iota(View<T> output, T first, Stream& stream) {
  enqueue(stream, [=] {
    for (std::int64_t i = 0; i < output.size(); ++i) output[i] = static_cast<T>(first + static_cast<T>(i));
  });
}

WARPBENCH_INSTANTIATE_SCANS
WARPBENCH_INSTANTIATE_SORTS
WARPBENCH_INSTANTIATE_SELECTIONS

}  // namespace warpbench::detail
