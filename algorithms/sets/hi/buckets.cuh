// A set hashed into buckets of fixed size by a block (bellas2022 §6.2.1, HI): the buckets are in global memory, made
// once and written over by the next set; their sizes are in shared memory and all that is cleared.
#pragma once

#include <algorithm>
#include <cstdint>

#include "algorithms/sets/engine/pair_table.cuh"
#include "device/device.hpp"
#include "device/kernel.hpp"
#include "device/search.cuh"
#include "device/warp.cuh"

namespace warpbench::sets {

/// How buckets lie in a block's storage: `capacity` times `buckets` slots, then a list of what overflows a bucket,
/// long enough for all tokens that are hashed at a time, `most`. The first slots of all buckets lie side by side, then
/// their second ones: neighbouring tokens look into neighbouring buckets, and what is never filled is never touched.
struct BucketLayout {
  std::uint32_t buckets;
  std::uint32_t capacity;
  std::int64_t most;

  /// For sets of up to `size` tokens. Longer ones than 32 tokens a bucket are hashed a piece at a time, which bounds
  /// the storage and the linear searches. Buckets have twice the room of an even spread.
  static BucketLayout of(std::int64_t buckets, std::int64_t size) {
    const std::int64_t most = std::clamp<std::int64_t>(size, 1, buckets * 32);
    const std::int64_t capacity = (most + buckets - 1) / buckets * 2 + 4;
    return {static_cast<std::uint32_t>(buckets), static_cast<std::uint32_t>(capacity), most};
  }
  [[nodiscard]] __host__ __device__ std::int64_t slots() const { return std::int64_t{buckets} * capacity; }
  /// A token's bucket: the token modulo `buckets`, whose division is spared where a mask does.
  [[nodiscard]] __device__ std::uint32_t bucket_of(std::uint32_t token) const {
    return (buckets & (buckets - 1)) == 0 ? token & (buckets - 1) : token % buckets;
  }
  /// Tokens of a block's storage.
  [[nodiscard]] __host__ __device__ std::int64_t tokens() const { return slots() + most; }
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
        slots_(pool.storage.data() + blockIdx.x * pool.layout.tokens()),
        overflow_(slots_ + pool.layout.slots()),
        sizes_(sizes) {}

  /// At most layout.most tokens take the place of those before. All threads of the block.
  __device__ void fill(DeviceSet set) {
    __syncthreads();
    const int tid = warp::thread_rank();
    const int threads = static_cast<int>(blockDim.x * blockDim.y);
    for (std::uint32_t i = tid; i <= layout_.buckets; i += threads) sizes_[i] = 0;
    __syncthreads();
    for (std::int64_t i = tid; i < set.size; i += threads) insert(set.tokens[i]);
    __syncthreads();
  }

  __device__ bool holds(std::uint32_t token) const {
    const std::uint32_t bucket = layout_.bucket_of(token);
    const std::uint32_t size = sizes_[bucket];
    const bool overflows = size > layout_.capacity;
    if (is_among(slots_ + bucket, layout_.buckets, overflows ? layout_.capacity : size, token)) return true;
    return overflows && is_among(overflow_, 1, sizes_[layout_.buckets], token);
  }

  [[nodiscard]] __device__ std::int64_t most() const { return layout_.most; }

 private:
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
  std::uint32_t* slots_;
  std::uint32_t* overflow_;
  std::uint32_t* sizes_;
};

/// Tokens [begin, begin + most) of a set, or what it has of them.
__device__ inline DeviceSet piece_of(DeviceSet set, std::int64_t begin, std::int64_t most) {
  return {set.tokens + begin, set.size - begin < most ? set.size - begin : most};
}

/// What can be in a piece of another set: the tokens from its first to its last. `piece` is not empty.
__device__ inline DeviceSet range_of(DeviceSet set, DeviceSet piece) {
  const std::int64_t begin = lower_bound(set.tokens, set.size, piece.tokens[0]);
  const std::int64_t end = upper_bound(set.tokens, set.size, piece.tokens[piece.size - 1]);
  return {set.tokens + begin, end - begin};
}

/// Hashes `set`, a piece at a time where it is longer than buckets.most(), and calls body(probers) after each:
/// probers(other) are the tokens of another set that are to be looked up in the piece. All threads of the block.
template <typename Body>
__device__ void for_each_piece(Buckets& buckets, DeviceSet set, Body body) {
  const bool whole = set.size <= buckets.most();
  for (std::int64_t begin = 0; begin < set.size; begin += buckets.most()) {
    const DeviceSet piece = piece_of(set, begin, buckets.most());
    buckets.fill(piece);
    body([=](DeviceSet other) { return whole ? other : range_of(other, piece); });
  }
}

/// How many tokens of `shorter` the other has, as this thread found them: a thread a lookup. All threads of the block.
__device__ inline std::uint32_t count_by_hash(Buckets& buckets, DeviceSet shorter, DeviceSet longer,
                                              const Found& found) {
  const int tid = warp::thread_rank();
  const int threads = static_cast<int>(blockDim.x * blockDim.y);
  std::uint32_t common = 0;
  for_each_piece(buckets, shorter, [&](auto probers) {
    const DeviceSet probing = probers(longer);
    for (std::int64_t i = tid; i < probing.size; i += threads) {
      if (!buckets.holds(probing.tokens[i])) continue;
      ++common;
      found.mark(probing.tokens[i]);
    }
  });
  return common;
}

}  // namespace warpbench::sets
