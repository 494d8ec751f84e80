// ip: Intersect Path (bellas2022 §4.3.2, §6.2.1, after Green et al.): equidistant cross diagonals cut a pair's path
// into parts for blocks, and these into parts for threads, which merge serially. A cut inside a cell is a count of
// the diagonal's own (diagonals.cuh). A block's threads merge in shared memory, a window of both sets at a time, as
// Green et al. do in Merge Path; the document does not say where its threads merge.
#include "algorithms/sets/ip/path_technique.cuh"
#include "solvers/solver.hpp"

namespace warpbench::sets {
namespace {

/// The number of common tokens of two lists in shared memory, found by one thread that walks their path. `a` is from
/// a_begin on of the set whose tokens are marked.
__device__ std::uint32_t merge(const std::uint32_t* a, int a_size, const std::uint32_t* b, int b_size,
                               std::int64_t a_begin, const CommonFlags& flags) {
  std::uint32_t common = 0;
  for (int i = 0, j = 0; i < a_size && j < b_size;) {
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
/// one before to its own. Together the threads' pieces are as long as the window, so that no diagonal leaves it. Counts
/// within a window have 32 bits, half the instructions of 64.
struct MergeInside {
  static constexpr bool kWantsShortParts = false;  ///< windows of a long part follow one another
  static constexpr int kTokensPerThread = 16;
  static constexpr int kInFlight = 4;

  static std::size_t shared_bytes(std::int64_t threads) {
    return static_cast<std::size_t>(2 * threads * kTokensPerThread + threads + 1) * sizeof(std::uint32_t);
  }

  /// A window.
  static std::int64_t tokens_of_part(std::int64_t threads) { return threads * kTokensPerThread; }

  __device__ std::uint32_t count(const PathPart& part, const CommonFlags& flags) const {
    std::uint32_t common = 0;
    for (PathPoint<> at{0, 0, false}; at.a < part.a.size() && at.b < part.b.size();) {
      common += count_window(part, flags, at);
    }
    return common;
  }

 private:
  /// From `at` on, which moves to the window's end. All threads of the block.
  __device__ static std::uint32_t count_window(const PathPart& part, const CommonFlags& flags, PathPoint<>& at) {
    const int threads = block::size();
    const int rank = block::rank();
    const int window = threads * kTokensPerThread;
    auto* const a = dynamic_shared<std::uint32_t>();
    std::uint32_t* const b = a + window;
    std::uint32_t* const cuts = b + window;
    __syncthreads();  // the window before is done with
    const int a_size = stage(part.a, at.a, window, a);
    const int b_size = stage(part.b, at.b, window, b);
    __syncthreads();
    const int tokens = a_size + b_size < window ? a_size + b_size : window;
    const int begin = diagonal_at(tokens, threads, rank);
    const PathPoint<int> end =
        path_point<const std::uint32_t*>(a, a_size, b, b_size, diagonal_at(tokens, threads, rank + 1));
    if (rank == 0) cuts[0] = 0;
    cuts[rank + 1] = static_cast<std::uint32_t>(end.a);
    __syncthreads();
    if (end.in_cell) flags.mark_at(at.a + end.a - 1);
    const auto a_begin = static_cast<int>(cuts[rank]);
    const int b_begin = begin - a_begin;
    const std::uint32_t common =
        merge(a + a_begin, end.a - a_begin, b + b_begin, end.b - b_begin, at.a + a_begin, flags);
    const std::int64_t a_end = cuts[threads];
    at = {at.a + a_end, at.b + tokens - a_end, false};
    return common + (end.in_cell ? 1 : 0);
  }

  /// Copies up to `window` tokens of a set from `begin` on; their number. A thread has kInFlight on their way.
  __device__ static int stage(DeviceSet set, std::int64_t begin, int window, std::uint32_t* copy) {
    const int size = set.size() - begin < window ? static_cast<int>(set.size() - begin) : window;
    const std::uint32_t* const from = set.subview(begin, size).data();
    const int threads = block::size();
    for (int first = block::rank(); first < size; first += kInFlight * threads) {
      std::uint32_t tokens[kInFlight];
#pragma unroll
      for (int u = 0; u < kInFlight; ++u) tokens[u] = first + u * threads < size ? from[first + u * threads] : 0;
#pragma unroll
      for (int u = 0; u < kInFlight; ++u) {
        if (first + u * threads < size) copy[first + u * threads] = tokens[u];
      }
    }
    return size;
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
