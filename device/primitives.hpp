// Device-wide primitives behind plain functions, compiled once: on cuda they are CUB's, on simt std algorithms that
// run as stream work. All are stream-ordered; temporary storage comes from the stream's pool; sizes are 64-bit.
// Element types are std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float and double unless said otherwise;
// another type is a link error. Input and output may be the same memory only where said.
// All throw DeviceError, OutOfDeviceMemory, and std::length_error when an output view is too small.
#pragma once

#include <cstdint>
#include <type_traits>

#include "device/stream.hpp"
#include "device/view.hpp"

namespace warpbench {

// Defined by each backend, in device/simt/primitives.cpp and device/cuda/primitives_*.cu. Where only the bits of an
// element matter, Bits is the unsigned integer of its size.
namespace detail {

enum class Reduction { kSum, kMin, kMax };

template <typename In, typename T>
void exclusive_scan(View<const In> input, View<T> output, T initial, Stream& stream);
template <typename In, typename T>
void inclusive_scan(View<const In> input, View<T> output, Stream& stream);
template <typename In, typename T>
void reduce(Reduction reduction, View<const In> input, View<T> result, Stream& stream);
template <typename K>
void sort_keys(View<const K> keys, View<K> sorted, int begin_bit, int end_bit, Stream& stream);
template <typename K, typename Bits>
void sort_pairs(bool descending, View<const K> keys, View<K> sorted_keys, View<const Bits> values,
                View<Bits> sorted_values, int begin_bit, int end_bit, Stream& stream);
template <typename K>
void sort_segments(View<const K> keys, View<K> sorted, View<const std::int64_t> offsets, Stream& stream);
template <typename Bits>
void select_flagged(View<const Bits> input, View<const std::uint8_t> flags, View<Bits> output,
                    View<std::int64_t> selected_count, Stream& stream);
template <typename Bits>
void unique(View<const Bits> input, View<Bits> output, View<std::int64_t> unique_count, Stream& stream);
template <typename Bits, typename V>
void reduce_by_key(View<const Bits> keys, View<const V> values, View<Bits> run_keys, View<V> run_sums,
                   View<std::int64_t> run_count, Stream& stream);
template <typename Bits>
void run_length_encode(View<const Bits> input, View<Bits> run_values, View<std::int64_t> run_lengths,
                       View<std::int64_t> run_count, Stream& stream);
template <typename T>
void histogram_even(View<const T> input, View<std::int64_t> counts, T lower, T upper, Stream& stream);
template <typename T>
void lower_bound(View<const T> sorted, View<const T> queries, View<std::int64_t> positions, Stream& stream);
template <typename T>
void iota(View<T> output, T first, Stream& stream);

/// Throws std::length_error if `have` < `need`.
void require_size(const char* primitive, const char* view, std::int64_t have, std::int64_t need);

template <typename T>
using Plain = std::remove_const_t<T>;

template <typename T>
using BitsOf =
    std::conditional_t<sizeof(T) == 4, std::uint32_t,
                       std::conditional_t<sizeof(T) == 8, std::uint64_t,
                                          std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                                             std::conditional_t<sizeof(T) == 1, std::uint8_t, void>>>>;

template <typename T>
View<const BitsOf<T>> bits(View<const T> view) {
  return {reinterpret_cast<const BitsOf<T>*>(view.data()), view.size()};
}
template <typename T>
requires(!std::is_const_v<T>) View<BitsOf<T>> bits(View<T> view) {
  return {reinterpret_cast<BitsOf<T>*>(view.data()), view.size()};
}

}  // namespace detail

/// output[i] = initial + input[0] + … + input[i - 1]; input and output may be the same. O(n). The sum is formed in T.
/// From T to T; also from 32-bit integers to 64-bit ones and from std::uint8_t to 32- and 64-bit integers.
template <typename In, typename T>
void exclusive_scan(View<In> input, View<T> output, Stream& stream, std::type_identity_t<T> initial = T{}) {
  detail::require_size("exclusive_scan", "output", output.size(), input.size());
  detail::exclusive_scan<detail::Plain<In>, T>(input, output, initial, stream);
}

/// output[i] = input[0] + … + input[i]; types and sharing as for exclusive_scan. O(n).
template <typename In, typename T>
void inclusive_scan(View<In> input, View<T> output, Stream& stream) {
  detail::require_size("inclusive_scan", "output", output.size(), input.size());
  detail::inclusive_scan<detail::Plain<In>, T>(input, output, stream);
}

/// result[0] = the sum of input, formed in T; types as for exclusive_scan. Of nothing: 0.
template <typename In, typename T>
void reduce_sum(View<In> input, View<T> result, Stream& stream) {
  detail::require_size("reduce_sum", "result", result.size(), 1);
  detail::reduce<detail::Plain<In>, T>(detail::Reduction::kSum, input, result, stream);
}

/// result[0] = the smallest or largest element of input. Of nothing: T's highest or lowest value.
template <typename In>
void reduce_min(View<In> input, View<detail::Plain<In>> result, Stream& stream) {
  detail::require_size("reduce_min", "result", result.size(), 1);
  detail::reduce<detail::Plain<In>, detail::Plain<In>>(detail::Reduction::kMin, input, result, stream);
}
template <typename In>
void reduce_max(View<In> input, View<detail::Plain<In>> result, Stream& stream) {
  detail::require_size("reduce_max", "result", result.size(), 1);
  detail::reduce<detail::Plain<In>, detail::Plain<In>>(detail::Reduction::kMax, input, result, stream);
}

/// Stable ascending radix sort, out of place. Only bits [begin_bit, end_bit) of the key decide (end_bit < 0: all);
/// fewer bits mean fewer passes. O(n * bits).
template <typename K>
void sort_keys(View<K> keys, View<detail::Plain<K>> sorted, Stream& stream, int begin_bit = 0, int end_bit = -1) {
  detail::require_size("sort_keys", "sorted", sorted.size(), keys.size());
  detail::sort_keys<detail::Plain<K>>(keys, sorted, begin_bit, end_bit, stream);
}

/// The same with values of 4 or 8 bytes, any type; of 2 bytes where keys are std::uint32_t.
template <typename K, typename V>
void sort_pairs(View<K> keys, View<detail::Plain<K>> sorted_keys, View<V> values, View<detail::Plain<V>> sorted_values,
                Stream& stream, int begin_bit = 0, int end_bit = -1) {
  detail::require_size("sort_pairs", "values", values.size(), keys.size());
  detail::require_size("sort_pairs", "sorted_keys", sorted_keys.size(), keys.size());
  detail::require_size("sort_pairs", "sorted_values", sorted_values.size(), keys.size());
  detail::sort_pairs<detail::Plain<K>, detail::BitsOf<V>>(false, keys, sorted_keys,
                                                          detail::bits(View<const detail::Plain<V>>(values)),
                                                          detail::bits(sorted_values), begin_bit, end_bit, stream);
}

/// Stable descending sort of pairs.
template <typename K, typename V>
void sort_pairs_descending(View<K> keys, View<detail::Plain<K>> sorted_keys, View<V> values,
                           View<detail::Plain<V>> sorted_values, Stream& stream) {
  detail::require_size("sort_pairs_descending", "values", values.size(), keys.size());
  detail::require_size("sort_pairs_descending", "sorted_keys", sorted_keys.size(), keys.size());
  detail::require_size("sort_pairs_descending", "sorted_values", sorted_values.size(), keys.size());
  detail::sort_pairs<detail::Plain<K>, detail::BitsOf<V>>(true, keys, sorted_keys,
                                                          detail::bits(View<const detail::Plain<V>>(values)),
                                                          detail::bits(sorted_values), 0, -1, stream);
}

/// Sorts each segment [offsets[i], offsets[i + 1]) of keys by itself, ascending; offsets has segments + 1 elements.
/// Integers and float.
template <typename K>
void sort_segments(View<K> keys, View<detail::Plain<K>> sorted, View<const std::int64_t> offsets, Stream& stream) {
  detail::require_size("sort_segments", "sorted", sorted.size(), keys.size());
  detail::sort_segments<detail::Plain<K>>(keys, sorted, offsets, stream);
}

/// The elements (of 4 or 8 bytes, any type) whose flag is not 0, in order; selected_count[0] = how many.
/// output.size() >= their number, which is not checked on cuda.
template <typename T>
void select_flagged(View<T> input, View<const std::uint8_t> flags, View<detail::Plain<T>> output,
                    View<std::int64_t> selected_count, Stream& stream) {
  detail::require_size("select_flagged", "flags", flags.size(), input.size());
  detail::require_size("select_flagged", "selected_count", selected_count.size(), 1);
  detail::select_flagged<detail::BitsOf<T>>(detail::bits(View<const detail::Plain<T>>(input)), flags,
                                            detail::bits(output), selected_count, stream);
}

/// The first of each run of equal elements (of 4 or 8 bytes, any type; equal: the same bits); unique_count[0] = how
/// many runs.
template <typename T>
void unique(View<T> input, View<detail::Plain<T>> output, View<std::int64_t> unique_count, Stream& stream) {
  detail::require_size("unique", "output", output.size(), input.size());
  detail::require_size("unique", "unique_count", unique_count.size(), 1);
  detail::unique<detail::BitsOf<T>>(detail::bits(View<const detail::Plain<T>>(input)), detail::bits(output),
                                    unique_count, stream);
}

/// For each run of equal keys (4 or 8 bytes, the same bits) its key and the sum of its values; run_count[0] = runs.
template <typename K, typename V>
void reduce_by_key(View<K> keys, View<V> values, View<detail::Plain<K>> run_keys, View<detail::Plain<V>> run_sums,
                   View<std::int64_t> run_count, Stream& stream) {
  detail::require_size("reduce_by_key", "values", values.size(), keys.size());
  detail::require_size("reduce_by_key", "run_keys", run_keys.size(), keys.size());
  detail::require_size("reduce_by_key", "run_sums", run_sums.size(), keys.size());
  detail::require_size("reduce_by_key", "run_count", run_count.size(), 1);
  detail::reduce_by_key<detail::BitsOf<K>, detail::Plain<V>>(detail::bits(View<const detail::Plain<K>>(keys)), values,
                                                             detail::bits(run_keys), run_sums, run_count, stream);
}

/// For each run of equal elements (4 or 8 bytes, the same bits) its element and length; run_count[0] = runs.
template <typename T>
void run_length_encode(View<T> input, View<detail::Plain<T>> run_values, View<std::int64_t> run_lengths,
                       View<std::int64_t> run_count, Stream& stream) {
  detail::require_size("run_length_encode", "run_values", run_values.size(), input.size());
  detail::require_size("run_length_encode", "run_lengths", run_lengths.size(), input.size());
  detail::require_size("run_length_encode", "run_count", run_count.size(), 1);
  detail::run_length_encode<detail::BitsOf<T>>(detail::bits(View<const detail::Plain<T>>(input)),
                                               detail::bits(run_values), run_lengths, run_count, stream);
}

/// counts[b] = elements in [lower + b * w, lower + (b + 1) * w) with w = (upper - lower) / counts.size(); elements
/// outside [lower, upper) are not counted. std::int32_t, std::uint32_t (whole w only) and float.
template <typename T>
void histogram_even(View<T> input, View<std::int64_t> counts, std::type_identity_t<detail::Plain<T>> lower,
                    std::type_identity_t<detail::Plain<T>> upper, Stream& stream) {
  detail::require_size("histogram_even", "counts", counts.size(), 1);
  detail::histogram_even<detail::Plain<T>>(input, counts, lower, upper, stream);
}

/// positions[i] = how many elements of the ascending `sorted` are < queries[i]. O(queries * log sorted).
template <typename T, typename Q>
requires std::is_same_v<detail::Plain<T>, detail::Plain<Q>>
void lower_bound(View<T> sorted, View<Q> queries, View<std::int64_t> positions, Stream& stream) {
  detail::require_size("lower_bound", "positions", positions.size(), queries.size());
  detail::lower_bound<detail::Plain<T>>(sorted, queries, positions, stream);
}

/// output[i] = first + i.
template <typename T>
void iota(View<T> output, Stream& stream, std::type_identity_t<T> first = T{}) {
  detail::iota<T>(output, first, stream);
}

}  // namespace warpbench
