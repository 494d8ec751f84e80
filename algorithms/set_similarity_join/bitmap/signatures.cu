#include "algorithms/set_similarity_join/bitmap/signatures.cuh"

#include "algorithms/set_similarity_join/engine/signature_bit.hpp"
#include "device/kernel.hpp"
#include "device/ranges.cuh"

namespace warpbench::similarity {
namespace {

constexpr int kSignatureThreads = 256;
constexpr std::int64_t kMaxSignatureBlocks = 4096;

/// A warp makes a signature in shared memory: `words_per_set` words for each warp of the block.
__global__ void __launch_bounds__(kSignatureThreads) signature_kernel(SetsView sets, SignaturesView signatures) {
  const int words = signatures.words_per_set;
  std::uint32_t* signature = dynamic_shared<std::uint32_t>() + warp::rank() * words;
  const auto bits = static_cast<std::uint32_t>(signatures.bits());
  for (const std::int64_t set : grid::per_warp(sets.count())) {
    for (const int k : warp::strided(words)) signature[k] = 0;
    __syncwarp();
    const View<const datasets::Token> tokens = sets.set(set);
    for (const std::int64_t t : warp::strided(tokens.size())) {
      const std::uint32_t bit = signature_bit(tokens[t], bits);
      atomicXor(&signature[word_of(bit)], mask_of(bit));
    }
    __syncwarp();
    for (const int k : warp::strided(words)) signatures.word(set, k) = signature[k];
    __syncwarp();
  }
}

}  // namespace

void make_signatures(const SetsView& sets, const SignaturesView& signatures, Stream& stream) {
  Grid grid = warp_grid_for(sets.count(), kSignatureThreads, kMaxSignatureBlocks);
  grid.shared_bytes = static_cast<std::size_t>(kSignatureThreads / kWarpSize * signatures.words_per_set) * 4;
  launch(signature_kernel, grid, stream, sets, signatures);
}

}  // namespace warpbench::similarity
