#include "algorithms/subgraph_matching/fsig/filter/candidate_sets.hpp"

#include "device/bits.cuh"
#include "device/block.cuh"
#include "device/launch.hpp"

namespace warpbench::matching::fsig {
namespace {

struct CompactTuning {
  static constexpr int kThreads = 128;
  static constexpr int kRounds = 4;  ///< words of a thread
};
static_assert(CompactTuning::kThreads * CompactTuning::kRounds == CandidateBitmaps::kWordsPerPart);

/// The block's part of a bitmap, of which each warp takes kRounds * 32 words. Grid: (parts of a bitmap, query
/// vertices).
class BitmapPart {
 public:
  __device__ explicit BitmapPart(const CandidateBitmaps& sets)
      : u(block::index<Axis::y>()),
        first_part(u * sets.parts),
        part(first_part + block::index()),
        words_(sets.words),
        first_word_(block::index() * CandidateBitmaps::kWordsPerPart +
                    block::warp_rank<CompactTuning::kThreads>() * CompactTuning::kRounds * kWarpSize + warp::lane()) {}

  std::int64_t u;
  std::int64_t first_part;  ///< of u's bitmap
  std::int64_t part;

  /// The word of this lane in a round; `words` or more where there is none.
  __device__ std::int64_t word(int round) const { return first_word_ + round * kWarpSize; }
  /// That word of u's bitmap, or 0.
  __device__ std::uint32_t bits(const CandidateBitmaps& sets, int round) const {
    return word(round) < words_ ? sets.bits[u * words_ + word(round)] : 0;
  }

 private:
  std::int64_t words_;
  std::int64_t first_word_;
};

__global__ void __launch_bounds__(CompactTuning::kThreads) count_kernel(CandidateBitmaps sets) {
  const BitmapPart own(sets);
  int members = 0;
  for (int round = 0; round < CompactTuning::kRounds; ++round) members += __popc(own.bits(sets, round));
  const int count = block::reduce_sum(members);
  if (block::rank() == 0) sets.part_counts[own.part] = static_cast<std::uint32_t>(count);
}

/// The sum of part_counts[begin .. end), by a whole block.
__device__ std::int64_t sum_of_parts(View<const std::uint32_t> part_counts, std::int64_t begin, std::int64_t end) {
  std::int64_t sum = 0;
  for (const std::int64_t i : block::strided<CompactTuning::kThreads>(begin, end)) sum += part_counts[i];
  return block::reduce_sum(sum);
}

__global__ void __launch_bounds__(CompactTuning::kThreads)
    compact_kernel(CandidateBitmaps sets, Candidates candidates) {
  const BitmapPart own(sets);
  const std::int64_t sets_before = sum_of_parts(sets.part_counts, 0, own.first_part);
  const std::int64_t parts_before = sum_of_parts(sets.part_counts, own.first_part, own.part);
  std::uint32_t bits[CompactTuning::kRounds];
  int members = 0;
  for (int round = 0; round < CompactTuning::kRounds; ++round) {
    bits[round] = own.bits(sets, round);
    members += __popc(bits[round]);
  }
  // Words of a warp lie together, those of a lane do not: warps are scanned here, lanes round by round.
  const int of_warp = warp::reduce_sum(members);
  int in_part = 0;
  const int warps_before = block::exclusive_scan(warp::lane() == 0 ? of_warp : 0, in_part);
  std::int64_t before = parts_before + __shfl_sync(kFullMask, warps_before, 0);
  for (int round = 0; round < CompactTuning::kRounds; ++round) {
    int of_round = 0;
    std::int64_t rank = before + warp::exclusive_scan(__popc(bits[round]), of_round);
    before += of_round;
    const std::int64_t word = own.word(round);
    if (word >= sets.words) continue;
    candidates.words[own.u * sets.words + word] = {static_cast<std::uint32_t>(rank), bits[round]};
    for (const int bit : set_bits(bits[round])) {
      candidates.vertices[sets_before + rank++] = static_cast<Vertex>(word * kBitsPerWord + bit);
    }
  }
  if (block::rank() != 0) return;
  if (block::index() == 0) candidates.offsets[own.u] = sets_before;
  if (own.part + 1 == sets.part_counts.size()) candidates.offsets[own.u + 1] = sets_before + parts_before + in_part;
}

Grid grid_of_parts(const CandidateBitmaps& sets) {
  return {{sets.parts, sets.query_vertices}, CompactTuning::kThreads};
}

}  // namespace

CandidateBitmaps bitmaps_in(View<std::uint32_t> memory, std::int64_t query_vertices, std::int64_t data_vertices) {
  const std::int64_t words = words_for(data_vertices);
  const std::int64_t parts = ceil_div(words, CandidateBitmaps::kWordsPerPart);
  return {memory.subview(0, query_vertices * words), memory.subview(query_vertices * words, query_vertices * parts),
          words, parts, query_vertices};
}

std::int64_t words_of_bitmaps(std::int64_t query_vertices, std::int64_t data_vertices) {
  const std::int64_t words = words_for(data_vertices);
  return query_vertices * (words + ceil_div(words, CandidateBitmaps::kWordsPerPart));
}

CandidateBitmaps take_bitmaps(std::int64_t query_vertices, std::int64_t data_vertices, Arena& arena) {
  return bitmaps_in(arena.take<std::uint32_t>(words_of_bitmaps(query_vertices, data_vertices)), query_vertices,
                    data_vertices);
}

Candidates take_candidates(const CandidateBitmaps& sets, std::int64_t max_candidates, Arena& arena) {
  return {arena.take<RankWord>(sets.query_vertices * sets.words), arena.take<Vertex>(max_candidates),
          arena.take<std::int64_t>(sets.query_vertices + 1), sets.words, sets.query_vertices};
}

void count_members(const CandidateBitmaps& sets, Stream& stream) {
  launch(count_kernel, grid_of_parts(sets), stream, sets);
}

void compact(const CandidateBitmaps& sets, const Candidates& candidates, Stream& stream) {
  launch(compact_kernel, grid_of_parts(sets), stream, sets, candidates);
}

}  // namespace warpbench::matching::fsig
