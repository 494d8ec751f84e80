// bitset: boost::dynamic_bitset used as BI-dynamic uses bitmaps (bellas2022 §6.2.3). A thread has one bitmap. It sets
// the bits of the current set, tests the tokens of each later set, and clears the bits again. The bitmap has universe /
// 8 bytes a thread, as in the document. Where that is more than 128 bytes a token, tokens are replaced by their ranks
// when the input is prepared; none of the document's collections is so sparse.
#include "baselines/sets/pair_solver.hpp"
#include "solvers/solver.hpp"

#if defined(WARPBENCH_HAS_DYNAMIC_BITSET)
#include <boost/dynamic_bitset.hpp>
#endif

namespace warpbench::cpu_sets {
namespace {

SolverInfo facts() {
  return {.id = "bitset",
          .title = "boost::dynamic_bitset of one set, tested with the tokens of the others",
          .source = "bellas2022 §6.2.3",
          .role = Role::cpu_baseline,
          .device = Target::cpu,
          .parameters = {threads_parameter()},
          .smoke = {{"threads", 2}}};
}

#if defined(WARPBENCH_HAS_DYNAMIC_BITSET)

constexpr std::int64_t kBitsOfToken = 1024;
constexpr std::int64_t kSmallUniverse = std::int64_t{1} << 20;

/// O(|a|) a row and O(|b|) a pair.
class Bitset {
 public:
  explicit Bitset(const Parameters& /*parameters*/) {}

  static bool ranked(const SetCollection& sets) {
    return sets.universe() > std::max(kSmallUniverse, kBitsOfToken * sets.total());
  }
  void build(const SetLists& /*lists*/) {}

  class Worker {
   public:
    explicit Worker(const SetLists& lists) : lists_(&lists) {}

    void row(std::int64_t row, std::span<std::uint32_t> counts) {
      const List a = (*lists_)[row];
      bits_.resize(static_cast<std::size_t>(lists_->universe()));
      for (const Token token : a) bits_.set(token);
      for (std::uint32_t& count : counts) count = tested((*lists_)[++row]);
      for (const Token token : a) bits_.reset(token);
    }

    /// The bitmap spans the tokens of `smaller` alone: threads share the universe out.
    std::size_t intersect(List smaller, List larger, Token* common) {
      if (smaller.empty()) return 0;
      const Token first = smaller.front();
      bits_.clear();
      bits_.resize(std::size_t{smaller.back()} - first + 1);
      for (const Token token : smaller) bits_.set(token - first);
      std::size_t count = 0;
      const List within(std::ranges::lower_bound(larger, first), std::ranges::upper_bound(larger, smaller.back()));
      for (const Token token : within) {
        if (!bits_.test(token - first)) continue;
        if (common != nullptr) common[count] = token;
        ++count;
      }
      return count;
    }

   private:
    [[nodiscard]] std::uint32_t tested(List b) const {
      std::uint32_t count = 0;
      for (const Token token : b) count += bits_.test(token) ? 1 : 0;
      return count;
    }

    const SetLists* lists_;
    boost::dynamic_bitset<> bits_;
  };
  [[nodiscard]] Worker worker(const SetLists& lists) const { return Worker(lists); }
};

using BitsetSolver = PairSolver<Bitset>;

WARPBENCH_SOLVER(SetIntersection, BitsetSolver, facts())

#else

WARPBENCH_SOLVER_UNAVAILABLE(SetIntersection, Bitset, "needs Boost's headers (Debian: libboost-dev)", facts())

#endif

}  // namespace
}  // namespace warpbench::cpu_sets
