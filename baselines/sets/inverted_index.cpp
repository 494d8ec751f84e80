// inverted-index: for all pairs, the lists of an inverted index of all sets (bellas2022 §6.2.1, as static-index has
// them on a GPU), counted by threads that share out the rows: the CPU's peer of static-index, without MMJoin's matrix
// product. One pair has no lists: the smaller set's tokens are looked up in the larger one by galloping.
#include "baselines/sets/pair_solver.hpp"
#include "solvers/gallop.hpp"
#include "solvers/solver.hpp"

namespace warpbench::cpu_sets {
namespace {

/// O(the lengths of the lists of a row's tokens) a row and O(|a| log |b|) a pair.
class InvertedLists {
 public:
  explicit InvertedLists(const Parameters& /*parameters*/) {}

  static bool ranked(const SetCollection& /*sets*/) { return true; }
  void build(const SetLists& lists) { index_ = InvertedIndex(lists); }

  class Worker {
   public:
    Worker(const SetLists& lists, const InvertedIndex& index) : lists_(&lists), index_(&index) {}

    void row(std::int64_t row, std::span<std::uint32_t> counts) {
      std::ranges::fill(counts, 0U);
      for (const Token token : (*lists_)[row]) count_later((*index_)[token], row, counts);
    }

    std::size_t intersect(List smaller, List larger, Token* common) {
      std::size_t count = 0;
      std::size_t at = 0;
      for (const Token token : smaller) {
        at = gallop(larger, at, token);
        if (at == larger.size()) break;
        if (larger[at] != token) continue;
        if (common != nullptr) common[count] = token;
        ++count;
      }
      return count;
    }

   private:
    const SetLists* lists_;
    const InvertedIndex* index_;
  };
  [[nodiscard]] Worker worker(const SetLists& lists) const { return {lists, index_}; }

 private:
  InvertedIndex index_;
};

using InvertedIndexSolver = PairSolver<InvertedLists>;

WARPBENCH_SOLVER(SetIntersection, InvertedIndexSolver,
                 {.id = "inverted-index",
                  .title = "Inverted index of all sets on the CPU",
                  .source = "bellas2022 §6.2.1; the CPU's peer of static-index",
                  .role = Role::cpu_baseline,
                  .device = Target::cpu,
                  .parameters = {threads_parameter()},
                  .smoke = {{"threads", 3}}})

}  // namespace
}  // namespace warpbench::cpu_sets
