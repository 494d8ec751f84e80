// Warp collectives under CUDA's names: votes, matches, reductions and shuffles of 32- and 64-bit values.
// Each takes the caller's source location, so that an error names the line in the kernel.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "device/simt/context.hpp"

namespace warpbench::simt {

/// The types of CUDA's shuffles and matches: 32- and 64-bit integers and floating point numbers.
template <typename T>
concept LaneValue = std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && (sizeof(T) == 4 || sizeof(T) == 8);

template <LaneValue T>
std::uint64_t to_bits(T value) {
  if constexpr (sizeof(T) == 4) {
    return std::bit_cast<std::uint32_t>(value);
  } else {
    return std::bit_cast<std::uint64_t>(value);
  }
}

template <LaneValue T>
T from_bits(std::uint64_t bits) {
  if constexpr (sizeof(T) == 4) {
    return std::bit_cast<T>(static_cast<std::uint32_t>(bits));
  } else {
    return std::bit_cast<T>(bits);
  }
}

template <LaneValue T>
T shuffle(Operation operation, unsigned mask, T value, int lane_argument, int width, const Location& location) {
  return from_bits<T>(collective(operation, mask, to_bits(value), sizeof(T), lane_argument, width, location).value);
}

inline unsigned vote(Operation operation, unsigned mask, std::uint64_t value, const Location& location) {
  return static_cast<unsigned>(collective(operation, mask, value, 4, 0, 32, location).value);
}

}  // namespace warpbench::simt

inline void __syncwarp(unsigned mask = 0xffffffffU,
                       const std::source_location& location = std::source_location::current()) {
  warpbench::simt::vote(warpbench::simt::Operation::kSyncWarp, mask, 0, location);
}
inline unsigned __activemask() {
  return warpbench::simt::active_mask();
}

template <warpbench::simt::LaneValue T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32,
              const std::source_location& location = std::source_location::current()) {
  return warpbench::simt::shuffle(warpbench::simt::Operation::kShuffle, mask, value, source, width, location);
}
template <warpbench::simt::LaneValue T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32,
                 const std::source_location& location = std::source_location::current()) {
  return warpbench::simt::shuffle(warpbench::simt::Operation::kShuffleUp, mask, value, static_cast<int>(delta), width,
                                  location);
}
template <warpbench::simt::LaneValue T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32,
                   const std::source_location& location = std::source_location::current()) {
  return warpbench::simt::shuffle(warpbench::simt::Operation::kShuffleDown, mask, value, static_cast<int>(delta), width,
                                  location);
}
template <warpbench::simt::LaneValue T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32,
                  const std::source_location& location = std::source_location::current()) {
  return warpbench::simt::shuffle(warpbench::simt::Operation::kShuffleXor, mask, value, lane_mask, width, location);
}

inline unsigned __ballot_sync(unsigned mask, int predicate,
                              const std::source_location& location = std::source_location::current()) {
  return warpbench::simt::vote(warpbench::simt::Operation::kBallot, mask, predicate != 0 ? 1 : 0, location);
}
inline int __any_sync(unsigned mask, int predicate,
                      const std::source_location& location = std::source_location::current()) {
  return warpbench::simt::vote(warpbench::simt::Operation::kAny, mask, predicate != 0 ? 1 : 0, location) != 0;
}
inline int __all_sync(unsigned mask, int predicate,
                      const std::source_location& location = std::source_location::current()) {
  return warpbench::simt::vote(warpbench::simt::Operation::kAll, mask, predicate != 0 ? 1 : 0, location) != 0;
}

template <warpbench::simt::LaneValue T>
unsigned __match_any_sync(unsigned mask, T value,
                          const std::source_location& location = std::source_location::current()) {
  return static_cast<unsigned>(warpbench::simt::collective(warpbench::simt::Operation::kMatchAny, mask,
                                                           warpbench::simt::to_bits(value), sizeof(T), 0, 32, location)
                                   .value);
}
template <warpbench::simt::LaneValue T>
unsigned __match_all_sync(unsigned mask, T value, int* predicate,
                          const std::source_location& location = std::source_location::current()) {
  const warpbench::simt::CollectiveResult result = warpbench::simt::collective(
      warpbench::simt::Operation::kMatchAll, mask, warpbench::simt::to_bits(value), sizeof(T), 0, 32, location);
  *predicate = result.predicate;
  return static_cast<unsigned>(result.value);
}

inline unsigned __reduce_add_sync(unsigned mask, unsigned value,
                                  const std::source_location& location = std::source_location::current()) {
  return warpbench::simt::vote(warpbench::simt::Operation::kReduceAddUnsigned, mask, value, location);
}
inline int __reduce_add_sync(unsigned mask, int value,
                             const std::source_location& location = std::source_location::current()) {
  return static_cast<int>(warpbench::simt::vote(warpbench::simt::Operation::kReduceAddSigned, mask,
                                                static_cast<unsigned>(value), location));
}
inline unsigned __reduce_min_sync(unsigned mask, unsigned value,
                                  const std::source_location& location = std::source_location::current()) {
  return warpbench::simt::vote(warpbench::simt::Operation::kReduceMinUnsigned, mask, value, location);
}
inline int __reduce_min_sync(unsigned mask, int value,
                             const std::source_location& location = std::source_location::current()) {
  return static_cast<int>(warpbench::simt::vote(warpbench::simt::Operation::kReduceMinSigned, mask,
                                                static_cast<unsigned>(value), location));
}
inline unsigned __reduce_max_sync(unsigned mask, unsigned value,
                                  const std::source_location& location = std::source_location::current()) {
  return warpbench::simt::vote(warpbench::simt::Operation::kReduceMaxUnsigned, mask, value, location);
}
inline int __reduce_max_sync(unsigned mask, int value,
                             const std::source_location& location = std::source_location::current()) {
  return static_cast<int>(warpbench::simt::vote(warpbench::simt::Operation::kReduceMaxSigned, mask,
                                                static_cast<unsigned>(value), location));
}
inline unsigned __reduce_and_sync(unsigned mask, unsigned value,
                                  const std::source_location& location = std::source_location::current()) {
  return warpbench::simt::vote(warpbench::simt::Operation::kReduceAnd, mask, value, location);
}
inline unsigned __reduce_or_sync(unsigned mask, unsigned value,
                                 const std::source_location& location = std::source_location::current()) {
  return warpbench::simt::vote(warpbench::simt::Operation::kReduceOr, mask, value, location);
}
inline unsigned __reduce_xor_sync(unsigned mask, unsigned value,
                                  const std::source_location& location = std::source_location::current()) {
  return warpbench::simt::vote(warpbench::simt::Operation::kReduceXor, mask, value, location);
}
