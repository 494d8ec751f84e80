// All-pairs comparison of two blocks. A block is four-element lanes: rotating whole lanes of `a` and, within lanes,
// the elements of `b` meets every pair with (lanes - 1) + 3 shuffles instead of width - 1. An element of `a` matches
// at most one of `b`, so the matches of one rotation of `a` may be or-ed before they are counted. che2019's published
// code compares 2x4 and 4x4 elements a step; the slide draws 4x4.
#include "baselines/common_neighbors/intersect_simd.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#define WARPBENCH_AVX2 __attribute__((target("avx2,popcnt")))
#define WARPBENCH_AVX512 __attribute__((target("avx512f,popcnt")))
#endif

namespace warpbench::common_neighbors {

#if defined(__x86_64__)
namespace {

/// The `count` low bits set.
constexpr unsigned low_bits(std::size_t count) {
  return (1U << count) - 1U;
}

// ---- AVX2: blocks of 8 = 2 lanes ----

constexpr std::size_t kWidth8 = 8;

/// Elements of `a` whose bit is in `valid` that occur in `b`.
WARPBENCH_AVX2 inline unsigned matches8(__m256i a, __m256i b, unsigned valid) {
  const __m256i b1 = _mm256_shuffle_epi32(b, 0x39);
  const __m256i b2 = _mm256_shuffle_epi32(b, 0x4e);
  const __m256i b3 = _mm256_shuffle_epi32(b, 0x93);
  const __m256i swapped = _mm256_permute2x128_si256(a, a, 1);
  const __m256i same = _mm256_or_si256(_mm256_or_si256(_mm256_cmpeq_epi32(a, b), _mm256_cmpeq_epi32(a, b1)),
                                       _mm256_or_si256(_mm256_cmpeq_epi32(a, b2), _mm256_cmpeq_epi32(a, b3)));
  const __m256i cross =
      _mm256_or_si256(_mm256_or_si256(_mm256_cmpeq_epi32(swapped, b), _mm256_cmpeq_epi32(swapped, b1)),
                      _mm256_or_si256(_mm256_cmpeq_epi32(swapped, b2), _mm256_cmpeq_epi32(swapped, b3)));
  const unsigned valid_swapped = (valid >> 4) | ((valid & 0xfU) << 4);
  const auto in_same = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(same))) & valid;
  const auto in_cross = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(cross))) & valid_swapped;
  return static_cast<unsigned>(_mm_popcnt_u32(in_same | (in_cross << 8)));
}

WARPBENCH_AVX2 inline __m256i load8(const std::uint32_t* block) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block));
}

/// The first `size` elements of a block, the rest 2^32 - 1; reads nothing beyond `size`.
WARPBENCH_AVX2 inline __m256i load8(const std::uint32_t* block, std::size_t size) {
  const __m256i index = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const __m256i present = _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(size)), index);
  const __m256i loaded = _mm256_maskload_epi32(reinterpret_cast<const int*>(block), present);
  return _mm256_or_si256(loaded, _mm256_xor_si256(present, _mm256_set1_epi32(-1)));
}

template <bool kCounting>
WARPBENCH_AVX2 std::uint32_t block_merge_avx2(List a, List b, std::uint64_t* block_pairs) {
  std::uint32_t count = 0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i + kWidth8 <= a.size() && j + kWidth8 <= b.size()) {
    if constexpr (kCounting) ++*block_pairs;
    count += matches8(load8(&a[i]), load8(&b[j]), low_bits(kWidth8));
    const std::uint32_t last_a = a[i + kWidth8 - 1];
    const std::uint32_t last_b = b[j + kWidth8 - 1];
    i += last_a <= last_b ? kWidth8 : 0;
    j += last_b <= last_a ? kWidth8 : 0;
  }
  while (i < a.size() && j < b.size()) {
    if constexpr (kCounting) ++*block_pairs;
    const std::size_t size_a = std::min(kWidth8, a.size() - i);
    const std::size_t size_b = std::min(kWidth8, b.size() - j);
    count += matches8(load8(&a[i], size_a), load8(&b[j], size_b), low_bits(size_a));
    const std::uint32_t last_a = a[i + size_a - 1];
    const std::uint32_t last_b = b[j + size_b - 1];
    i += last_a <= last_b ? size_a : 0;
    j += last_b <= last_a ? size_b : 0;
  }
  return count;
}

// ---- AVX-512: blocks of 16 = 4 lanes ----

constexpr std::size_t kWidth16 = 16;
constexpr __mmask16 kAll16 = 0xffff;

/// `b` and its three rotations within lanes.
struct Rotations16 {
  __m512i by0, by1, by2, by3;
};

/// Bit per element of `a` that equals one of the four elements in the same lane of `b`.
WARPBENCH_AVX512 inline unsigned in_lane16(__m512i a, const Rotations16& b) {
  return static_cast<unsigned>(_mm512_cmpeq_epi32_mask(a, b.by0)) | _mm512_cmpeq_epi32_mask(a, b.by1) |
         _mm512_cmpeq_epi32_mask(a, b.by2) | _mm512_cmpeq_epi32_mask(a, b.by3);
}

/// `valid` as it stands after lanes were rotated by `lanes`.
constexpr unsigned rotated16(unsigned valid, unsigned lanes) {
  return ((valid >> (4 * lanes)) | (valid << (16 - 4 * lanes))) & 0xffffU;
}

/// Elements of `a` whose bit is in `valid` that occur in `b`.
WARPBENCH_AVX512 inline unsigned matches16(__m512i a, __m512i b, unsigned valid) {
  const Rotations16 turned{b, _mm512_maskz_shuffle_epi32(kAll16, b, _MM_PERM_ADCB),
                           _mm512_maskz_shuffle_epi32(kAll16, b, _MM_PERM_BADC),
                           _mm512_maskz_shuffle_epi32(kAll16, b, _MM_PERM_CBAD)};
  const __m512i a1 = _mm512_maskz_shuffle_i32x4(kAll16, a, a, 0x39);
  const __m512i a2 = _mm512_maskz_shuffle_i32x4(kAll16, a, a, 0x4e);
  const __m512i a3 = _mm512_maskz_shuffle_i32x4(kAll16, a, a, 0x93);
  const std::uint64_t low = (in_lane16(a, turned) & valid) | ((in_lane16(a1, turned) & rotated16(valid, 1)) << 16);
  const std::uint64_t high =
      (in_lane16(a2, turned) & rotated16(valid, 2)) | ((in_lane16(a3, turned) & rotated16(valid, 3)) << 16);
  return static_cast<unsigned>(_mm_popcnt_u64(low | (high << 32)));
}

/// The first `size` elements of a block, the rest 2^32 - 1; reads nothing beyond `size`.
WARPBENCH_AVX512 inline __m512i load16(const std::uint32_t* block, std::size_t size) {
  return _mm512_mask_loadu_epi32(_mm512_set1_epi32(-1), static_cast<__mmask16>(low_bits(size)), block);
}

template <bool kCounting>
WARPBENCH_AVX512 std::uint32_t block_merge_avx512(List a, List b, std::uint64_t* block_pairs) {
  std::uint32_t count = 0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i + kWidth16 <= a.size() && j + kWidth16 <= b.size()) {
    if constexpr (kCounting) ++*block_pairs;
    count += matches16(_mm512_loadu_si512(&a[i]), _mm512_loadu_si512(&b[j]), low_bits(kWidth16));
    const std::uint32_t last_a = a[i + kWidth16 - 1];
    const std::uint32_t last_b = b[j + kWidth16 - 1];
    i += last_a <= last_b ? kWidth16 : 0;
    j += last_b <= last_a ? kWidth16 : 0;
  }
  while (i < a.size() && j < b.size()) {
    if constexpr (kCounting) ++*block_pairs;
    const std::size_t size_a = std::min(kWidth16, a.size() - i);
    const std::size_t size_b = std::min(kWidth16, b.size() - j);
    count += matches16(load16(&a[i], size_a), load16(&b[j], size_b), low_bits(size_a));
    const std::uint32_t last_a = a[i + size_a - 1];
    const std::uint32_t last_b = b[j + size_b - 1];
    i += last_a <= last_b ? size_a : 0;
    j += last_b <= last_a ? size_b : 0;
  }
  return count;
}

}  // namespace

BlockMerge block_merge(Simd simd, bool counting) {
  switch (simd) {
    case Simd::none:
      return nullptr;
    case Simd::avx2:
      return counting ? block_merge_avx2<true> : block_merge_avx2<false>;
    case Simd::avx512:
      return counting ? block_merge_avx512<true> : block_merge_avx512<false>;
  }
  return nullptr;
}
#else
BlockMerge block_merge(Simd /*simd*/, bool /*counting*/) {
  return nullptr;
}
#endif

}  // namespace warpbench::common_neighbors
