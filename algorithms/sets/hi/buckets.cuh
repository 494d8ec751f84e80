// A set hashed into buckets of fixed size by a block (bellas2022 §6.2.1, HI): the buckets are in global memory, where
// the next set overwrites them. Only their sizes, in shared memory, are cleared.
#pragma once

#include <algorithm>
#include <cstdint>

#include "algorithms/sets/engine/lookup.cuh"
#include "device/device.hpp"
#include "device/kernel.hpp"
#include "device/search.cuh"

namespace warpbench::sets {

/// The layout of buckets in a block's storage: `capacity` times `buckets` slots, then a list of what overflows a
/// bucket, long enough for all tokens that are hashed at a time, `max_tokens`. The first slots of all buckets lie side
/// by side, then their second ones: neighbouring tokens look into neighbouring buckets, and what is never filled is
/// never touched.
struct BucketLayout {
  std::uint32_t buckets;
  std::uint32_t capacity;
  std::int64_t max_tokens;

  /// For sets of up to `size` tokens. Longer ones than two tokens a bucket are hashed a piece at a time, which bounds
  /// the storage and the linear searches. Buckets have twice the room of an even spread.
  static BucketLayout of(std::int64_t buckets, std::int64_t size) {
    const std::int64_t max_tokens = std::clamp<std::int64_t>(size, 1, buckets * 2);
    const std::int64_t capacity = ceil_div(max_tokens, buckets) * 2 + 4;
    return {static_cast<std::uint32_t>(buckets), static_cast<std::uint32_t>(capacity), max_tokens};
  }
  [[nodiscard]] __host__ __device__ std::int64_t slots() const { return std::int64_t{buckets} * capacity; }
  /// A token's bucket: the token modulo `buckets`, whose division is spared where a mask does.
  [[nodiscard]] __device__ std::uint32_t bucket_of(std::uint32_t token) const {
    return (buckets & (buckets - 1)) == 0 ? token & (buckets - 1) : token % buckets;
  }
  /// Tokens of a block's storage.
  [[nodiscard]] __host__ __device__ std::int64_t tokens() const { return slots() + max_tokens; }
  [[nodiscard]] std::size_t shared_bytes() const { return (buckets + std::size_t{1}) * sizeof(std::uint32_t); }
};

/// The storage of all blocks of a launch, one after the other.
struct BucketPool {
  BucketLayout layout;
  View<std::uint32_t> storage;
};

/// A BucketPool's memory: of `wanted` blocks, or of as many as a quarter of the free memory holds, at least one.
class BucketMemory {
 public:
  BucketMemory() = default;
  BucketMemory(BucketLayout layout, std::int64_t wanted, Stream& stream) : layout_(layout) {
    const std::int64_t each = layout.tokens() * static_cast<std::int64_t>(sizeof(std::uint32_t));
    blocks_ = std::clamp<std::int64_t>(free_memory() / 4 / each, 1, std::max<std::int64_t>(wanted, 1));
    storage_ = Buffer<std::uint32_t>(blocks_ * layout.tokens(), stream);
  }
  [[nodiscard]] std::int64_t blocks() const { return blocks_; }
  [[nodiscard]] std::int64_t bytes() const { return storage_.bytes(); }
  [[nodiscard]] BucketPool pool() { return {layout_, storage_.view()}; }

 private:
  BucketLayout layout_{};
  std::int64_t blocks_ = 0;
  Buffer<std::uint32_t> storage_;
};

/// This block's buckets; `sizes` has shared_bytes().
class Buckets {
 public:
  __device__ Buckets(const BucketPool& pool, std::uint32_t* sizes)
      : layout_(pool.layout),
        slots_(pool.storage.subview(block::index() * layout_.tokens(), layout_.slots())),
        overflow_(pool.storage.subview(block::index() * layout_.tokens() + layout_.slots(), layout_.max_tokens)),
        sizes_(sizes) {}

  /// At most layout.max_tokens tokens take the place of those before. All threads of the block.
  __device__ void fill(DeviceSet set) {
    __syncthreads();
    for (const std::uint32_t i : block::strided(layout_.buckets + 1)) sizes_[i] = 0;
    __syncthreads();
    std::uint32_t tokens[kInFlight];
    in_batches<kInFlight>(
        set.size(), [&](int u, std::int64_t i) { tokens[u] = set[i]; },
        [&](int u, std::int64_t /*i*/) { insert(tokens[u]); });
    __syncthreads();
  }

  __device__ bool holds(std::uint32_t token) const {
    return found(token, size_for(token), first_for(token, size_for(token)));
  }

  /// The steps of holds(): the size of the token's bucket, its first slot if there is one, and whether the token is
  /// there or behind.
  __device__ std::uint32_t size_for(std::uint32_t token) const { return sizes_[layout_.bucket_of(token)]; }
  __device__ std::uint32_t first_for(std::uint32_t token, std::uint32_t size) const {
    return size > 0 ? slots_[layout_.bucket_of(token)] : 0;
  }
  __device__ bool found(std::uint32_t token, std::uint32_t size, std::uint32_t first) const {
    if (size == 0) return false;
    if (first == token) return true;
    const bool overflows = size > layout_.capacity;
    const std::uint32_t* const second = slots_.data() + layout_.bucket_of(token) + layout_.buckets;
    if (is_among(second, layout_.buckets, (overflows ? layout_.capacity : size) - 1, token)) return true;
    return overflows && is_among(overflow_.data(), 1, sizes_[layout_.buckets], token);
  }

  /// The number of tokens of `set` that this thread of the block finds; marked in `flags`.
  __device__ std::uint32_t count(DeviceSet set, const CommonFlags& flags) const {
    std::uint32_t tokens[kInFlight];
    std::uint32_t sizes[kInFlight];
    std::uint32_t firsts[kInFlight];
    std::uint32_t common = 0;
    in_batches<kInFlight>(
        set.size(), [&](int u, std::int64_t i) { tokens[u] = set[i]; },
        [&](int u, std::int64_t /*i*/) { sizes[u] = size_for(tokens[u]); },
        [&](int u, std::int64_t /*i*/) { firsts[u] = first_for(tokens[u], sizes[u]); },
        [&](int u, std::int64_t /*i*/) {
          if (!found(tokens[u], sizes[u], firsts[u])) return;
          ++common;
          flags.mark(tokens[u]);
        });
    return common;
  }

  [[nodiscard]] __device__ std::int64_t max_tokens() const { return layout_.max_tokens; }

 private:
  static constexpr int kInFlight = 4;  ///< tokens of a thread on their way

  /// A bucket's size counts also what overflows it; one more size is the overflow list's.
  __device__ void insert(std::uint32_t token) {
    const std::uint32_t bucket = layout_.bucket_of(token);
    const std::uint32_t at = atomicAdd(&sizes_[bucket], 1U);
    if (at < layout_.capacity) {
      slots_[std::int64_t{at} * layout_.buckets + bucket] = token;
    } else {
      overflow_[atomicAdd(&sizes_[layout_.buckets], 1U)] = token;
    }
  }
  /// Whether tokens[0], tokens[step], …, `size` of them, have `token`.
  __device__ static bool is_among(const std::uint32_t* tokens, std::uint32_t step, std::uint32_t size,
                                  std::uint32_t token) {
    for (std::uint32_t i = 0; i < size; ++i, tokens += step) {
      if (*tokens == token) return true;
    }
    return false;
  }

  BucketLayout layout_;
  View<std::uint32_t> slots_;
  View<std::uint32_t> overflow_;
  std::uint32_t* sizes_;
};

/// The part of `set` that can be in a piece of another one: its tokens from the piece's first to its last. `piece` is
/// not empty.
__device__ inline DeviceSet range_of(DeviceSet set, DeviceSet piece) {
  const std::int64_t begin = lower_bound(set, piece[0]);
  const std::int64_t end = upper_bound(set.data(), set.size(), piece[piece.size() - 1]);
  return set.subview(begin, end - begin);
}

/// Hashes `set` in pieces of at most buckets.max_tokens() tokens, and calls body(probers) after each piece.
/// probers(other) are the tokens of another set that are to be looked up in the piece. All threads of the block.
template <typename Body>
__device__ void for_each_piece(Buckets& buckets, DeviceSet set, Body body) {
  const bool whole = set.size() <= buckets.max_tokens();
  for (std::int64_t begin = 0; begin < set.size(); begin += buckets.max_tokens()) {
    const std::int64_t rest = set.size() - begin;
    const DeviceSet piece = set.subview(begin, rest < buckets.max_tokens() ? rest : buckets.max_tokens());
    buckets.fill(piece);
    body([=](DeviceSet other) { return whole ? other : range_of(other, piece); });
  }
}

/// The number of tokens of `shorter` that this thread finds in `longer`, a thread a lookup. All threads of the block.
__device__ inline std::uint32_t count_by_hash(Buckets& buckets, DeviceSet shorter, DeviceSet longer,
                                              const CommonFlags& flags) {
  std::uint32_t common = 0;
  for_each_piece(buckets, shorter, [&](auto probers) { common += buckets.count(probers(longer), flags); });
  return common;
}

}  // namespace warpbench::sets
