// roaring: CRoaring's compressed bitmaps by their authors (Lemire et al.), a peer that bellas2022 does not have. All
// pairs: a bitmap for each set, made in phase `build` of the time, and the size of the intersection of any two. One
// pair: both bitmaps of a range are made and intersected by the range's thread.
#include "baselines/sets/pair_solver.hpp"
#include "problems/first_failure.hpp"
#include "solvers/solver.hpp"

#if defined(WARPBENCH_HAS_ROARING)
#include <roaring/roaring.h>

#include <memory>
#include <new>
#endif

namespace warpbench::cpu_sets {
namespace {

SolverInfo facts() {
  return {.id = "roaring",
          .title = "CRoaring: compressed bitmaps",
          .source = "https://github.com/RoaringBitmap/CRoaring",
          .role = Role::peer,
          .device = Target::cpu,
          .parameters = {threads_parameter()},
          .smoke = {{"threads", 2}}};
}

#if defined(WARPBENCH_HAS_ROARING)

struct Free {
  void operator()(roaring_bitmap_t* bitmap) const { roaring_bitmap_free(bitmap); }
};
using Bitmap = std::unique_ptr<roaring_bitmap_t, Free>;

/// Throws std::bad_alloc.
Bitmap bitmap_of(List list) {
  Bitmap made(roaring_bitmap_of_ptr(list.size(), list.data()));
  if (made == nullptr) throw std::bad_alloc();
  return made;
}

class Roaring {
 public:
  explicit Roaring(const Parameters& /*parameters*/) {}

  static bool ranked(const SetCollection& /*sets*/) { return false; }

  /// Throws std::bad_alloc where the bitmaps do not fit.
  void build(const SetLists& lists) {
    bitmaps_.clear();
    bitmaps_.resize(static_cast<std::size_t>(lists.count()));
    FirstFailure failure;
#pragma omp parallel for schedule(dynamic, 16)
    for (std::int64_t i = 0; i < lists.count(); ++i) {
      failure.guard([&] { bitmaps_[static_cast<std::size_t>(i)] = bitmap_of(lists[i]); });
    }
    failure.rethrow();
  }

  class Worker {
   public:
    explicit Worker(const std::vector<Bitmap>& bitmaps) : bitmaps_(bitmaps) {}

    void row(std::int64_t row, std::span<std::uint32_t> counts) {
      const auto self = static_cast<std::size_t>(row);
      for (std::size_t j = 0; j < counts.size(); ++j) {
        counts[j] = static_cast<std::uint32_t>(
            roaring_bitmap_and_cardinality(bitmaps_[self].get(), bitmaps_[self + 1 + j].get()));
      }
    }

    std::size_t intersect(List smaller, List larger, Token* common) {
      const Bitmap a = bitmap_of(smaller);
      const Bitmap b = bitmap_of(larger);
      if (common == nullptr) return roaring_bitmap_and_cardinality(a.get(), b.get());
      const Bitmap both(roaring_bitmap_and(a.get(), b.get()));
      if (both == nullptr) throw std::bad_alloc();
      roaring_bitmap_to_uint32_array(both.get(), common);
      return roaring_bitmap_get_cardinality(both.get());
    }

   private:
    std::span<const Bitmap> bitmaps_;
  };
  [[nodiscard]] Worker worker(const SetLists& /*lists*/) const {
    return Worker(bitmaps_);
  }

 private:
  std::vector<Bitmap> bitmaps_;
};

using RoaringSolver = PairSolver<Roaring>;

WARPBENCH_SOLVER(SetIntersection, RoaringSolver, facts())

#else

WARPBENCH_SOLVER_UNAVAILABLE(SetIntersection, Roaring, "needs CRoaring (Debian: libroaring-dev)", facts())

#endif

}  // namespace
}  // namespace warpbench::cpu_sets
