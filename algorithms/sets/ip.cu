// ip: Intersect Path (bellas2022 §4.3.2, §6.2.1, after Green et al.): equidistant cross diagonals cut a pair's path
// into parts for blocks, and these into parts for threads, which merge serially. A cut inside a cell is a count of
// the diagonal's own (diagonals.cuh). The merges read global memory; the document does not stage them.
#include "algorithms/sets/path_technique.cuh"

namespace warpbench::sets {
namespace {

/// How many tokens two sets have in common, found by one thread that walks their path.
__device__ std::uint32_t merge(DeviceSet a, DeviceSet b, std::int64_t a_begin, const Found& found) {
  std::uint32_t common = 0;
  for (std::int64_t i = 0, j = 0; i < a.size && j < b.size;) {
    const std::uint32_t of_a = a.tokens[i];
    const std::uint32_t of_b = b.tokens[j];
    if (of_a == of_b) {
      ++common;
      found.mark_at(a_begin + i);
    }
    i += of_a <= of_b ? 1 : 0;
    j += of_b <= of_a ? 1 : 0;
  }
  return common;
}

/// The block level: a diagonal a thread, which merges from it to the next thread's.
struct MergeInside {
  static std::size_t shared_bytes(std::int64_t threads) {
    return static_cast<std::size_t>(threads + 1) * sizeof(std::int64_t);
  }

  __device__ std::uint32_t count(const PathPart& part, const Found& found) const {
    auto* starts = dynamic_shared<std::int64_t>();
    const std::int64_t tokens = part.a.size + part.b.size;
    const std::int64_t threads = blockDim.x;
    const std::int64_t tid = threadIdx.x;
    const PathPoint start = path_point(part.a, part.b, diagonal_at(tokens, threads, tid));
    __syncthreads();  // the part before is done with
    starts[tid] = start.a;
    if (tid == 0) starts[threads] = part.a.size;
    __syncthreads();
    const std::int64_t a_end = starts[tid + 1];
    const std::int64_t b_end = diagonal_at(tokens, threads, tid + 1) - a_end;
    if (start.in_cell) found.mark_at(start.a - 1);
    const DeviceSet a{part.a.tokens + start.a, a_end - start.a};
    const DeviceSet b{part.b.tokens + start.b, b_end - start.b};
    return (start.in_cell ? 1 : 0) + merge(a, b, start.a, found);
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
                  .smoke = {{"blocks", std::int64_t{3}}, {"threads_per_block", std::int64_t{32}}},
                  .validate = validate_threads})

}  // namespace warpbench::sets
