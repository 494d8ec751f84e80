// DeviceChunk: the device memory for a chunk of candidates, and what thread H1 does with it (bellas2022 §4.2.1): it
// copies the chunk there and has it verified.
#pragma once

#include <cstdint>

#include "algorithms/set_similarity_join/cpu_gpu/chunk.hpp"
#include "algorithms/set_similarity_join/verification/verification.hpp"
#include "device/buffer.hpp"
#include "device/stream.hpp"

namespace warpbench::similarity {

class DeviceChunk {
 public:
  DeviceChunk() = default;
  /// Throws OutOfDeviceMemory.
  DeviceChunk(const ChunkPlan& plan, Stream& stream);

  /// Enqueues the copy of a chunk.
  void load(const Chunk& chunk, Stream& stream);
  /// Of what was loaded last.
  [[nodiscard]] CandidatesView candidates() const;

  /// Enqueues its verification: into OUT where the plan has flags, which come to `chunk`; else their number.
  void verify(const Verification& how, const SetsView& sets, Chunk& chunk, Stream& stream);
  /// When the stream has passed: the similar pairs of a chunk without flags.
  [[nodiscard]] std::uint64_t count() const { return host_count_[0]; }

 private:
  Buffer<std::uint32_t> sets_;
  Buffer<ProbeEntry> probes_;
  Buffer<std::uint8_t> flags_;
  Buffer<std::uint64_t> block_counts_;
  Buffer<std::uint64_t> count_;
  PinnedBuffer<std::uint64_t> host_count_;
  std::int64_t candidate_count_ = 0;
  std::int64_t probe_count_ = 0;
};

}  // namespace warpbench::similarity
