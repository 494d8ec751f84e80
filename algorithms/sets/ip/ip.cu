// ip: Intersect Path (bellas2022 §4.3.2, §6.2.1, after Green et al.): equidistant cross diagonals cut a pair's path
// into parts for blocks, and these into parts for threads, which merge serially. A cut inside a cell is a count of
// the diagonal's own (diagonals.cuh). A block's threads merge in shared memory, a window of both sets at a time, as
// Green et al. do in Merge Path; the document does not say where its threads merge.
#include "algorithms/sets/ip/path_technique.cuh"
#include "solvers/solver.hpp"

namespace warpbench::sets {
namespace {

/// The number of common tokens of two sets, found by one thread that walks their path. `a` is from a_begin on of the
/// set whose tokens are marked.
__device__ std::uint32_t merge(DeviceSet a, DeviceSet b, std::int64_t a_begin, const CommonFlags& flags) {
  std::uint32_t common = 0;
  for (std::int64_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const std::uint32_t token_a = a[i];
    const std::uint32_t token_b = b[j];
    if (token_a == token_b) {
      ++common;
      flags.mark_at(a_begin + i);
    }
    i += token_a <= token_b ? 1 : 0;
    j += token_b <= token_a ? 1 : 0;
  }
  return common;
}

/// The block level: a window of both sets at a time in shared memory; in it a diagonal a thread, which merges from the
/// one before to its own. Together the threads' pieces are as long as the window, so that no diagonal leaves it.
struct MergeInside {
  static constexpr std::int64_t kTokensPerThread = 8;

  static std::size_t shared_bytes(std::int64_t threads) {
    return static_cast<std::size_t>(2 * threads * kTokensPerThread + threads + 1) * sizeof(std::uint32_t);
  }

  __device__ std::uint32_t count(const PathPart& part, const CommonFlags& flags) const {
    std::uint32_t common = 0;
    for (PathPoint at{0, 0, false}; at.a < part.a.size() && at.b < part.b.size();) {
      common += count_window(part, flags, at);
    }
    return common;
  }

 private:
  /// From `at` on, which moves to the window's end. All threads of the block.
  __device__ static std::uint32_t count_window(const PathPart& part, const CommonFlags& flags, PathPoint& at) {
    const int threads = block::size();
    const int rank = block::rank();
    const std::int64_t window = threads * kTokensPerThread;
    auto* const shared = dynamic_shared<std::uint32_t>();
    std::uint32_t* const cuts = shared + 2 * window;
    __syncthreads();  // the window before is done with
    const DeviceSet a = staged(part.a, at.a, window, shared);
    const DeviceSet b = staged(part.b, at.b, window, shared + window);
    __syncthreads();
    const std::int64_t tokens = a.size() + b.size() < window ? a.size() + b.size() : window;
    const std::int64_t begin = diagonal_at(tokens, threads, rank);
    const PathPoint end = path_point(a, b, diagonal_at(tokens, threads, rank + 1));
    if (rank == 0) cuts[0] = 0;
    cuts[rank + 1] = static_cast<std::uint32_t>(end.a);
    __syncthreads();
    if (end.in_cell) flags.mark_at(at.a + end.a - 1);
    const std::int64_t a_begin = cuts[rank];
    const std::int64_t b_begin = begin - a_begin;
    const std::uint32_t common =
        merge(a.subview(a_begin, end.a - a_begin), b.subview(b_begin, end.b - b_begin), at.a + a_begin, flags);
    const std::int64_t a_end = cuts[threads];
    at = {at.a + a_end, at.b + tokens - a_end, false};
    return common + (end.in_cell ? 1 : 0);
  }

  /// Up to `window` tokens of a set from `begin` on, as a copy in shared memory.
  __device__ static DeviceSet staged(DeviceSet set, std::int64_t begin, std::int64_t window, std::uint32_t* copy) {
    const std::int64_t size = set.size() - begin < window ? set.size() - begin : window;
    for (const std::int64_t i : block::strided(size)) copy[i] = set[begin + i];
    return {copy, size};
  }
};

using IpIntersection = IntersectionBy<PathTechnique<PlainMaker<MergeInside>>>;

}  // namespace

WARPBENCH_SOLVER(SetIntersection, IpIntersection,
                 {.id = "ip",
                  .title = "Intersect Path: cross diagonals for blocks and threads, serial merges",
                  .source = "bellas2022 §6.2.1",
                  .role = Role::gpu_baseline,
                  .device = Target::gpu,
                  .parameters = path_parameters(),
                  .smoke = {{"blocks", 3}, {"threads_per_block", 32}}})

}  // namespace warpbench::sets
