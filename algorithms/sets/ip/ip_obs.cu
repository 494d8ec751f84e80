// ip-obs: the grid level of Intersect Path, and optimised binary search within each block (bellas2022 §6.2.1, a hybrid
// proposed there): the tokens of the smaller set's part are looked up in the larger one's, a thread a lookup.
#include "algorithms/sets/engine/lookup.cuh"
#include "algorithms/sets/ip/path_technique.cuh"
#include "algorithms/sets/obs/search_top.cuh"
#include "solvers/solver.hpp"

namespace warpbench::sets {
namespace {

struct LookupInside {
  static constexpr bool kWantsShortParts = true;  ///< fewer steps of a search, all of them in shared memory

  static std::size_t shared_bytes(std::int64_t /*threads*/) { return SearchTop::kBytes; }

  /// So that the set that is searched is in shared memory whole.
  static std::int64_t tokens_of_part(std::int64_t /*threads*/) { return SearchTop::kNodes; }

  __device__ std::uint32_t count(const PathPart& part, const CommonFlags& flags) const {
    const bool a_is_smaller = part.a.size() <= part.b.size();
    const DeviceSet smaller = a_is_smaller ? part.a : part.b;
    const SearchTop top(a_is_smaller ? part.b : part.a, dynamic_shared<std::uint32_t>());
    return count_by_block(top, smaller, [&](std::int64_t i) { flags.mark(smaller[i]); });
  }
};

using IpObs = PathTechnique<PlainMaker<LookupInside>>;

[[maybe_unused]] const bool registered =
    register_for_both<IpObs>({.id = "ip-obs",
                              .title = "cross diagonals for blocks, binary search within them",
                              .source = "bellas2022 §6.2.1",
                              .role = Role::proposed,
                              .device = Target::gpu,
                              .parameters = path_parameters(),
                              .smoke = {{"blocks", 3}, {"threads_per_block", 32}}});

}  // namespace

}  // namespace warpbench::sets
