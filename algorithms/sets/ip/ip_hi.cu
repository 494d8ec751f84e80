// ip-hi: the grid level of Intersect Path, and hash intersection within each block (bellas2022 §6.2.1, a hybrid
// proposed there): the shorter set's part is hashed into the block's buckets, the other's part looks itself up.
#include "algorithms/sets/hi/buckets.cuh"
#include "algorithms/sets/ip/path_technique.cuh"
#include "solvers/solver.hpp"

namespace warpbench::sets {
namespace {

struct HashInside {
  static constexpr bool kWantsShortParts = true;  ///< fewer tokens a bucket

  BucketPool pool;

  __device__ std::uint32_t count(const PathPart& part, const CommonFlags& flags) const {
    Buckets buckets(pool, dynamic_shared<std::uint32_t>());
    const bool a_is_shorter = part.a.size() <= part.b.size();
    return count_by_hash(buckets, a_is_shorter ? part.a : part.b, a_is_shorter ? part.b : part.a, flags);
  }
};

class HashMaker {
 public:
  using Inside = HashInside;
  explicit HashMaker(const Parameters& parameters) : buckets_(parameters.integer("buckets")) {}
  void prepare(std::int64_t max_tokens, std::int64_t blocks, Stream& stream) {
    memory_ = {};
    memory_ = BucketMemory(BucketLayout::of(buckets_, max_tokens), blocks, stream);
  }
  [[nodiscard]] std::size_t shared_bytes(std::int64_t /*threads*/) const {
    return BucketLayout::of(buckets_, 1).shared_bytes();
  }
  /// At most half a token a bucket: most look-ups end at the size of an empty one, and few slots are in use.
  [[nodiscard]] std::int64_t tokens_of_part(std::int64_t /*threads*/) const { return buckets_; }
  [[nodiscard]] std::int64_t concurrent_blocks() const { return memory_.blocks(); }
  [[nodiscard]] Inside inside() { return {memory_.pool()}; }

 private:
  std::int64_t buckets_;
  BucketMemory memory_;
};

using IpHiIntersection = IntersectionBy<PathTechnique<HashMaker>>;

std::vector<ParameterSpec> parameters() {
  std::vector<ParameterSpec> all = path_parameters(512);
  all.push_back(buckets());
  return all;
}

}  // namespace

WARPBENCH_SOLVER(SetIntersection, IpHiIntersection,
                 {.id = "ip-hi",
                  .title = "cross diagonals for blocks, hashing within them",
                  .source = "bellas2022 §6.2.1",
                  .role = Role::proposed,
                  .device = Target::gpu,
                  .parameters = parameters(),
                  .smoke = {{"blocks", 3}, {"buckets", 16}, {"threads_per_block", 32}}})

}  // namespace warpbench::sets
