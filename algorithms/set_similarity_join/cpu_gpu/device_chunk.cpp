#include "algorithms/set_similarity_join/cpu_gpu/device_chunk.hpp"

namespace warpbench::similarity {

DeviceChunk::DeviceChunk(const ChunkPlan& plan, Stream& stream)
    : sets_(plan.candidates, stream),
      probes_(plan.probes, stream),
      flags_(plan.has_flags ? plan.candidates : 0, stream),
      block_counts_(plan.has_flags ? 0 : plan.probes, stream),
      count_(1, stream),
      host_count_(1) {}

void DeviceChunk::load(const Chunk& chunk, Stream& stream) {
  candidate_count_ = std::ssize(chunk.candidates());
  probe_count_ = chunk.probe_count;
  sets_.upload(chunk.candidates(), stream);
  probes_.upload(chunk.entries(), stream);
}

CandidatesView DeviceChunk::candidates() const {
  return {sets_.view().first(candidate_count_), probes_.view().first(probe_count_)};
}

void DeviceChunk::verify(const Verification& how, const SetsView& sets, Chunk& chunk, Stream& stream) {
  if (flags_.empty()) {
    count_similar(how, sets, candidates(), block_counts_.view(), count_.view(), stream);
    count_.download(host_count_.span(), stream);
  } else {
    flag_similar(how, sets, candidates(), flags_.view(), stream);
    flags_.download(chunk.flags.span().first(static_cast<std::size_t>(candidate_count_)), stream);
  }
}

}  // namespace warpbench::similarity
